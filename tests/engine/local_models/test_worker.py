"""The process of a local model: faults, cancel, time-outs, and the end of its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.clock import FixedClock, SystemClock
from engine.errors import CancelledError, EngineError, ProviderError
from engine.local_models.model_runner import ModelRunner
from engine.local_models.worker_lines import Embedded
from engine.local_models.worker_process import WorkerLostError
from engine.net.messages import never
from tests.fakes.local_model import WAIT_S, ModelFolder, gone

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> ModelFolder:
    return ModelFolder(tmp_path / "model")


@pytest.fixture
def runner(folder: ModelFolder) -> Iterator[ModelRunner]:
    made = ModelRunner(64, folder.environ, SystemClock(), binding="llama-cpp-python")
    yield made
    made.close()


def ask(runner: ModelRunner, folder: ModelFolder, *texts: str) -> Embedded:
    return runner.embed(folder.model, texts, WAIT_S, never)


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < until


class Asking(threading.Thread):
    """A call on a thread of its own, with its failure."""

    def __init__(self, runner: ModelRunner, folder: ModelFolder, text: str) -> None:
        super().__init__()
        self.stop = threading.Event()
        self.answer: Embedded | None = None
        self.error: EngineError | None = None
        self._call = (runner, folder, text)
        self.start()

    def run(self) -> None:
        runner, folder, text = self._call
        try:
            self.answer = runner.embed(folder.model, [text], WAIT_S, self.stop.is_set)
        except EngineError as error:
            self.error = error

    def finished(self) -> Asking:
        self.join(WAIT_S)
        assert not self.is_alive()
        return self


def test_the_state_tells_what_runs(runner: ModelRunner, folder: ModelFolder) -> None:
    assert runner.state.phase == "stopped"
    ask(runner, folder, "one")
    state = runner.state
    assert (state.phase, state.dimensions, state.window) == ("ready", 27, 64)
    assert state.binding == "llama-cpp-python 0.0.fake"
    assert state.pid is not None and not gone(state.pid)
    runner.close()
    assert gone(state.pid)


def test_prints_of_the_library_disturb_nothing(runner: ModelRunner, folder: ModelFolder) -> None:
    answer = ask(runner, folder, "CHATTY text", "another")
    assert all(vector is not None for vector in answer.vectors)


def test_no_key_reaches_the_process(runner: ModelRunner, folder: ModelFolder) -> None:
    ask(runner, folder, "one")
    seen = folder.written("environment").split()
    assert "PATH" in seen
    assert not {"OPENAI_API_KEY", "HF_TOKEN"} & set(seen)


def test_nothing_over_the_window_reaches_the_library(
    runner: ModelRunner, folder: ModelFolder
) -> None:
    answer = ask(runner, folder, "word " * 1000, "short one", "w" * 5000)
    assert all(vector is not None for vector in answer.vectors)
    assert answer.tokens > 1000


def test_the_window_is_the_smaller_of_setting_and_model(tmp_path: Path) -> None:
    for setting, expected in ((4096, 512), (None, 512), (100, 100), (1, 32)):
        folder = ModelFolder(tmp_path / str(setting))
        runner = ModelRunner(setting, folder.environ, SystemClock(), binding="llama-cpp-python")
        ask(runner, folder, "one")
        assert runner.state.window == expected
        runner.close()


def test_a_model_without_pooling_gets_the_mean(tmp_path: Path) -> None:
    for pooling, named in ((0, True), (1, False)):
        folder = ModelFolder(tmp_path / str(pooling), **{"bert.pooling_type": pooling})
        runner = ModelRunner(64, folder.environ, SystemClock(), binding="llama-cpp-python")
        ask(runner, folder, "one")
        assert ("pooling_type" in folder.written("options")) is named
        runner.close()


def test_unusable_vectors_come_with_a_reason(runner: ModelRunner, folder: ModelFolder) -> None:
    answer = ask(runner, folder, "fine", "NAN", "RAISE")
    assert [vector is None for vector in answer.vectors] == [False, True, True]
    assert "no usable vector" in answer.reasons[1]
    assert "llama_decode returned -1" in answer.reasons[2]


def test_an_abort_is_told_with_the_last_words(runner: ModelRunner, folder: ModelFolder) -> None:
    with pytest.raises(WorkerLostError, match=r"SIGABRT.*GGML_ASSERT") as caught:
        ask(runner, folder, "ABORT")
    assert caught.value.hint
    assert runner.state.phase == "failed"
    assert "GGML_ASSERT" in (runner.state.error or "")
    assert ask(runner, folder, "again").vectors[0] is not None


def test_a_kill_in_the_middle(runner: ModelRunner, folder: ModelFolder) -> None:
    asking = Asking(runner, folder, "HANG")
    folder.wait_until_it_hangs(asking.is_alive)
    first = runner.state.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert isinstance(asking.finished().error, WorkerLostError)
    assert "SIGKILL" in asking.error.message if asking.error else False
    assert ask(runner, folder, "again").vectors[0] is not None
    assert runner.state.pid != first


def test_a_kill_between_two_calls_is_not_even_noticed(
    runner: ModelRunner, folder: ModelFolder
) -> None:
    ask(runner, folder, "one")
    pid = runner.state.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: runner.state.phase == "stopped")
    assert ask(runner, folder, "two").vectors[0] is not None


def test_a_call_that_takes_too_long_is_ended(folder: ModelFolder) -> None:
    clock = FixedClock(0.0)
    runner = ModelRunner(64, folder.environ, clock, binding="llama-cpp-python")
    asking = Asking(runner, folder, "HANG")
    folder.wait_until_it_hangs(asking.is_alive)
    pid = runner.state.pid
    clock.seconds += WAIT_S + 1
    error = asking.finished().error
    assert isinstance(error, ProviderError) and not isinstance(error, WorkerLostError)
    assert "longer than 60 s" in error.message
    assert pid is not None and gone(pid)
    runner.close()


def test_a_process_that_takes_no_input_can_be_cancelled(
    runner: ModelRunner, folder: ModelFolder
) -> None:
    ask(runner, folder, "one")
    pid = runner.state.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    asking = Asking(runner, folder, "x" * 2_000_000)
    asking.stop.set()
    assert isinstance(asking.finished().error, CancelledError)
    assert gone(pid)


def test_a_cancel_ends_the_process(runner: ModelRunner, folder: ModelFolder) -> None:
    asking = Asking(runner, folder, "HANG")
    folder.wait_until_it_hangs(asking.is_alive)
    pid = runner.state.pid
    asking.stop.set()
    assert isinstance(asking.finished().error, CancelledError)
    assert pid is not None and gone(pid)
    assert ask(runner, folder, "again").vectors[0] is not None


def test_closing_ends_a_call(runner: ModelRunner, folder: ModelFolder) -> None:
    asking = Asking(runner, folder, "HANG")
    folder.wait_until_it_hangs(asking.is_alive)
    runner.close()
    assert isinstance(asking.finished().error, ProviderError)
    with pytest.raises(ProviderError, match="closed"):
        ask(runner, folder, "after")


def test_the_process_dies_with_its_parent(folder: ModelFolder) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom tests.fakes.local_model import *\n"
        "from engine.clock import SystemClock\n"
        "from engine.local_models.model_runner import ModelRunner\n"
        "folder = ModelFolder(Path(sys.argv[1]))\n"
        "runner = ModelRunner(64, folder.environ, SystemClock(), binding='llama-cpp-python')\n"
        "runner.embed(folder.model, ['one'], 60.0, lambda: False)\n"
        "print(runner.state.pid, flush=True)\n"
        "runner.embed(folder.model, ['HANG'], 60.0, lambda: False)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(folder.folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    folder.wait_until_it_hangs(lambda: parent.poll() is None)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_for(lambda: gone(pid))


def test_a_model_that_the_library_refuses(runner: ModelRunner, folder: ModelFolder) -> None:
    folder.mood("REFUSE")
    with pytest.raises(ProviderError, match="abacus") as caught:
        ask(runner, folder, "one")
    assert "tiny-Q8_0.gguf" in caught.value.message


def test_a_library_that_dies_while_loading(runner: ModelRunner, folder: ModelFolder) -> None:
    folder.mood("DIE")
    with pytest.raises(ProviderError, match="out of ideas"):
        ask(runner, folder, "one")


def test_keys_typed_do_not_load_a_broken_model_again_and_again(
    runner: ModelRunner, folder: ModelFolder
) -> None:
    folder.mood("REFUSE")
    with pytest.raises(ProviderError):
        runner.embed(folder.model, ["a"], WAIT_S, never, urgent=True)
    folder.mood("")
    with pytest.raises(ProviderError, match="abacus"):
        runner.embed(folder.model, ["ab"], WAIT_S, never, urgent=True)
    assert ask(runner, folder, "an indexing call tries again").vectors[0] is not None
    answer = runner.embed(folder.model, ["abc"], WAIT_S, never, urgent=True)
    assert answer.vectors[0] is not None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no GGUF file"),
        (b"not a model at all", "is no GGUF file"),
        (b"GGUF\x09\x00\x00\x00" + bytes(64), "unknown version"),
    ],
)
def test_a_file_that_is_no_model(
    runner: ModelRunner, folder: ModelFolder, content: bytes, words: str
) -> None:
    folder.model.write_bytes(content)
    with pytest.raises(ProviderError, match=words):
        ask(runner, folder, "one")


def test_a_model_that_is_cut_off(runner: ModelRunner, folder: ModelFolder) -> None:
    folder.model.write_bytes(folder.model.read_bytes()[:-1])
    with pytest.raises(ProviderError, match="is cut off") as caught:
        ask(runner, folder, "one")
    assert "model pull" in caught.value.hint


def test_a_model_that_ranks(tmp_path: Path) -> None:
    folder = ModelFolder(tmp_path / "ranker", **{"bert.pooling_type": 4})
    runner = ModelRunner(64, folder.environ, SystemClock(), binding="llama-cpp-python")
    with pytest.raises(ProviderError, match="ranking"):
        ask(runner, folder, "one")
    runner.close()


def test_a_missing_library_names_the_command(folder: ModelFolder, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "llama_cpp.py").write_text("raise ImportError('libllama.so: not found')\n")
    environ = folder.environ | {"PYTHONPATH": str(broken)}
    runner = ModelRunner(64, environ, SystemClock(), binding="llama-cpp-python")
    with pytest.raises(ProviderError, match="libllama") as caught:
        ask(runner, folder, "one")
    assert "memlens[local-prebuilt]" in caught.value.hint
    runner.close()
