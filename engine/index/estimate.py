"""What a rebuild would cost, found out without sending anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from engine.chunking.chunk import Chunk, ChunkingRules
from engine.embeddings.cost.price_table import cost_of
from engine.embeddings.cost.tokens import estimated_tokens
from engine.embeddings.cost.wording import cost_words
from engine.errors import PathError
from engine.index.cutting import distinct_chunks
from engine.index.media import may_be_media
from engine.index.settings import IndexSettings
from engine.sources.found import FoundFile
from engine.sources.reading import read_found
from engine.status import Cost, Price, RebuildEstimate
from engine.store.contract import IndexStore

if TYPE_CHECKING:
    from engine.embeddings.contract import EmbeddingProvider, ProviderIdentity


def estimate_rebuild(
    files: Iterable[FoundFile],
    store: IndexStore,
    settings: IndexSettings,
    provider: EmbeddingProvider | None,
    chunks_per_second: float | None,
    price_of: Callable[[ProviderIdentity], Price | None] = lambda identity: None,
) -> RebuildEstimate:
    """Read and cut every file as a rebuild would; nothing is stored and nothing sent.

    ``chunks_per_second`` is the pace measured on this machine with this provider; None
    while there is none, and then ``seconds`` is None too. ``price_of`` gives the price of
    a provider's model.
    """
    files = tuple(files)
    chunks = list(_chunks(files, settings.rules))
    todo = _to_embed(chunks, store, settings, provider)
    tokens = estimated_tokens(chunk.text for chunk in todo)
    cost = None
    if provider is not None and provider.remote:
        cost = cost_of(tokens, price_of(provider.identity), estimated=True)
    return RebuildEstimate(
        files=len(files),
        chunks=len(chunks),
        cached=len(chunks) - len(todo) if provider is not None else 0,
        to_embed=len(todo),
        tokens=tokens,
        remote=provider is not None and provider.remote,
        provider="none" if provider is None else provider.identity.provider,
        seconds=len(chunks) / chunks_per_second if chunks_per_second else None,
        note=_note(provider, todo, cost),
        cost=cost,
    )


def count_missing(
    store: IndexStore,
    files: Iterable[FoundFile],
    rules: ChunkingRules,
    provider: EmbeddingProvider,
) -> int:
    """How many different texts of these files have no vector in the provider's space."""
    hashes = {chunk.hash for chunk in _chunks(files, rules)}
    return len(hashes - store.known_vectors(provider.identity.key(), hashes))


def _chunks(files: Iterable[FoundFile], rules: ChunkingRules) -> Iterator[Chunk]:
    for file in files:
        try:
            text, file_hash = read_found(file)
        except PathError:
            continue
        yield from distinct_chunks(file.path, text, rules, file_hash)


def _to_embed(
    chunks: list[Chunk],
    store: IndexStore,
    settings: IndexSettings,
    provider: EmbeddingProvider | None,
) -> list[Chunk]:
    """One chunk for each different text that a rebuild would embed."""
    if provider is None:
        return []
    texts = {chunk.hash: chunk for chunk in chunks}
    known: set[str] = set()
    if settings.cache_enabled:
        known = store.known_vectors(provider.identity.key(), texts)
    return [chunk for hash_, chunk in texts.items() if hash_ not in known]


def _note(provider: EmbeddingProvider | None, todo: list[Chunk], cost: Cost | None) -> str:
    if provider is None:
        return "No embedding provider: only the keyword tables are built."
    if not todo:
        return "Nothing is embedded: every text already has its vector."
    if cost is None:
        return "Everything is computed on this machine; nothing is sent and nothing is paid."
    name = f"{provider.identity.provider}/{provider.identity.model}"
    texts = "1 text is" if len(todo) == 1 else f"{len(todo)} texts are"
    note = f"{texts} sent to {name}: {cost_words(cost)}. The token count is an estimate."
    media = sum(may_be_media(chunk.text) for chunk in todo)
    if not media:
        return note
    files = "1 media file is" if media == 1 else f"{media} media files are"
    return f"{note} {files} sent whole, which the count leaves out."
