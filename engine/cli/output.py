"""How the command line speaks: data on stdout, messages on stderr, one JSON document."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from engine.errors import EngineError, SearchUnavailableError
from engine.untrusted import visible

EXIT_DONE = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_UNAVAILABLE = 3


def camel(name: str) -> str:
    """``store_path`` as ``storePath``; a trailing underscore is dropped."""
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(word.capitalize() for word in rest)


def plain(value: Any) -> Any:
    """Dataclasses, paths and tuples as what JSON knows, names in camelCase."""
    if is_dataclass(value) and not isinstance(value, type):
        return {camel(f.name): plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def print_json(document: Any) -> None:
    """One JSON document. ASCII-escaped when a text cannot be encoded (half a character)."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2, allow_nan=False)
    write(text + "\n", raw=True)


def write(text: str, *, raw: bool = False) -> None:
    """Write to stdout in UTF-8; a terminal gets no control characters from data."""
    if sys.stdout.isatty() and not raw:
        text = visible(text)
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.flush()


def print_lines(lines: Iterable[str]) -> None:
    """Lines of human-readable data on stdout."""
    write("".join(f"{line}\n" for line in lines))


def say(text: str) -> None:
    """A message on stderr, made safe for a terminal."""
    sys.stderr.write(visible(text) + "\n")
    sys.stderr.flush()


def fail(error: EngineError, *, as_json: bool) -> int:
    """Report a failure in the form asked for; returns the exit code."""
    if as_json:
        problem = {"type": error.kind, "message": error.message, "hint": error.hint}
        print_json({"ok": False, "error": problem})
    else:
        say(f"{error.title}: {error.message}" + (f"\n{error.hint}" if error.hint else ""))
    return EXIT_UNAVAILABLE if isinstance(error, SearchUnavailableError) else EXIT_FAILED
