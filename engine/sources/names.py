"""Which names count as memory, decided by the name alone."""

from __future__ import annotations

from collections.abc import Sequence

SUFFIX = ".md"
ROOT_FILES = ("MEMORY.md", "memory.md")
"""What is memory at the top of a workspace in every era; two spellings of one file."""
MEMORY_FOLDER = "memory"

VENDOR_FOLDERS = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        ".obsidian",
        ".trash",
        "node_modules",
        ".pnpm-store",
        ".venv",
        "venv",
        ".tox",
        ".nox",
        "__pycache__",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
    }
)
"""Folders that a plain folder of notes may hold without their content being notes.

Inside ``memory/`` and extra paths they are looked into, as the documents say.
"""

_ALMOST = (".markdown", ".mdown", ".mdx", ".txt")


def is_note(name: str) -> bool:
    """True for names that end in exactly ``.md``; ``.md`` alone is one."""
    return name.endswith(SUFFIX)


def why_not_a_note(name: str) -> str | None:
    """Why a name that looks like a note is none, in one sentence; None for all others."""
    lowered = name.lower()
    if lowered.endswith(SUFFIX):
        return "The name must end in .md, in small letters."
    if lowered.endswith(_ALMOST):
        return "Only files whose names end in .md are memory."
    return None


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def printable(name: str) -> str:
    """A name with undecodable bytes spelled out as ``\\xNN``, so that it can be shown."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def is_utf8(name: str) -> bool:
    """False for a name whose bytes on disk are not UTF-8; such a path cannot be stored."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
