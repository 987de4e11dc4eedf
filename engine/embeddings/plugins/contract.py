"""What a plug-in declares, what it is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine.embeddings.remote.wire import Purpose

GROUP = "memlens.embedding_providers"


@dataclass(frozen=True, slots=True)
class PluginRequest:
    """What the configuration says; secrets stay out of ``repr``.

    ``base_url`` is ``remote.baseUrl``, else that of the ``models.providers`` entry, else
    the plug-in's own. ``key`` is None where none is needed and none was found.
    """

    model: str
    dimensions: int | None
    base_url: str
    key: str | None = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    query_input_type: str | None = None
    document_input_type: str | None = None


class Embedder(Protocol):
    """Turns texts into vectors; asked by one thread at a time. ``close()`` is optional."""

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Sequence[Sequence[float]]:
        """One vector a text, in their order, of one length for all; of any norm but 0."""
        ...


class EmbeddingPlugin(Protocol):
    """The object behind an entry point, or a class that makes it without arguments.

    Only ``open`` is needed. The others, with their defaults:

    remote = True: texts leave this machine. Where it is False, indexing is free and
        nobody is asked before it.
    default_model = "": the model when none is configured; empty when one must be named.
    base_url = "": the provider's own address; keys of auth profiles and of the
        environment are handed over only for it.
    key_variables = (): names of environment variables that may hold the key.
    needs_key = False: without a key the provider is not used.
    version = "": a name of what is done to texts and vectors; another one means that
        old vectors are of no use.
    inputs_per_request = 64, bytes_per_request = 300000, bytes_per_input = 8192: limits of one
        call of ``embed``; longer texts come in parts.
    """

    def open(self, request: PluginRequest) -> Embedder:
        """The embedder for a configuration; called once, before the first text."""
        ...
