"""Reading the head of a model file, whatever the file holds."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.local_models.gguf import GgufError, GgufHead, read_gguf_head
from tests.fakes.gguf_bytes import Value, gguf_bytes
from tests.shared import shared

WHOLE = gguf_bytes(64)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf") / "m.gguf"


def test_what_the_metadata_say(file: Path) -> None:
    more: dict[str, Value] = {
        "a.list": [1, 2, 3],
        "a.flag": True,
        "a.share": 0.5,
        "long": "x" * 9000,
    }
    file.write_bytes(gguf_bytes(64, more))
    assert read_gguf_head(file) == GgufHead("bert", "tiny", 512, 384, 1)


def test_the_real_model() -> None:
    model = shared("models", "all-MiniLM-L6-v2-Q8_0.gguf")
    assert read_gguf_head(model) == GgufHead("bert", "all-MiniLM-L6-v2", 512, 384, 1)


@given(st.integers(min_value=0, max_value=len(WHOLE) - 1))
def test_every_cut_is_noticed(file: Path, length: int) -> None:
    file.write_bytes(WHOLE[:length])
    with pytest.raises(GgufError):
        read_gguf_head(file)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300), st.integers(min_value=0, max_value=len(WHOLE)))
def test_garbage_gives_an_error_or_a_head_and_nothing_else(
    file: Path, garbage: bytes, keep: int
) -> None:
    file.write_bytes(WHOLE[:keep] + garbage)
    try:
        assert isinstance(read_gguf_head(file), GgufHead)
    except GgufError as error:
        assert str(error)


def test_counts_that_no_file_can_hold(file: Path) -> None:
    file.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 1 << 60, 1 << 60) + bytes(100))
    with pytest.raises(GgufError):
        read_gguf_head(file)
