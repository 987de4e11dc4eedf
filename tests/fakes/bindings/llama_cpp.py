"""A stand-in for llama-cpp-python that prints, aborts, hangs and lies when a text says so.

It embeds by counting letters, so that texts have different vectors. The model's folder tells
it more: a file ``mood`` holds a word that counts as part of every text, and what it sees of
the environment is written to ``environment``. A file ``calm`` ends all hanging of later texts.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

LLAMA_POOLING_TYPE_MEAN = 1
__version__ = "0.0.fake"


class Llama:
    """Takes what the real one takes."""

    def __init__(self, model_path: str, **options: Any) -> None:
        self._folder = Path(model_path).parent
        self._window = options["n_ctx"]
        (self._folder / "environment").write_text("\n".join(sorted(os.environ)), "utf-8")
        (self._folder / "options").write_text(repr(sorted(options.items())), "utf-8")
        os.write(1, b"a library that prints on standard output\n")
        mood = self._mood()
        if "REFUSE" in mood:
            raise ValueError("unknown model architecture: 'abacus'")
        if "DIE" in mood:
            sys.stderr.write("ggml_abort: out of ideas\n")
            sys.stderr.flush()
            os.abort()

    def tokenize(self, text: bytes) -> list[int]:
        """A token a word and two around them."""
        return [1, *(len(word) for word in text.decode("utf-8").split()), 2]

    def embed(self, text: str, normalize: bool, truncate: bool) -> list[float]:
        """A vector of 26 letter counts and a constant."""
        assert normalize and not truncate
        self._act(text + self._mood())
        if len(self.tokenize(text.encode())) > self._window:
            os.abort()  # as the real one does
        if "NAN" in text:
            return [float("nan")] * 27
        if "NOTHING" in text:
            return [0.0] * 27
        return [float(text.lower().count(chr(97 + letter))) for letter in range(26)] + [1.0]

    def _act(self, text: str) -> None:
        if "ABORT" in text:
            sys.stderr.write("GGML_ASSERT(n_tokens > 0) failed\n")
            sys.stderr.flush()
            os.abort()
        if "HANG" in text and not (self._folder / "calm").exists():
            (self._folder / "hanging").touch()
            while True:
                time.sleep(0.01)
        if "CHATTY" in text:
            print("a print in the middle of an answer", flush=True)
        if "RAISE" in text:
            raise RuntimeError("llama_decode returned -1")

    def _mood(self) -> str:
        file = self._folder / "mood"
        return file.read_text("utf-8") if file.exists() else ""
