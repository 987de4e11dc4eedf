"""One configuration file: read without ever raising, with the place of every value."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.config.key_path import KeyPath
from engine.config.resolved import ConfigProblem

if TYPE_CHECKING:
    from engine.config.parsing import Parsed
    from engine.config.positions import Json5Error

MAX_BYTES = 1_000_000
"""A larger file is no configuration; it is not read."""

_NOT_USED = "The file is not used; defaults apply."


@dataclass(frozen=True, slots=True)
class Document:
    """The object that a file holds; ``root`` is empty when the file cannot be used."""

    file: Path
    root: dict[str, Any]
    parsed: Parsed | None = None

    def at(self, path: KeyPath) -> Any:
        """The value at a path; None when the file does not have it."""
        value: Any = self.root
        for step in path:
            if isinstance(step, str) and isinstance(value, dict):
                value = value.get(step)
            elif isinstance(step, int) and isinstance(value, list) and step < len(value):
                value = value[step]
            else:
                return None
        return value

    def position(self, path: KeyPath) -> tuple[int | None, int | None]:
        """1-based line and column of a key, both None when unknown."""
        found = self.parsed.position(path) if self.parsed else None
        return found or (None, None)


Reading = tuple[Document, tuple[ConfigProblem, ...]]


def read_document(file: Path) -> Reading:
    """Read a JSON or JSON5 file; what is wrong with it comes back as problems, never raised."""
    try:
        raw = _bytes(file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return _unusable(file, f"{file.name} cannot be read ({reason}).", "Check its permissions.")
    if raw is None:
        message = f"{file.name} is no ordinary file of at most {MAX_BYTES:,} bytes."
        return _unusable(file, message, "A configuration is a small text file.")
    return _read(file, raw)


def _read(file: Path, raw: bytes) -> Reading:
    from engine.config.parsing import parse
    from engine.config.positions import Json5Error

    try:
        parsed = parse(raw.decode("utf-8-sig", "replace"))
    except Json5Error as error:
        return _broken(file, error)
    if not isinstance(parsed.value, dict):
        message = f"{file.name}, line 1: expected one object around everything."
        return _unusable(file, message, "Put the settings between { and }.", 1, 1)
    return Document(file, parsed.value, parsed), _encoding(file, raw)


def _bytes(file: Path) -> bytes | None:
    about = file.stat()
    if not stat.S_ISREG(about.st_mode) or about.st_size > MAX_BYTES:
        return None
    with file.open("rb") as stream:
        raw = stream.read(MAX_BYTES + 1)
    return raw if len(raw) <= MAX_BYTES else None


def _broken(file: Path, error: Json5Error) -> Reading:
    place = f"{file.name}, line {error.line}, column {error.column}"
    message = f"{place}: expected {error.expected}, found {error.found}."
    hint = "Mend that line; the file is read again at the next start."
    return _unusable(file, message, hint, error.line, error.column)


def _unusable(
    file: Path, message: str, hint: str, line: int | None = None, column: int | None = None
) -> Reading:
    problem = ConfigProblem(f"{message} {_NOT_USED}", hint, file, line, column)
    return Document(file, {}), (problem,)


def _encoding(file: Path, raw: bytes) -> tuple[ConfigProblem, ...]:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"{file.name}, line {line}: bytes that are no UTF-8; each reads as U+FFFD."
        return (ConfigProblem(message, "Save the file as UTF-8.", file, line),)
    return ()
