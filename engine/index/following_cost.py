"""What following a change of identity takes, from what the index knows already.

No file is read: where chunks are cut anew, their number is an estimate from file sizes.
``estimate`` gives the exact answer and reads everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.embeddings.cost.price_table import cost_of
from engine.embeddings.cost.tokens import tokens_of_bytes
from engine.embeddings.cost.wording import money
from engine.index.identity import NO_SPACE, same_chunks, same_space

if TYPE_CHECKING:
    from engine.index.context import SyncParts
    from engine.store.contract import IndexReader, StoredIdentity


def following_cost(parts: SyncParts) -> str:
    """One or two sentences; empty when nothing has changed or there is no index."""
    wanted = parts.wanted()
    with parts.store.reader.snapshot() as now:
        stored = now.identity()
        if stored is None:
            return ""
        sentences = [_texts(now, stored, wanted), _vectors(now, stored, wanted, parts)]
    return " ".join(sentence for sentence in sentences if sentence)


def _texts(now: IndexReader, stored: StoredIdentity, wanted: StoredIdentity) -> str:
    if not same_chunks(stored, wanted):
        files = now.files()
        size = sum(file.size for file in files) / 1024
        return f"{_count(len(files), 'file')} ({size:,.0f} KiB) are cut anew."
    if stored.tokenizer != wanted.tokenizer:
        return "The keyword table is made anew from stored text."
    return ""


def _vectors(
    now: IndexReader, stored: StoredIdentity, wanted: StoredIdentity, parts: SyncParts
) -> str:
    provider = parts.provider
    if provider is None or wanted.vector_space == NO_SPACE:
        return ""
    size = sum(file.size for file in now.files())
    if not same_chunks(stored, wanted):
        tokens = tokens_of_bytes(size)
        return _sent(f"Texts without a vector, at most about {tokens:,} tokens,", tokens, parts)
    if same_space(stored, wanted):
        return ""
    chunks = sum(now.chunk_counts().values())
    missing = len(now.unembedded(wanted.vector_space))
    if not missing:
        return f"Nothing is embedded: all {_count(chunks, 'chunk')} have their vectors already."
    tokens = tokens_of_bytes(size * missing // chunks)
    what = f"{missing:,} of {_count(chunks, 'chunk')}, about {tokens:,} tokens,"
    return _sent(what, tokens, parts)


def _sent(what: str, tokens: int, parts: SyncParts) -> str:
    assert parts.provider is not None
    if not parts.provider.remote:
        return f"{what} are embedded on this machine; nothing is sent."
    identity = parts.provider.identity
    usd = cost_of(tokens, parts.price_of(identity), estimated=True).usd
    price = "" if usd is None else f", which costs {money(usd)}"
    return f"{what} are sent to {identity.provider}/{identity.model}{price}."


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" + ("" if number == 1 else "s")
