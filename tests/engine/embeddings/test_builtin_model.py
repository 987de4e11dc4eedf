"""The built-in model gives the published vectors, bit for bit."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.embeddings.builtin as package
from engine.embeddings.builtin.provider import LIFT, MODEL_SHA256
from engine.embeddings.builtin.safetensors import read_safetensors
from engine.embeddings.builtin.static_model import StaticModel

FOLDER = Path(package.__file__).parent
GOLDEN = json.loads((FOLDER / "golden.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def model() -> StaticModel:
    return StaticModel.load(FOLDER)


@pytest.fixture(scope="module")
def reference() -> Any:
    """The runtime that the model was published with: the first part of its maker script."""
    spec = importlib.util.spec_from_file_location("distil_static", FOLDER / "distil_static.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.StaticModel(FOLDER)


@pytest.mark.parametrize("golden", GOLDEN, ids=[g["text"][:20] for g in GOLDEN])
def test_golden_sums(model: StaticModel, golden: dict[str, Any]) -> None:
    text = golden["text"]
    assert len(model.tokenizer.packed_ids(text)) == 4 * golden["tokens"]
    sums = model.sums(text)
    assert hashlib.sha256(sums.astype("<i8").tobytes()).hexdigest() == golden["sum_sha256"]
    vector = model.embed(text)
    if not golden["tokens"]:
        assert vector is None
        return
    assert vector is not None
    assert [round(float(v), 5) for v in vector[:4]] == golden["first"]
    assert math.isclose(float(np.linalg.norm(vector)), 1.0, rel_tol=1e-6)


def test_fingerprint_constants_are_those_of_the_packaged_files(model: StaticModel) -> None:
    digest = hashlib.sha256((FOLDER / "model.safetensors").read_bytes()).hexdigest()
    assert digest == MODEL_SHA256
    assert model.lift == LIFT


def test_unrelated_texts_have_the_lift_as_cosine_and_related_ones_more(model: StaticModel) -> None:
    router = model.embed("The router lost its settings after the power cut")
    same = model.embed("network gateway configuration vanished when electricity failed")
    other = model.embed("She baked bread with her grandmother on Sunday")
    assert router is not None
    assert same is not None
    assert other is not None
    assert float(router @ same) > float(router @ other) + 0.05
    assert abs(float(router @ other) - LIFT) < 0.1


def test_repeats_count_as_the_floor_of_sixty_four_roots(model: StaticModel) -> None:
    once = model.sums("router")
    for n in (2, 3, 63, 64, 65, 4095, 10_000):
        assert np.array_equal(model.sums("router " * n) * 64, once * math.isqrt(4096 * n))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_has_the_vector_of_the_published_runtime(
    model: StaticModel, reference: Any, text: str
) -> None:
    ours = model.embed(text)
    theirs = reference.embed([text])[0]
    if ours is None:
        assert not theirs.any()
    else:
        assert ours.dtype == np.float32
        assert ours.tobytes() == theirs.tobytes()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ((1 << 40).to_bytes(8, "little"), "longer than the file"),
        ((2).to_bytes(8, "little") + b"[]", "no object"),
    ],
)
def test_a_damaged_weights_file_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=words):
        read_safetensors(path)


def test_an_unknown_tensor_type_is_refused(tmp_path: Path) -> None:
    header = json.dumps({"t": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}}).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"\0\0")
    with pytest.raises(ValueError, match="BF16"):
        read_safetensors(path)
