"""Distributions laid out as an installer leaves them: modules, metadata, entry points."""

from __future__ import annotations

from pathlib import Path

VECTORS = """
import math

def vector(text, purpose):
    counts = [0.0] * 16
    for word in text.lower().split():
        counts[sum(word.encode()) % 15] += 1.0
    counts[15] = {"query": 0.25, "document": 0.0}[purpose]
    return [3.0 * count for count in counts]

class Embedder:
    def __init__(self, request):
        self.request = request
        self.calls = []
        self.closed = False
    def embed(self, texts, purpose):
        self.calls.append((list(texts), purpose))
        return [vector(text, purpose) for text in texts]
    def close(self):
        self.closed = True
"""


def install(
    site: Path,
    distribution: str,
    code: str,
    *,
    id: str = "acme",
    target: str = "Provider",
    version: str = "1.2.0",
) -> str:
    """Lay a distribution out below ``site``; returns the name of its module."""
    module = distribution.replace("-", "_")
    site.mkdir(parents=True, exist_ok=True)
    (site / f"{module}.py").write_text(VECTORS + code, "utf-8")
    info = site / f"{module}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n", "utf-8"
    )
    (info / "entry_points.txt").write_text(
        f"[memlens.embedding_providers]\n{id} = {module}:{target}\n", "utf-8"
    )
    (info / "RECORD").write_text(f"{module}.py,,\n", "utf-8")
    return module
