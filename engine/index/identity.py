"""Whether the published index fits the configuration, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.chunking.chunk import ChunkingRules
from engine.chunking.chunker import UnknownDialectError, chunk_text
from engine.status import IdentityState
from engine.store.contract import StoredIdentity

if TYPE_CHECKING:
    from engine.embeddings.contract import ProviderIdentity

NO_SPACE = ""
"""The vector space of an index that holds no vectors of its own choosing: keywords only."""


def wanted_identity(
    rules: ChunkingRules, tokenizer: str, provider: ProviderIdentity | None
) -> StoredIdentity:
    """What an index built now, with this configuration, would be stamped with."""
    if provider is None:
        return StoredIdentity(rules.fingerprint(), tokenizer, NO_SPACE, "none", "", "", None)
    return StoredIdentity(
        rules.fingerprint(),
        tokenizer,
        provider.key(),
        provider.provider,
        provider.model,
        provider.endpoint,
        provider.dimensions,
        provider.document_input_type,
    )


def keywords_only(identity: StoredIdentity) -> StoredIdentity:
    """The same chunks and keyword tables, with no vector space yet."""
    return StoredIdentity(identity.chunking, identity.tokenizer, NO_SPACE, "none", "", "", None)


def same_chunks(stored: StoredIdentity, wanted: StoredIdentity) -> bool:
    """True when the chunks can stay: keyword tables and vector spaces are switched in place."""
    return stored.chunking == wanted.chunking


def same_space(stored: StoredIdentity, wanted: StoredIdentity) -> bool:
    """True when the vectors fit too. Without a provider nothing is asked of them."""
    return wanted.vector_space in (NO_SPACE, stored.vector_space)


def compare(stored: StoredIdentity | None, wanted: StoredIdentity) -> IdentityState:
    """The state of the index identity, each change as a plain sentence, old and new."""
    if stored is None:
        return IdentityState("missing")
    changes = tuple(_changes(stored, wanted))
    return IdentityState("mismatched" if changes else "valid", changes)


def _changes(stored: StoredIdentity, wanted: StoredIdentity) -> list[str]:
    pairs = [
        ("chunking", _spoken_chunking(stored, wanted), _spoken_chunking(wanted, stored)),
        ("tokenizer", stored.tokenizer, wanted.tokenizer),
    ]
    if not same_space(stored, wanted):
        pairs += _space_pairs(stored, wanted)
    return [f"{what} {old} -> {new}" for what, old, new in pairs if old != new]


def _space_pairs(stored: StoredIdentity, wanted: StoredIdentity) -> list[tuple[str, str, str]]:
    pairs = [
        ("provider", stored.provider, wanted.provider),
        ("model", stored.model or "none", wanted.model or "none"),
        ("dimensions", _or_default(stored.dimensions), _or_default(wanted.dimensions)),
    ]
    if stored.provider == wanted.provider:
        pairs += [
            ("endpoint", stored.endpoint or "default", wanted.endpoint or "default"),
            ("document input type", stored.input_type or "none", wanted.input_type or "none"),
        ]
    if all(old == new for _, old, new in pairs):
        pairs.append(("vector space", stored.vector_space[:8], wanted.vector_space[:8]))
    return pairs


def _spoken_chunking(this: StoredIdentity, other: StoredIdentity) -> str:
    """``400/80``; with its rule set in front where the two differ in that."""
    dialect, _, sizes = this.chunking.rpartition(":")
    same_dialect = dialect == other.chunking.rpartition(":")[0]
    return sizes if same_dialect else f"{sizes} by the rules of {dialect}"


def _or_default(dimensions: int | None) -> str:
    return "the model's own" if dimensions is None else str(dimensions)


def stored_rules(identity: StoredIdentity) -> ChunkingRules | None:
    """The chunking rules an index was built with; None when its stamp is not understood."""
    dialect, _, sizes = identity.chunking.rpartition(":")
    tokens, _, overlap = sizes.partition("/")
    if not (tokens.isdecimal() and overlap.isdecimal()):
        return None
    rules = ChunkingRules(int(tokens), int(overlap), dialect)
    try:
        chunk_text("", rules)
    except UnknownDialectError:
        return None
    return rules
