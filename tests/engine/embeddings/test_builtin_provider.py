"""The built-in provider behind the contract."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.embeddings.builtin.provider import MODEL_SHA256, BuiltinProvider
from engine.errors import CancelledError, ProviderError


def test_documents_come_back_in_order_and_wordless_ones_are_refused() -> None:
    provider = BuiltinProvider()
    batch = provider.embed_documents(["router", "", "bread", "\U0001f9ff"], lambda: False)
    assert [v is not None for v in batch.vectors] == [True, False, True, False]
    assert [r.index for r in batch.refusals] == [1, 3]
    assert "no word" in batch.refusals[0].reason
    assert batch.requests == 0
    query = provider.embed_query("bread")
    stored = batch.vectors[2]
    assert query is not None
    assert stored is not None
    assert np.array_equal(query, stored)


def test_a_query_without_known_words_has_no_vector() -> None:
    assert BuiltinProvider().embed_query("\U0001f9ff") is None


def test_identity_names_the_model_file_and_the_rules() -> None:
    provider = BuiltinProvider()
    identity = provider.identity
    assert (identity.provider, identity.dimensions) == ("builtin", 256)
    assert MODEL_SHA256 in identity.endpoint
    assert "lift:0.35" in identity.endpoint
    assert provider.vector_floor == 0.35
    assert provider.remote is False


def test_cancelling_stops_before_any_text() -> None:
    with pytest.raises(CancelledError):
        BuiltinProvider().embed_documents(["router"], lambda: True)


def test_missing_model_files_are_a_sentence_with_a_remedy(tmp_path: Path) -> None:
    provider = BuiltinProvider(tmp_path)
    with pytest.raises(ProviderError) as caught:
        provider.embed_query("router")
    assert "built-in model" in caught.value.title
    assert "Install memlens again" in caught.value.hint


def test_import_needs_neither_numpy_nor_the_model() -> None:
    code = (
        "import sys; from engine.embeddings.builtin.provider import BuiltinProvider;"
        "BuiltinProvider().identity.key();"
        "sys.exit(bool({'numpy', 'httpx', 'pydantic'} & set(sys.modules)))"
    )
    root = Path(__file__).resolve().parents[3]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
