"""The ``memorySearch`` keys as typed models: each with its default, its range and its meaning.

Files write camelCase, code reads snake_case. The models are strict; what a file
gets wrong is mended before it comes here, by the ranges that these fields state
(``key_table`` collects them, ``mending`` applies them). A field that is kept out of
``repr`` is a secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict
from pydantic.alias_generators import to_camel

Texts = Annotated[tuple[str, ...], Strict(False)]


@dataclass(frozen=True, slots=True)
class Expects:
    """Says in words what a key takes whose type does not say it well enough."""

    words: str


def _spelling(name: str) -> str:
    """The key in a file: ``half_life_days`` is ``halfLifeDays``, ``lambda_`` is ``lambda``."""
    return to_camel(name.rstrip("_"))


class Section(BaseModel):
    """A group of keys. Frozen; unknown keys are refused here and reported by the reader."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=_spelling,
        validate_by_name=True,
        validate_by_alias=True,
        ser_json_inf_nan="null",
    )


class SecretRef(Section):
    """A pointer to a secret that lies elsewhere; the provider part follows it."""

    source: str
    provider: str | None = None
    id: str


class Batch(Section):
    """Batch jobs at the provider."""

    enabled: bool = Field(
        default=False, description="Use the provider's batch jobs for bulk indexing."
    )
    wait: bool = Field(default=True, description="Wait for a batch job to end.")
    concurrency: int = Field(default=2, ge=1, description="Batch jobs at a time.")
    poll_interval_ms: int = Field(
        default=2000, ge=0, description="Pause between two looks at a job."
    )
    timeout_minutes: int = Field(default=60, ge=1, description="Longest wait for one job.")


class Remote(Section):
    """Where a hosted provider is reached, and how."""

    base_url: str | None = Field(
        default=None, description="Address of the API, without the last part."
    )
    api_key: Annotated[
        str | SecretRef | None, Expects("text, or a secret reference {source, provider, id}")
    ] = Field(default=None, repr=False, description="Key, ${VARIABLE} or a secret reference.")
    headers: Annotated[
        dict[str, str | SecretRef], Expects("an object of header names and texts")
    ] = Field(default={}, repr=False, description="Extra request headers.")
    non_batch_concurrency: int | None = Field(
        default=None,
        ge=1,
        description="Parallel embedding requests; unset: the provider's own number.",
    )
    batch: Batch = Batch()


class Local(Section):
    """The model file of the local provider."""

    model_path: str | None = Field(default=None, description="GGUF file, hf: or http(s) address.")
    model_cache_dir: str | None = Field(default=None, description="Folder for downloaded models.")
    context_size: int | Literal["auto"] = Field(
        default=4096, ge=1, description="Context in tokens."
    )


class Fts(Section):
    """The documented keyword table."""

    tokenizer: Literal["unicode61", "trigram"] = Field(
        default="unicode61", description="FTS5 tokenizer of the documented keyword table."
    )


class VectorStore(Section):
    """Vector search inside SQLite."""

    enabled: bool = Field(default=True, description="Search vectors through sqlite-vec.")
    extension_path: str | None = Field(default=None, description="Another sqlite-vec library file.")


class Store(Section):
    """The index file."""

    driver: Literal["sqlite"] = Field(default="sqlite", description="Kind of index file.")
    path: str | None = Field(
        default=None, description="Index file; {agentId} is replaced, ~ expanded."
    )
    fts: Fts = Fts()
    vector: VectorStore = VectorStore()


class Chunking(Section):
    """How files are cut; a token counts as four UTF-16 units."""

    tokens: int = Field(default=400, ge=1, description="Size of a chunk in tokens.")
    overlap: int = Field(
        default=80, ge=0, description="Tokens that two neighbours share; below tokens."
    )


class SessionSync(Section):
    """When a grown transcript is indexed again."""

    delta_bytes: int = Field(default=100_000, ge=0, description="Bytes of growth; 0 is any.")
    delta_messages: int = Field(default=50, ge=0, description="Lines of growth; 0 is any.")
    post_compaction_force: bool = Field(default=True, description="Index again after a compaction.")


class Sync(Section):
    """When the index is brought up to date."""

    on_session_start: bool = Field(default=True, description="Sync when a session starts.")
    on_search: bool = Field(
        default=True, description="Sync in the background when a search finds changes."
    )
    watch: bool = Field(default=True, description="Watch the folders.")
    watch_debounce_ms: int = Field(default=1500, ge=0, description="Quiet time after a change.")
    interval_minutes: int = Field(default=0, ge=0, description="Timer; 0 is off.")
    embedding_batch_timeout_seconds: int | None = Field(
        default=None, ge=1, description="Time limit of one indexing request; unset: by provider."
    )
    sessions: SessionSync = SessionSync()


class Mmr(Section):
    """Maximal marginal relevance: variety among the results."""

    enabled: bool = Field(default=False, description="Prefer results that differ from one another.")
    lambda_: float = Field(
        default=0.7, ge=0, le=1, description="1 is relevance only, 0 variety only."
    )


class TemporalDecay(Section):
    """Older notes count less."""

    enabled: bool = Field(default=False, description="Let dated notes lose score with age.")
    half_life_days: int = Field(
        default=30, ge=1, description="Days after which half the score is left."
    )


class Hybrid(Section):
    """Vector and keyword scores together; the two weights sum to 1."""

    enabled: bool = Field(default=True, description="Use keywords beside vectors.")
    vector_weight: float = Field(default=0.7, ge=0, le=1, description="Weight of the vector score.")
    text_weight: float = Field(default=0.3, ge=0, le=1, description="Weight of the keyword score.")
    candidate_multiplier: int = Field(
        default=4, ge=1, le=20, description="Candidates a leg gives, as a multiple of maxResults."
    )
    mmr: Mmr = Mmr()
    temporal_decay: TemporalDecay = TemporalDecay()


class Query(Section):
    """What a search returns."""

    max_results: int = Field(default=6, ge=1, description="Results of a search.")
    min_score: float = Field(default=0.35, ge=0, le=1, description="Lowest score of a result.")
    hybrid: Hybrid = Hybrid()


class Cache(Section):
    """Vectors kept for text that comes back."""

    enabled: bool = Field(default=True, description="Keep vectors of texts that left the index.")
    max_entries: int | None = Field(
        default=None, ge=1, description="Most kept vectors; unset: no limit."
    )


class Multimodal(Section):
    """Pictures and sound below extraPaths."""

    enabled: bool = Field(default=False, description="Index media files in extraPaths.")
    modalities: Annotated[tuple[Literal["image", "audio", "all"], ...], Strict(False)] = Field(
        default=(), description="Which kinds; empty is all."
    )
    max_file_bytes: int = Field(default=10_485_760, ge=1, description="Largest media file.")


class Experimental(Section):
    """Keys that the original calls experimental."""

    session_memory: bool = Field(default=False, description="Index transcripts.")


class ExtraCollection(Section):
    """One more folder for QMD."""

    path: str
    name: str | None = None
    pattern: str | None = None


class QmdExtras(Section):
    """QMD folders of one agent."""

    extra_collections: Annotated[
        tuple[ExtraCollection, ...],
        Strict(False),
        Expects("a list of folders {path, name, pattern}"),
    ] = Field(default=(), description="More folders for QMD: {path, name, pattern}.")


class MemorySearch(Section):
    """All keys of ``memorySearch`` for one agent, mended, normalised and complete."""

    enabled: bool = Field(default=True, description="Memory search as a whole.")
    provider: str = Field(default="auto", description="Embedding provider; none is keywords only.")
    model: str = Field(
        default="", description="Embedding model; empty is the provider's own choice."
    )
    fallback: str = Field(default="none", description="Provider to use when the first one fails.")
    input_type: str | None = Field(
        default=None, description="input_type for queries and documents."
    )
    query_input_type: str | None = Field(default=None, description="input_type for queries.")
    document_input_type: str | None = Field(default=None, description="input_type for documents.")
    output_dimensionality: int | None = Field(
        default=None, ge=1, description="Length of the vectors; unset: the model's own."
    )
    sources: Annotated[tuple[Literal["memory", "sessions"], ...], Strict(False)] = Field(
        default=("memory",),
        description="What is searched; sessions needs experimental.sessionMemory.",
    )
    extra_paths: Texts = Field(default=(), description="More files and folders of Markdown.")
    experimental: Experimental = Experimental()
    multimodal: Multimodal = Multimodal()
    remote: Remote = Remote()
    local: Local = Local()
    store: Store = Store()
    chunking: Chunking = Chunking()
    sync: Sync = Sync()
    query: Query = Query()
    cache: Cache = Cache()
    qmd: QmdExtras = QmdExtras()

    def plain(self) -> dict[str, Any]:
        """The keys as a file would write them, secrets included: never show this."""
        return self.model_dump(by_alias=True, mode="json")
