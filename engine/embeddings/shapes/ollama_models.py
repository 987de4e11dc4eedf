"""What Ollama's model names say: where a model runs, and what its queries begin with."""

from __future__ import annotations

from engine.embeddings.contract import ProviderLimits

_QUERY_PREFIXES = (
    ("nomic-embed-text", "search_query: "),
    (
        "qwen3-embedding",
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\n"
        "Query:",
    ),
    ("mxbai-embed-large", "Represent this sentence for searching relevant passages: "),
)
"""As the model cards give them. Documents stay bare, as with the agent."""

_AT_ONCE = 64
_AT_ONCE_BYTES = 131_072
"""The server works on all texts of a request side by side; a machine at home has its limits."""


def query_prefix(model: str) -> str:
    """What goes before a query; empty for a model that wants nothing."""
    family = _family(model)
    return next((prefix for name, prefix in _QUERY_PREFIXES if family.startswith(name)), "")


def runs_in_the_cloud(model: str) -> bool:
    """True for a model that the server passes on to Ollama's own machines."""
    tag = model.partition(":")[2]
    return tag == "cloud" or tag.endswith("-cloud") or _family(model).endswith("-cloud")


def ollama_remark(model: str) -> str:
    """What a person should know about a model."""
    remarks = []
    if runs_in_the_cloud(model):
        remarks.append(f"{model} runs on Ollama's own machines: texts leave this one.")
    if prefix := query_prefix(model):
        shown = prefix if len(prefix) < 20 else f"{prefix[:16].rstrip()}…"
        remarks.append(f"Queries begin with {shown!r}, as {_family(model)} wants.")
    return " ".join(remarks)


def ollama_limits(model: str) -> ProviderLimits:
    """The context is the model's own and is refused beyond, so only the request is bounded."""
    return ProviderLimits(_AT_ONCE, _AT_ONCE_BYTES, 8192)


def _family(model: str) -> str:
    """The name without its publisher and its tag."""
    return model.rpartition("/")[2].partition(":")[0].lower()
