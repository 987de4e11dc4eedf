"""memory_get: a range of a memory file as the agent reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.config.switched_off import switched_off
from engine.errors import PathError
from engine.tools.arguments import Arguments, required_text, whole_number

if TYPE_CHECKING:
    from engine.memory import MemoryEngine
    from engine.sources.reading import MemoryText

REFUSED = "path required"
"""What the originals answer to every path that they do not read."""


def memory_get(
    engine: MemoryEngine, path: str, from_: int | None = None, lines: int | None = None
) -> dict[str, Any]:
    """The text of a range, or the refusal with an empty text; never raises for a path.

    From July on the answer also says which lines it holds and where to read on.
    """
    try:
        text = engine.get(path, from_, lines)
    except PathError as error:
        return {"path": path, "text": "", "disabled": True, "error": _refusal(engine, error)}
    return _bare(text) if engine.config.era.get_lines is None else _ranged(text)


def get_for_agent(engine: MemoryEngine, arguments: Arguments) -> dict[str, Any]:
    """The answer to ``{path, from?, lines?}``. Raises ArgumentError without a path.

    Switched off it says so, and reads nothing.
    """
    path = required_text(arguments, "path")
    off = switched_off(engine.config)
    if off is not None:
        return {"path": path, "text": "", "disabled": True, "error": f"{off.because}. {off.hint}"}
    return memory_get(
        engine, path, whole_number(arguments, "from"), whole_number(arguments, "lines")
    )


def _refusal(engine: MemoryEngine, error: PathError) -> str:
    if engine.config.era.name != "memlens":
        return REFUSED
    return " ".join(part for part in (error.message, error.hint) if part)


def _bare(text: MemoryText) -> dict[str, Any]:
    return {"text": text.text, "path": text.path}


def _ranged(text: MemoryText) -> dict[str, Any]:
    shaped: dict[str, Any] = {
        "text": text.text,
        "path": text.path,
        "from": text.from_,
        "lines": text.lines,
    }
    if text.truncated:
        shaped["truncated"] = True
    if text.next_from is not None:
        shaped["nextFrom"] = text.next_from
    return shaped
