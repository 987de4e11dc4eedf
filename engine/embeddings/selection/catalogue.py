"""The provider ids that configurations may name; a new adapter is one entry here.

The other half of it is one line in ``engine.embeddings.adapters``.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.embeddings.remote.limits import gemini_limits, mistral_limits, voyage_limits
from engine.embeddings.selection.known_provider import KnownProvider
from engine.embeddings.selection.spellings import gemini_address, lmstudio_address, ollama_address
from engine.embeddings.shapes.bedrock.models import bedrock_limits, model_problem
from engine.embeddings.shapes.gemini_tasks import DOCUMENT, QUERY, TASKS
from engine.embeddings.shapes.ollama_models import (
    ollama_limits,
    ollama_remark,
    runs_in_the_cloud,
)
from engine.embeddings.ways_in import aws_keys
from engine.embeddings.ways_in.aws_region import bedrock_home, host_region
from engine.embeddings.ways_in.copilot_hosts import GITHUB_API, OWN_HOSTS, github_api_address
from engine.embeddings.ways_in.copilot_models import PREFERRED

_SLOW_QUERY_S, _SLOW_INDEX_S = 300.0, 600.0
"""For servers on a person's own machine."""

OPENAI = KnownProvider(
    "openai",
    adapter="openai",
    default_model="text-embedding-3-small",
    base_url="https://api.openai.com/v1",
    auth_id="openai",
    variables=("OPENAI_API_KEY",),
    prefixes=("openai/",),
    prefix_elsewhere=True,
    input_types=None,
    strict_home=True,
    base64=True,
)
COMPATIBLE = KnownProvider(
    "openai-compatible",
    adapter="openai",
    key="optional",
    apis=("", "openai-completions", "openai-responses", "openai"),
    input_types=None,
)
"""Any server that speaks like OpenAI; takes no key that was meant for OpenAI."""
GEMINI = KnownProvider(
    "gemini",
    adapter="gemini",
    default_model="gemini-embedding-001",
    base_url="https://generativelanguage.googleapis.com/v1beta",
    auth_id="google",
    variables=("GEMINI_API_KEY",),
    later_variables=("GOOGLE_API_KEY",),
    key_header="x-goog-api-key",
    apis=("google-generative-ai", "google"),
    prefixes=("models/", "google/"),
    query_input_type=QUERY,
    document_input_type=DOCUMENT,
    input_types=TASKS,
    mended=gemini_address,
    limits=gemini_limits,
)
VOYAGE = KnownProvider(
    "voyage",
    adapter="voyage",
    default_model="voyage-4-large",
    base_url="https://api.voyageai.com/v1",
    auth_id="voyage",
    variables=("VOYAGE_API_KEY",),
    prefixes=("voyage/",),
    query_input_type="query",
    document_input_type="document",
    input_types=("query", "document"),
    base64=True,
    limits=voyage_limits,
)
MISTRAL = KnownProvider(
    "mistral",
    adapter="mistral",
    default_model="mistral-embed",
    base_url="https://api.mistral.ai/v1",
    auth_id="mistral",
    variables=("MISTRAL_API_KEY",),
    prefixes=("mistral/",),
    limits=mistral_limits,
)
DEEPINFRA = KnownProvider(
    "deepinfra",
    adapter="openai",
    default_model="BAAI/bge-m3",
    base_url="https://api.deepinfra.com/v1/openai",
    auth_id="deepinfra",
    variables=("DEEPINFRA_API_KEY",),
    prefixes=("deepinfra/",),
)
OLLAMA = KnownProvider(
    "ollama",
    adapter="ollama",
    default_model="nomic-embed-text",
    base_url="http://127.0.0.1:11434",
    auth_id="ollama",
    variables=("OLLAMA_API_KEY",),
    key="optional",
    prefixes=("ollama/",),
    limits=ollama_limits,
    concurrency=1,
    query_seconds=_SLOW_QUERY_S,
    index_seconds=_SLOW_INDEX_S,
    mended=ollama_address,
    passes_on=runs_in_the_cloud,
    remark=ollama_remark,
)
LMSTUDIO = KnownProvider(
    "lmstudio",
    adapter="lmstudio",
    default_model="text-embedding-nomic-embed-text-v1.5",
    base_url="http://localhost:1234/v1",
    auth_id="lmstudio",
    key="optional",
    prefixes=("lmstudio/",),
    query_seconds=_SLOW_QUERY_S,
    index_seconds=_SLOW_INDEX_S,
    mended=lmstudio_address,
)
COPILOT = KnownProvider(
    "github-copilot",
    adapter="github-copilot",
    default_model=PREFERRED[0],
    base_url=GITHUB_API,
    hosts=OWN_HOSTS,
    auth_id="github-copilot",
    variables=("COPILOT_GITHUB_TOKEN",),
    era_variables={"2026.7": ("GH_TOKEN", "GITHUB_TOKEN")},
    prefixes=("github-copilot/",),
    mended=github_api_address,
    remark=lambda model: "GitHub does not document this service; your plan's terms apply.",
)
"""Its own address is GitHub's API, which names the one of Copilot."""
BEDROCK = KnownProvider(
    "bedrock",
    adapter="bedrock",
    default_model="amazon.titan-embed-text-v2:0",
    own_host=lambda host: host_region(host) is not None,
    auth_id="bedrock",
    variables=("AWS_BEARER_TOKEN_BEDROCK",),
    passed_on=aws_keys.VARIABLES,
    key="own",
    apis=("bedrock-converse-stream",),
    prefixes=("bedrock/", "amazon-bedrock/"),
    limits=bedrock_limits,
    home=bedrock_home,
    proof=aws_keys.keys_place,
    unfit=model_problem,
)
LOCAL = "local"
LOCAL_IDS = frozenset({LOCAL, "llama-cpp"})
"""A model file on this machine, which is no endpoint."""

AUTO_BY_KEY = (OPENAI, GEMINI, VOYAGE, MISTRAL)
"""The order when none is named, after ``local``, which needs a file and no key."""

_NAMED = (DEEPINFRA, OLLAMA, LMSTUDIO, COPILOT, BEDROCK, COMPATIBLE)
KNOWN: Mapping[str, KnownProvider] = {known.id: known for known in (*AUTO_BY_KEY, *_NAMED)}

KEY_VARIABLES = tuple(
    (known.id, variable)
    for known in KNOWN.values()
    for variable in (*known.variables, *known.later_variables)
)
"""Variables that show which providers are at hand, without being a choice."""


def speaking(api: str) -> KnownProvider | None:
    """Whose adapter the ``api`` of a ``models.providers`` entry names; None for no known one."""
    if api in KNOWN and api != OPENAI.id:
        return KNOWN[api]
    return next((known for known in KNOWN.values() if api in known.apis), None)
