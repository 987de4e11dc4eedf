"""The process that runs a local model: texts come in on standard input, vectors go out.

Started as ``python -P -m engine.local_models.worker``. The libraries print, abort and are not
all thread-safe, so they live here alone: whatever they write goes to standard error, one
thread uses them, and the process ends when its standard input closes.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import traceback
from pathlib import Path
from typing import IO, TYPE_CHECKING

from engine.local_models.bindings.binding import BindingError, LoadOrder, load_binding
from engine.local_models.gguf import GgufError, read_gguf_head
from engine.local_models.windows import windows
from engine.local_models.worker_lines import (
    Embedded,
    Failed,
    Loaded,
    Start,
    decode_start,
    decode_texts,
    encode_embedded,
    encode_failed,
    encode_loaded,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from engine.local_models.bindings.binding import Binding
    from engine.local_models.worker_lines import Vector

    Rows = NDArray[np.float64]

NICENESS = 5
_RANKING = 4
_FEWEST_TOKENS = 32
_TOGETHER = 8
"""Windows that the library gets in one call."""


class Embedder:
    """A loaded model that takes texts of any length."""

    def __init__(self, binding: Binding, window: int) -> None:
        self._binding = binding
        self._window = window

    def embed(self, texts: Sequence[str]) -> Embedded:
        """All texts; one that the library refuses does not spoil the others."""
        vectors: list[Vector | None] = []
        reasons: dict[int, str] = {}
        tokens = 0
        for place, text in enumerate(texts):
            try:
                vector, used = self._one(text)
            except (BindingError, ValueError) as error:
                vector, used = None, 0
                reasons[place] = f"the local model refuses it: {error}"
            vectors.append(vector)
            tokens += used
        return Embedded(tuple(vectors), reasons, tokens)

    def _one(self, text: str) -> tuple[Vector, int]:
        """The normalised mean of the text's windows, each weighed by its tokens."""
        import numpy as np

        parts = windows(text, self._window, self._binding.count)
        rows: list[list[float]] = []
        for first in range(0, len(parts), _TOGETHER):
            rows += self._binding.embed([part for part, _ in parts[first : first + _TOGETHER]])
        sizes = [tokens for _, tokens in parts]
        vectors = np.asarray(rows, dtype=np.float64)
        if vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise BindingError("it gives no usable vector")
        mean = np.asarray(sizes, dtype=np.float64) @ _unit(vectors)
        return _unit(mean[None, :])[0].astype(np.float32), sum(sizes)


def _unit(rows: Rows) -> Rows:
    """Rows of length 1; a row without length stays."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 1e-10, lengths, 1.0)


def load(start: Start) -> tuple[Embedder, Loaded]:
    """Load the model. Raises ImportError, BindingError, GgufError, OSError."""
    model = Path(start.model)
    head = read_gguf_head(model)
    if head.pooling == _RANKING:
        raise GgufError("is a model for ranking, which gives no vectors")
    trained = head.context_length or start.context or 512
    window = max(min(start.context or trained, trained), min(_FEWEST_TOKENS, trained))
    order = LoadOrder(model, window, start.threads, pool=not head.pooling)
    binding = load_binding(start.binding, order)
    embedder = Embedder(binding, window)
    tried = embedder.embed(["ready"])
    vector = tried.vectors[0]
    if vector is None:
        raise BindingError(tried.reasons[0])
    return embedder, Loaded(len(vector), window, binding.name, binding.version)


def serve(lines: queue.Queue[str], out: IO[str]) -> None:
    """Load, then answer line after line until the process is ended."""
    try:
        embedder, loaded = load(decode_start(lines.get()))
    except ImportError as error:
        _say(out, encode_failed(Failed("no-binding", str(error))))
        return
    except (GgufError, BindingError, OSError) as error:
        _say(out, encode_failed(Failed("model", str(error))))
        return
    _say(out, encode_loaded(loaded))
    while True:
        texts = decode_texts(lines.get())
        _say(out, encode_embedded(embedder.embed(texts)))


def _say(out: IO[str], line: str) -> None:
    out.write(line + "\n")
    out.flush()


def _listen(stream: IO[str], lines: queue.Queue[str]) -> None:
    """Pass lines on; the end of the input ends the process, whatever it computes."""
    while line := stream.readline():
        lines.put(line)
    os._exit(0)


def _own_output() -> IO[str]:
    """The real standard output for us alone: prints of libraries go to standard error."""
    ours = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(ours, "w", encoding="utf-8")


def main() -> None:
    """Serve until the application is gone."""
    out = _own_output()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_listen, args=(sys.stdin, lines), daemon=True).start()
    serve(lines, out)


if __name__ == "__main__":
    code = 0
    try:
        main()
    except BaseException:  # told to the application as this process's last words
        traceback.print_exc()
        code = 1
    # The listening thread holds standard input: a normal exit would wait for its lock.
    sys.stderr.flush()
    os._exit(code)
