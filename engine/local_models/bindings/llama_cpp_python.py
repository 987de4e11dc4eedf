"""The binding ``llama-cpp-python``: the known name, compiled on the person's machine.

It must never get more tokens than its context holds: it would cut them in silence, or end
the whole process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.local_models.bindings.binding import BindingError, LoadOrder


class LlamaCppBinding:
    """One model, used by one thread."""

    name = "llama-cpp-python"

    def __init__(self, order: LoadOrder) -> None:
        import llama_cpp

        self.version = str(getattr(llama_cpp, "__version__", ""))
        pooling = {"pooling_type": llama_cpp.LLAMA_POOLING_TYPE_MEAN} if order.pool else {}
        try:
            self._model: Any = llama_cpp.Llama(
                str(order.model),
                embedding=True,
                n_ctx=order.window,
                n_batch=order.window,
                n_ubatch=order.window,
                n_threads=order.threads,
                n_threads_batch=order.threads,
                verbose=False,
                **pooling,
            )
        except (ValueError, RuntimeError) as error:
            raise BindingError(str(error)) from error

    def count(self, text: str) -> int:
        """By the model's own tokenizer."""
        try:
            return len(self._model.tokenize(text.encode("utf-8")))
        except RuntimeError as error:
            raise BindingError(str(error)) from error

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One text after another: lists failed in several releases (its issue 2051)."""
        try:
            return [self._model.embed(text, normalize=True, truncate=False) for text in texts]
        except (RuntimeError, ValueError) as error:
            raise BindingError(str(error)) from error
