"""A real GGUF through a real library, in its process: the prebuilt binding, as CI installs it.

The vectors of the other binding, llama-cpp-python 0.3.36, were written down once, because
it compiles for minutes.
"""

from __future__ import annotations

import json
import os
import re
import urllib.error
import urllib.request
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.clock import SystemClock
from engine.local_models.model_runner import ModelRunner
from engine.net.messages import never
from tests.shared import shared

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "local_models"
SECONDS = 300.0


@pytest.fixture(scope="module")
def model() -> Path:
    return shared("models", "all-MiniLM-L6-v2-Q8_0.gguf")


@pytest.fixture(scope="module")
def runner() -> Iterator[ModelRunner]:
    made = ModelRunner(4096, os.environ, SystemClock(), binding="xllamacpp", threads=1)
    yield made
    made.close()


def rows(runner: ModelRunner, model: Path, *texts: str) -> Any:
    answer = runner.embed(model, texts, SECONDS, never)
    assert answer.reasons == {}
    return np.stack([vector for vector in answer.vectors if vector is not None])


def ten_texts() -> list[str]:
    texts: list[str] = json.loads((GOLDEN / "ten_texts.json").read_text("utf-8"))
    return texts


def test_the_other_binding_gives_the_same_vectors(runner: ModelRunner, model: Path) -> None:
    other = json.loads((GOLDEN / "llama_cpp_python.json").read_text("utf-8"))
    theirs = np.stack([np.frombuffer(b64decode(v), "<f4") for v in other["vectors"]])
    texts = ten_texts()
    ours = rows(runner, model, *texts)
    assert (ours * theirs).sum(axis=1).min() > 0.999
    assert len(texts[-1]) > 8000  # far more than the 512 tokens of the model
    assert runner.embed(model, texts, SECONDS, never).tokens == other["tokens"]


def test_vectors_have_length_one_and_do_not_depend_on_company(
    runner: ModelRunner, model: Path
) -> None:
    texts = ten_texts()[:9]
    together = rows(runner, model, *texts)
    alone = np.vstack([rows(runner, model, text) for text in texts])
    assert together.dtype == np.float32
    assert together.shape == (9, 384)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_array_equal(together, rows(runner, model, *texts))


def test_meaning_counts(runner: ModelRunner, model: Path) -> None:
    query, right, wrong = rows(
        runner,
        model,
        "Which port does the service listen on?",
        "The gateway is reachable on 18789.",
        "Anna likes green tea.",
    )
    assert query @ right > query @ wrong


def test_the_edge_of_the_context(runner: ModelRunner, model: Path) -> None:
    for words in (510, 511):
        assert rows(runner, model, "a " * words).shape == (1, 384)
    state = runner.state
    assert (state.window, state.dimensions) == (512, 384)
    assert (state.binding or "").startswith("xllamacpp ")


def test_odd_texts_neither_end_the_process_nor_spoil_others(
    runner: ModelRunner, model: Path
) -> None:
    odd = ["half \ud83d a character", "[CLS] [SEP] <s></s>", "\u0000x", "\ufeff", "🤖" * 700, " "]
    before = runner.state.pid
    answer = runner.embed(model, [*odd, "a plain one"], SECONDS, never)
    assert answer.vectors[-1] is not None
    assert all(answer.vectors[at] is not None or answer.reasons[at] for at in range(len(odd)))
    assert before is None or runner.state.pid == before


def test_the_port_of_the_library_is_closed_to_others(runner: ModelRunner, model: Path) -> None:
    rows(runner, model, "one")
    ports = listening_ports(runner.state.pid or 0)
    assert ports
    for port in ports:
        for path in ("/tokenize", "/embeddings", "/completion"):
            with pytest.raises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(
                    f"http://127.0.0.1:{port}{path}", data=b'{"content": "x"}', timeout=30
                )
            assert caught.value.code == 401
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30)
        assert caught.value.code == 404  # no web page


def listening_ports(pid: int) -> set[int]:
    """TCP ports on the loopback address that a process listens on (Linux)."""
    links = (str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir())
    sockets = {m[1] for link in links if (m := re.fullmatch(r"socket:\[(\d+)\]", link))}
    lines = Path(f"/proc/{pid}/net/tcp").read_text("ascii").splitlines()[1:]
    fields = [line.split() for line in lines]
    return {int(f[1].partition(":")[2], 16) for f in fields if f[3] == "0A" and f[9] in sockets}
