"""What Gemini can be told that a text is for, and how the models of embedding 2 are told."""

from __future__ import annotations

from collections.abc import Mapping

from engine.embeddings.remote.wire import Purpose

QUERY, DOCUMENT = "RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT"

_SEARCHES: Mapping[str, str] = {
    QUERY: "search result",
    "QUESTION_ANSWERING": "question answering",
    "FACT_VERIFICATION": "fact checking",
    "CODE_RETRIEVAL_QUERY": "code retrieval",
}
"""Tasks of a query whose documents are plain documents."""

_SYMMETRIC: Mapping[str, str] = {
    "SEMANTIC_SIMILARITY": "sentence similarity",
    "CLASSIFICATION": "classification",
    "CLUSTERING": "clustering",
}
"""Tasks in which both sides are worded alike."""

TASKS = (DOCUMENT, *_SEARCHES, *_SYMMETRIC)


def takes_prefix(model: str) -> bool:
    """True for the models that want the task in words: embedding 2, but not its preview."""
    return model.startswith("gemini-embedding-2") and "preview" not in model


def prefix(task: str, purpose: Purpose) -> str:
    """The words before a text, with the space that ends them."""
    if task in _SYMMETRIC:
        return f"task: {_SYMMETRIC[task]} | query: "
    if purpose == "document":
        return "title: none | text: "
    return f"task: {_SEARCHES.get(task, _SEARCHES[QUERY])} | query: "
