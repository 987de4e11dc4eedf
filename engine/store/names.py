"""File names in the index, byte for byte those on disk."""

from __future__ import annotations


def stored_name(name: str) -> str | bytes:
    """A path as it is bound: text, or bytes when it holds half a surrogate pair.

    File names that are not UTF-8 reach Python with such halves, which SQLite's text
    cannot hold.
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogatepass")
    return name


def read_name(value: str | bytes) -> str:
    """The path behind a stored value."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")
