"""The ``memorySearch`` keys as typed groups: each with its default, its range and its meaning.

Files write camelCase, code reads snake_case. What a file gets wrong is mended before it
comes here, by what these fields declare (``key_table`` collects it, ``mending`` applies it).
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Le, doc

from engine.config.declaring import Fraction, NonNegative, Positive, Text


@dataclass(frozen=True)
class SecretRef:
    """A pointer to a secret that lies elsewhere; the provider part follows it."""

    source: Text
    id: Text
    provider: Text | None = None


@dataclass(frozen=True)
class Batch:
    """Batch jobs at the provider."""

    enabled: Annotated[bool, doc("Use the provider's batch jobs for bulk indexing.")] = False
    wait: Annotated[bool, doc("Wait for a batch job to end.")] = True
    concurrency: Annotated[Positive, doc("Batch jobs at a time.")] = 2
    poll_interval_ms: Annotated[NonNegative, doc("Pause between two looks at a job.")] = 2000
    timeout_minutes: Annotated[Positive, doc("Longest wait for one job.")] = 60


@dataclass(frozen=True)
class Remote:
    """Where a hosted provider is reached, and how."""

    base_url: Annotated[Text | None, doc("Address of the API, without the last part.")] = None
    api_key: Annotated[Text | SecretRef | None, doc("Key, ${VARIABLE} or a secret reference.")] = (
        field(default=None, repr=False)
    )
    headers: Annotated[dict[Text, Text | SecretRef], doc("Extra request headers.")] = field(
        default_factory=dict, repr=False
    )
    non_batch_concurrency: Annotated[
        Positive | None, doc("Parallel embedding requests; unset: the provider's own number.")
    ] = None
    batch: Batch = Batch()


@dataclass(frozen=True)
class Local:
    """The model file of the local provider."""

    model_path: Annotated[Text | None, doc("GGUF file, hf: or http(s) address.")] = None
    model_cache_dir: Annotated[Text | None, doc("Folder for downloaded models.")] = None
    context_size: Annotated[Positive | Literal["auto"], doc("Context in tokens.")] = 4096


@dataclass(frozen=True)
class Fts:
    """The documented keyword table."""

    tokenizer: Annotated[
        Literal["unicode61", "trigram"], doc("FTS5 tokenizer of the documented keyword table.")
    ] = "unicode61"


@dataclass(frozen=True)
class VectorStore:
    """Vector search inside SQLite."""

    enabled: Annotated[bool, doc("Search vectors through sqlite-vec.")] = True
    extension_path: Annotated[Text | None, doc("Another sqlite-vec library file.")] = None


@dataclass(frozen=True)
class Store:
    """The index file."""

    driver: Annotated[Literal["sqlite"], doc("Kind of index file.")] = "sqlite"
    path: Annotated[Text | None, doc("Index file; {agentId} is replaced, ~ expanded.")] = None
    fts: Fts = Fts()
    vector: VectorStore = VectorStore()


@dataclass(frozen=True)
class Chunking:
    """How files are cut; a token counts as four UTF-16 units."""

    tokens: Annotated[Positive, doc("Size of a chunk in tokens.")] = 400
    overlap: Annotated[NonNegative, doc("Tokens that two neighbours share; below tokens.")] = 80


@dataclass(frozen=True)
class SessionSync:
    """When a grown transcript is indexed again."""

    delta_bytes: Annotated[NonNegative, doc("Bytes of growth; 0 is any.")] = 100_000
    delta_messages: Annotated[NonNegative, doc("Lines of growth; 0 is any.")] = 50
    post_compaction_force: Annotated[bool, doc("Index again after a compaction.")] = True


@dataclass(frozen=True)
class Sync:
    """When the index is brought up to date."""

    on_session_start: Annotated[bool, doc("Sync when a session starts.")] = True
    on_search: Annotated[bool, doc("Sync in the background when a search finds changes.")] = True
    watch: Annotated[bool, doc("Watch the folders.")] = True
    watch_debounce_ms: Annotated[NonNegative, doc("Quiet time after a change.")] = 1500
    interval_minutes: Annotated[NonNegative, doc("Timer; 0 is off.")] = 0
    embedding_batch_timeout_seconds: Annotated[
        Positive | None, doc("Time limit of one indexing request; unset: by provider.")
    ] = None
    sessions: SessionSync = SessionSync()


@dataclass(frozen=True)
class Mmr:
    """Maximal marginal relevance: variety among the results."""

    enabled: Annotated[bool, doc("Prefer results that differ from one another.")] = False
    lambda_: Annotated[Fraction, doc("1 is relevance only, 0 variety only.")] = 0.7


@dataclass(frozen=True)
class TemporalDecay:
    """Older notes count less."""

    enabled: Annotated[bool, doc("Let dated notes lose score with age.")] = False
    half_life_days: Annotated[Positive, doc("Days after which half the score is left.")] = 30


@dataclass(frozen=True)
class Hybrid:
    """Vector and keyword scores together; the two weights sum to 1."""

    enabled: Annotated[bool, doc("Use keywords beside vectors.")] = True
    vector_weight: Annotated[Fraction, doc("Weight of the vector score.")] = 0.7
    text_weight: Annotated[Fraction, doc("Weight of the keyword score.")] = 0.3
    candidate_multiplier: Annotated[
        int, Ge(1), Le(20), doc("Candidates a leg gives, as a multiple of maxResults.")
    ] = 4
    mmr: Mmr = Mmr()
    temporal_decay: TemporalDecay = TemporalDecay()


@dataclass(frozen=True)
class Query:
    """What a search returns."""

    max_results: Annotated[Positive, doc("Results of a search.")] = 6
    min_score: Annotated[Fraction, doc("Lowest score of a result.")] = 0.35
    hybrid: Hybrid = Hybrid()


@dataclass(frozen=True)
class Cache:
    """Vectors kept for text that comes back."""

    enabled: Annotated[bool, doc("Keep vectors of texts that left the index.")] = True
    max_entries: Annotated[Positive | None, doc("Most kept vectors; unset: no limit.")] = None


@dataclass(frozen=True)
class Multimodal:
    """Pictures and sound below extraPaths."""

    enabled: Annotated[bool, doc("Index media files in extraPaths.")] = False
    modalities: Annotated[
        tuple[Literal["image", "audio", "all"], ...], doc("Which kinds; empty is all.")
    ] = ()
    max_file_bytes: Annotated[Positive, doc("Largest media file.")] = 10_485_760


@dataclass(frozen=True)
class Experimental:
    """Keys that the original calls experimental."""

    session_memory: Annotated[bool, doc("Index transcripts.")] = False


@dataclass(frozen=True)
class ExtraCollection:
    """One more folder for QMD."""

    path: Text
    name: Text | None = None
    pattern: Text | None = None


@dataclass(frozen=True)
class QmdExtras:
    """QMD folders of one agent."""

    extra_collections: Annotated[
        tuple[ExtraCollection, ...], doc("More folders for QMD: {path, name, pattern}.")
    ] = ()


@dataclass(frozen=True)
class MemorySearch:
    """All keys of ``memorySearch`` for one agent, mended, normalised and complete."""

    enabled: Annotated[bool, doc("Memory search as a whole.")] = True
    provider: Annotated[Text, doc("Embedding provider; none is keywords only.")] = "auto"
    model: Annotated[Text, doc("Embedding model; empty is the provider's own choice.")] = ""
    fallback: Annotated[Text, doc("Provider to use when the first one fails.")] = "none"
    input_type: Annotated[Text | None, doc("input_type for queries and documents.")] = None
    query_input_type: Annotated[Text | None, doc("input_type for queries.")] = None
    document_input_type: Annotated[Text | None, doc("input_type for documents.")] = None
    output_dimensionality: Annotated[
        Positive | None, doc("Length of the vectors; unset: the model's own.")
    ] = None
    sources: Annotated[
        tuple[Literal["memory", "sessions"], ...],
        doc("What is searched; sessions needs experimental.sessionMemory."),
    ] = ("memory",)
    extra_paths: Annotated[tuple[Text, ...], doc("More files and folders of Markdown.")] = ()
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
