"""The application's side of the process that runs a local model: start it, ask it, end it."""

from __future__ import annotations

import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress

from engine.child_process import pipe_of, start_child
from engine.clock import Clock
from engine.errors import CancelledError, ProviderError
from engine.local_models.bindings.binding import INSTALL
from engine.local_models.worker_lines import (
    Embedded,
    Failed,
    Loaded,
    Start,
    decode_answer,
    encode_start,
    encode_texts,
)
from engine.net.messages import Cancelled
from engine.redaction import redact

_POLL_S = 0.05
_TAIL_LINES = 20
_TAIL_LINE_CHARS = 300
_LINE_CHARS = 1 << 28
_WAIT_S = 5.0


class WorkerLostError(ProviderError):
    """The process ended in the middle of a call; the next call may start another one."""


class WorkerProcess:
    """One process with one model. One thread at a time asks; any thread may ``kill``."""

    def __init__(self, start: Start, environ: Mapping[str, str], clock: Clock) -> None:
        self._start = start
        self._clock = clock
        self._tail: deque[str] = deque(maxlen=_TAIL_LINES)
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._outbox: queue.Queue[str | None] = queue.Queue()
        self._process = _started(environ)
        self._drain = threading.Thread(target=self._keep_tail, daemon=True)
        self._drain.start()
        for task in (self._relay, self._write):
            threading.Thread(target=task, daemon=True).start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """False once the process has ended."""
        return self._process.poll() is None

    def load(self, seconds: float, cancelled: Cancelled) -> Loaded:
        """Have the model loaded and tried with one word; the first call.

        Raises ProviderError (never WorkerLostError: no text is to blame), CancelledError.
        """
        try:
            answer = self._ask(encode_start(self._start), "load it", seconds, cancelled)
        except WorkerLostError as error:
            raise ProviderError(error.title, error.message, error.hint) from None
        if isinstance(answer, Failed):
            raise _refused(answer, self._start.model, self._words())
        if not isinstance(answer, Loaded):
            raise self._lost("answered something that was not asked for")
        return answer

    def embed(self, texts: Sequence[str], seconds: float, cancelled: Cancelled) -> Embedded:
        """Vectors for texts. Raises WorkerLostError, ProviderError, CancelledError.

        After any of them this process is gone.
        """
        answer = self._ask(encode_texts(texts), "embed a text", seconds, cancelled)
        if not isinstance(answer, Embedded) or len(answer.vectors) != len(texts):
            raise self._lost("answered something that was not asked for")
        return answer

    def kill(self) -> None:
        """End the process at once, whatever it does."""
        self._process.kill()
        self._outbox.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_WAIT_S)

    def _ask(
        self, line: str, what: str, seconds: float, cancelled: Cancelled
    ) -> Loaded | Embedded | Failed:
        self._outbox.put(line)
        answer = self._next_line(what, seconds, cancelled)
        try:
            return decode_answer(answer)
        except ValueError:
            raise self._lost("answered something that cannot be understood") from None

    def _next_line(self, what: str, seconds: float, cancelled: Cancelled) -> str:
        deadline = self._clock.monotonic() + seconds
        while True:
            if cancelled():
                self.kill()
                raise CancelledError("Embedding")
            try:
                line = self._lines.get(timeout=_POLL_S)
            except queue.Empty:
                if self._clock.monotonic() > deadline:
                    raise self._too_slow(what, seconds) from None
                continue
            if line is None:
                raise self._lost(self._how_it_ended())
            return line

    def _how_it_ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_WAIT_S)
        code = self._process.poll()
        if code is not None and code < 0:
            return f"was ended by {_signal_name(-code)}"
        return f"ended with code {code}"

    def _lost(self, how: str) -> WorkerLostError:
        self.kill()
        return WorkerLostError(
            "Local model failed",
            f"The process that runs the local model {how}.{self._words()}",
            "It is started anew for the next call. If this goes on, memory may be short, or "
            "the model may not suit the installed llama.cpp.",
        )

    def _too_slow(self, what: str, seconds: float) -> ProviderError:
        self.kill()
        return ProviderError(
            "Local model too slow",
            f"The local model took longer than {seconds:g} s to {what}, so its process was "
            f"ended.{self._words()}",
            "Raise sync.embeddingBatchTimeoutSeconds, or choose a smaller model.",
        )

    def _words(self) -> str:
        """The last thing that the process wrote to its standard error, as a sentence."""
        self._drain.join(_WAIT_S if not self.alive else 0.0)
        words = redact(self._tail[-1].strip()) if self._tail else ""
        return f" Its last words: {words}" if words else ""

    def _write(self) -> None:
        """Hand lines over on a thread of its own: a process that hangs does not take them."""
        stdin = pipe_of(self._process.stdin)
        while (line := self._outbox.get()) is not None:
            # A process that has just died tells its last words to whoever waits for the answer.
            with suppress(OSError):
                stdin.write(line + "\n")
                stdin.flush()
        with suppress(OSError):
            stdin.close()

    def _relay(self) -> None:
        stdout = pipe_of(self._process.stdout)
        while line := stdout.readline(_LINE_CHARS):
            self._lines.put(line)
        self._lines.put(None)
        stdout.close()

    def _keep_tail(self) -> None:
        stderr = pipe_of(self._process.stderr)
        while line := stderr.readline(_TAIL_LINE_CHARS):
            if line.strip():
                self._tail.append(line)
        stderr.close()


def _started(environ: Mapping[str, str]) -> subprocess.Popen[str]:
    try:
        return start_child("engine.local_models.worker", environ)
    except OSError as error:
        raise ProviderError(
            "Local model did not start",
            f"The process for the local model could not be started: {error.strerror}.",
            "Close other programs or check the Python installation, then try again.",
        ) from error


def _refused(failed: Failed, model: str, words: str) -> ProviderError:
    if failed.trouble == "no-binding":
        return ProviderError(
            "No library for local models",
            f"No library that runs GGUF models can be loaded: {failed.message}.",
            INSTALL,
        )
    name = model.replace("\\", "/").rpartition("/")[2]
    said = redact(failed.message).rstrip(".")
    return ProviderError(
        "Local model cannot be loaded",
        f"{name}: the model {said}.{words}"
        if said.startswith("is ")
        else f"{name} was not loaded: {said}.{words}",
        "Name another GGUF file in local.modelPath; a download that broke off is mended by "
        "removing the file and 'memlens model pull'.",
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
