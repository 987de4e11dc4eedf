"""The ``memorySearch`` keys as typed groups: each with its default, its range and its meaning.

Files write camelCase, code reads snake_case. What a file gets wrong is mended before it
comes here, by what these fields declare (``key_table`` collects it, ``mending`` applies it).
"""

from dataclasses import field
from typing import Literal

from engine.config.declaring import Section, key


class SecretRef(Section):
    """A pointer to a secret that lies elsewhere; the provider part follows it."""

    source: str
    id: str
    provider: str | None = None


class Batch(Section):
    """Batch jobs at the provider."""

    enabled: bool = field(
        default=False, metadata=key("Use the provider's batch jobs for bulk indexing.")
    )
    wait: bool = field(default=True, metadata=key("Wait for a batch job to end."))
    concurrency: int = field(default=2, metadata=key("Batch jobs at a time.", low=1))
    poll_interval_ms: int = field(
        default=2000, metadata=key("Pause between two looks at a job.", low=0)
    )
    timeout_minutes: int = field(default=60, metadata=key("Longest wait for one job.", low=1))


class Remote(Section):
    """Where a hosted provider is reached, and how."""

    base_url: str | None = field(
        default=None, metadata=key("Address of the API, without the last part.")
    )
    api_key: str | SecretRef | None = field(
        default=None,
        repr=False,
        metadata=key(
            "Key, ${VARIABLE} or a secret reference.",
            expects="text, or a secret reference {source, provider, id}",
        ),
    )
    headers: dict[str, str | SecretRef] = field(
        default_factory=dict,
        repr=False,
        metadata=key("Extra request headers.", expects="an object of header names and texts"),
    )
    non_batch_concurrency: int | None = field(
        default=None,
        metadata=key("Parallel embedding requests; unset: the provider's own number.", low=1),
    )
    batch: Batch = Batch()


class Local(Section):
    """The model file of the local provider."""

    model_path: str | None = field(default=None, metadata=key("GGUF file, hf: or http(s) address."))
    model_cache_dir: str | None = field(default=None, metadata=key("Folder for downloaded models."))
    context_size: int | Literal["auto"] = field(
        default=4096, metadata=key("Context in tokens.", low=1)
    )


class Fts(Section):
    """The documented keyword table."""

    tokenizer: Literal["unicode61", "trigram"] = field(
        default="unicode61", metadata=key("FTS5 tokenizer of the documented keyword table.")
    )


class VectorStore(Section):
    """Vector search inside SQLite."""

    enabled: bool = field(default=True, metadata=key("Search vectors through sqlite-vec."))
    extension_path: str | None = field(
        default=None, metadata=key("Another sqlite-vec library file.")
    )


class Store(Section):
    """The index file."""

    driver: Literal["sqlite"] = field(default="sqlite", metadata=key("Kind of index file."))
    path: str | None = field(
        default=None, metadata=key("Index file; {agentId} is replaced, ~ expanded.")
    )
    fts: Fts = Fts()
    vector: VectorStore = VectorStore()


class Chunking(Section):
    """How files are cut; a token counts as four UTF-16 units."""

    tokens: int = field(default=400, metadata=key("Size of a chunk in tokens.", low=1))
    overlap: int = field(
        default=80, metadata=key("Tokens that two neighbours share; below tokens.", low=0)
    )


class SessionSync(Section):
    """When a grown transcript is indexed again."""

    delta_bytes: int = field(default=100_000, metadata=key("Bytes of growth; 0 is any.", low=0))
    delta_messages: int = field(default=50, metadata=key("Lines of growth; 0 is any.", low=0))
    post_compaction_force: bool = field(
        default=True, metadata=key("Index again after a compaction.")
    )


class Sync(Section):
    """When the index is brought up to date."""

    on_session_start: bool = field(default=True, metadata=key("Sync when a session starts."))
    on_search: bool = field(
        default=True, metadata=key("Sync in the background when a search finds changes.")
    )
    watch: bool = field(default=True, metadata=key("Watch the folders."))
    watch_debounce_ms: int = field(default=1500, metadata=key("Quiet time after a change.", low=0))
    interval_minutes: int = field(default=0, metadata=key("Timer; 0 is off.", low=0))
    embedding_batch_timeout_seconds: int | None = field(
        default=None, metadata=key("Time limit of one indexing request; unset: by provider.", low=1)
    )
    sessions: SessionSync = SessionSync()


class Mmr(Section):
    """Maximal marginal relevance: variety among the results."""

    enabled: bool = field(
        default=False, metadata=key("Prefer results that differ from one another.")
    )
    lambda_: float = field(
        default=0.7, metadata=key("1 is relevance only, 0 variety only.", low=0, high=1)
    )


class TemporalDecay(Section):
    """Older notes count less."""

    enabled: bool = field(default=False, metadata=key("Let dated notes lose score with age."))
    half_life_days: int = field(
        default=30, metadata=key("Days after which half the score is left.", low=1)
    )


class Hybrid(Section):
    """Vector and keyword scores together; the two weights sum to 1."""

    enabled: bool = field(default=True, metadata=key("Use keywords beside vectors."))
    vector_weight: float = field(
        default=0.7, metadata=key("Weight of the vector score.", low=0, high=1)
    )
    text_weight: float = field(
        default=0.3, metadata=key("Weight of the keyword score.", low=0, high=1)
    )
    candidate_multiplier: int = field(
        default=4,
        metadata=key("Candidates a leg gives, as a multiple of maxResults.", low=1, high=20),
    )
    mmr: Mmr = Mmr()
    temporal_decay: TemporalDecay = TemporalDecay()


class Query(Section):
    """What a search returns."""

    max_results: int = field(default=6, metadata=key("Results of a search.", low=1))
    min_score: float = field(default=0.35, metadata=key("Lowest score of a result.", low=0, high=1))
    hybrid: Hybrid = Hybrid()


class Cache(Section):
    """Vectors kept for text that comes back."""

    enabled: bool = field(default=True, metadata=key("Keep vectors of texts that left the index."))
    max_entries: int | None = field(
        default=None, metadata=key("Most kept vectors; unset: no limit.", low=1)
    )


class Multimodal(Section):
    """Pictures and sound below extraPaths."""

    enabled: bool = field(default=False, metadata=key("Index media files in extraPaths."))
    modalities: tuple[Literal["image", "audio", "all"], ...] = field(
        default=(), metadata=key("Which kinds; empty is all.")
    )
    max_file_bytes: int = field(default=10_485_760, metadata=key("Largest media file.", low=1))


class Experimental(Section):
    """Keys that the original calls experimental."""

    session_memory: bool = field(default=False, metadata=key("Index transcripts."))


class ExtraCollection(Section):
    """One more folder for QMD."""

    path: str
    name: str | None = None
    pattern: str | None = None


class QmdExtras(Section):
    """QMD folders of one agent."""

    extra_collections: tuple[ExtraCollection, ...] = field(
        default=(),
        metadata=key(
            "More folders for QMD: {path, name, pattern}.",
            expects="a list of folders {path, name, pattern}",
        ),
    )


class MemorySearch(Section):
    """All keys of ``memorySearch`` for one agent, mended, normalised and complete."""

    enabled: bool = field(default=True, metadata=key("Memory search as a whole."))
    provider: str = field(
        default="auto", metadata=key("Embedding provider; none is keywords only.")
    )
    model: str = field(
        default="", metadata=key("Embedding model; empty is the provider's own choice.")
    )
    fallback: str = field(default="none", metadata=key("Provider to use when the first one fails."))
    input_type: str | None = field(
        default=None, metadata=key("input_type for queries and documents.")
    )
    query_input_type: str | None = field(default=None, metadata=key("input_type for queries."))
    document_input_type: str | None = field(default=None, metadata=key("input_type for documents."))
    output_dimensionality: int | None = field(
        default=None, metadata=key("Length of the vectors; unset: the model's own.", low=1)
    )
    sources: tuple[Literal["memory", "sessions"], ...] = field(
        default=("memory",),
        metadata=key("What is searched; sessions needs experimental.sessionMemory."),
    )
    extra_paths: tuple[str, ...] = field(
        default=(), metadata=key("More files and folders of Markdown.")
    )
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
