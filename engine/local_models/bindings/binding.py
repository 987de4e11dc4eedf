"""What a library that runs GGUF models has to offer, and which one is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, Protocol

BindingName = Literal["xllamacpp", "llama-cpp-python"]
MODULES: dict[BindingName, str] = {"xllamacpp": "xllamacpp", "llama-cpp-python": "llama_cpp"}
"""In the order of preference: the first one is thread-safe and needs no compiler."""
QUICK_INSTALL = "pip install 'memlens[local-prebuilt]'"
INSTALL = f"Install one with {QUICK_INSTALL}, or with 'memlens[local]', which compiles for minutes."


class BindingError(Exception):
    """The library cannot load the model or refuses a text; a short sentence in its words."""


@dataclass(frozen=True, slots=True)
class LoadOrder:
    """What to load: ``window`` in tokens; ``pool`` is set for models that name no pooling."""

    model: Path
    window: int
    threads: int
    pool: bool


class Binding(Protocol):
    """A loaded model."""

    name: str
    version: str

    def count(self, text: str) -> int:
        """The tokens of a text, with the marks that the model puts around it."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text, none of them longer than the window. Raises BindingError."""
        ...


def installed_binding() -> BindingName | None:
    """The library that would be used, without importing it; None when there is none."""
    return next((name for name, module in MODULES.items() if find_spec(module)), None)


def load_binding(name: BindingName | None, order: LoadOrder) -> Binding:
    """Load a model with one library, or with the first that is installed.

    Raises ImportError when it is not installed or cannot be loaded, BindingError when the
    library does not take the model.
    """
    name = name or installed_binding()
    if name == "xllamacpp":
        from engine.local_models.bindings.xllamacpp import XllamacppBinding

        return XllamacppBinding(order)
    if name == "llama-cpp-python":
        from engine.local_models.bindings.llama_cpp_python import LlamaCppBinding

        return LlamaCppBinding(order)
    raise ImportError("no library that runs GGUF models is installed")
