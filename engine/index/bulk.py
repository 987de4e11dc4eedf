"""The parent's side of the indexing process: start it, relay its lines, stop it."""

from __future__ import annotations

import subprocess
import threading
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import IO

from engine.child_process import pipe_of, start_child
from engine.errors import CancelledError, EngineError, SyncError
from engine.events import EventSink, SyncReport
from engine.index.wire import Job, decode_answer, encode_job

_TAIL_LINES = 20
_TAIL_LINE_CHARS = 400
_LINE_CHARS = 1 << 26


class BulkProcess:
    """One job in one child process."""

    def __init__(self, job: Job, environ: Mapping[str, str]) -> None:
        self._job = job
        self._stopped = False
        self._tail: deque[str] = deque(maxlen=_TAIL_LINES)
        self._process = _start(environ)
        self._drain = threading.Thread(
            target=self._keep_tail, args=(pipe_of(self._process.stderr),), daemon=True
        )

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def run(self, emit: EventSink) -> SyncReport:
        """Wait for the job; events are emitted on this thread. Raises what ended it.

        That is the child's own error, CancelledError after ``stop``, or SyncError with its
        last words when it died.
        """
        self._drain.start()
        answer: SyncReport | EngineError | None = None
        try:
            self._send_job()
            answer = self._relay(emit)
        finally:
            self._close_stdin()
            if answer is None:
                self.kill()
            code = self._process.wait()
            self._drain.join()
            pipe_of(self._process.stdout).close()
        if isinstance(answer, SyncReport):
            return answer
        raise answer or (CancelledError("The sync") if self._stopped else self._died(code))

    def stop(self) -> None:
        """Ask the child to abandon its work; from any thread."""
        self._stopped = True
        self._close_stdin()

    def _close_stdin(self) -> None:
        with suppress(OSError):
            pipe_of(self._process.stdin).close()

    def kill(self) -> None:
        """End the child at once; what it built is swept at the next start."""
        self._process.kill()

    def _send_job(self) -> None:
        stdin = pipe_of(self._process.stdin)
        # It may have died at once (its last words say why) or been stopped.
        with suppress(BrokenPipeError, ValueError):
            stdin.write(encode_job(self._job) + "\n")
            stdin.flush()

    def _relay(self, emit: EventSink) -> SyncReport | EngineError | None:
        stdout = pipe_of(self._process.stdout)
        while line := stdout.readline(_LINE_CHARS):
            try:
                answer = decode_answer(line)
            except ValueError:
                self._tail.append(line.rstrip()[:_TAIL_LINE_CHARS])
                continue
            if isinstance(answer, SyncReport | EngineError):
                return answer
            emit(answer)
        return None

    def _keep_tail(self, stderr: IO[str]) -> None:
        while line := stderr.readline(_TAIL_LINE_CHARS):
            if line.strip():
                self._tail.append(line.rstrip())
        stderr.close()

    def _died(self, code: int) -> SyncError:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        words = f" Its last words: {self._tail[-1].strip()}" if self._tail else ""
        return SyncError(
            "Indexing stopped",
            f"The indexing process {how} before it was done.{words}",
            "The last index still answers. Sync again; what was embedded is kept.",
        )


def _start(environ: Mapping[str, str]) -> subprocess.Popen[str]:
    try:
        return start_child("engine.index.worker", environ)
    except OSError as error:
        raise SyncError(
            "Indexing did not start",
            f"The indexing process could not be started: {error.strerror}.",
            "Close other programs or check the Python installation, then sync again.",
        ) from error
