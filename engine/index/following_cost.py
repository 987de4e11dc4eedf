"""What following a change of identity takes, from what the index knows already.

No file is read: where chunks are cut anew, their number is an estimate from file sizes.
``estimate`` gives the exact answer and reads everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.index.identity import NO_SPACE, same_chunks, same_space

if TYPE_CHECKING:
    from engine.embeddings.contract import EmbeddingProvider
    from engine.index.context import SyncParts
    from engine.store.contract import IndexReader, StoredIdentity

_BYTES_PER_TOKEN = 4


def following_cost(parts: SyncParts) -> str:
    """One or two sentences; empty when nothing has changed or there is no index."""
    wanted = parts.wanted()
    with parts.store.reader.snapshot() as now:
        stored = now.identity()
        if stored is None:
            return ""
        sentences = [_texts(now, stored, wanted), _vectors(now, stored, wanted, parts.provider)]
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
    now: IndexReader,
    stored: StoredIdentity,
    wanted: StoredIdentity,
    provider: EmbeddingProvider | None,
) -> str:
    if provider is None or wanted.vector_space == NO_SPACE:
        return ""
    if not same_chunks(stored, wanted):
        tokens = sum(file.size for file in now.files()) // _BYTES_PER_TOKEN
        return _sent(f"Texts without a vector, at most about {tokens:,} tokens,", provider)
    if same_space(stored, wanted):
        return ""
    chunks = sum(now.chunk_counts().values())
    missing = len(now.unembedded(wanted.vector_space))
    if not missing:
        return f"Nothing is embedded: all {_count(chunks, 'chunk')} have their vectors already."
    tokens = sum(file.size for file in now.files()) * missing // (chunks * _BYTES_PER_TOKEN)
    what = f"{missing:,} of {_count(chunks, 'chunk')}, about {tokens:,} tokens,"
    return _sent(what, provider)


def _sent(what: str, provider: EmbeddingProvider) -> str:
    if not provider.remote:
        return f"{what} are embedded on this machine; nothing is sent."
    return f"{what} are sent to {provider.identity.provider}/{provider.identity.model}."


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" + ("" if number == 1 else "s")
