"""Strategies: JSON values, and the same values written as JSON5 with every freedom it gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from engine.config.key_path import KeyPath

Made = tuple[str, dict[KeyPath, tuple[int, int]]]

BLANKS = st.lists(
    st.sampled_from([" ", "\n", "\t", "\r\n", "\u2028", "\xa0", "// , } : x\n", "/* } \n , */"]),
    max_size=3,
).map("".join)
NAMES = st.sampled_from(
    ["a", "b", "_x", "$y", "ünï", "queryText", "中", "k1", "a-b", "", "x y", "'"]
)
NUMBERS = ["0", "-1", "+2", ".5", "5.", "0x1F", "-0xa", "1e3", "1E-2", "Infinity", "-Infinity"]
SCALARS = st.sampled_from([*NUMBERS, "NaN", "true", "false", "null"])
TEXTS = st.text(st.sampled_from("ab\"'\\/{}:,\n\u2028\x00😀é"), max_size=6)
_ESCAPES = {"\n": "\\n", "\\": "\\\\", "\x00": "\\0", "\u2028": "\u2028"}


def json_values() -> st.SearchStrategy[Any]:
    """Any value that JSON can hold, odd texts and numbers among them."""
    numbers = st.integers() | st.floats()
    leaves = st.none() | st.booleans() | numbers | st.text(max_size=8)
    return st.recursive(
        leaves,
        lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=6), below),
        max_leaves=12,
    )


@st.composite
def json5_texts(draw: st.DrawFn) -> Made:
    """A JSON5 text, and the line and column of every key and list element in it."""
    writer = _Writer(draw)
    writer.put(draw(BLANKS))
    writer.value((), draw(st.integers(0, 3)))
    writer.put(draw(BLANKS))
    return writer.text, writer.places


class _Writer:
    """Writes a random document and notes where it puts things."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.text = ""
        self.places: dict[KeyPath, tuple[int, int]] = {}

    def put(self, piece: str) -> None:
        self.text += piece

    def here(self) -> tuple[int, int]:
        lines = self.text.replace("\r\n", "\n").split("\n")
        return len(lines), len(lines[-1]) + 1

    def value(self, path: KeyPath, depth: int) -> None:
        kind = self.draw(
            st.sampled_from(["object", "array", "text", "scalar"] if depth else ["text", "scalar"])
        )
        if kind == "object":
            self.object(path, depth)
        elif kind == "array":
            self.array(path, depth)
        else:
            self.put(self.quoted(self.draw(TEXTS)) if kind == "text" else self.draw(SCALARS))

    def object(self, path: KeyPath, depth: int) -> None:
        names = self.draw(st.lists(NAMES, max_size=3, unique=True))
        self.put("{" + self.draw(BLANKS))
        for number, name in enumerate(names):
            self.places[(*path, name)] = self.here()
            self.put(self.key(name) + self.draw(BLANKS) + ":" + self.draw(BLANKS))
            self.value((*path, name), depth - 1)
            self.comma(last=number == len(names) - 1)
        self.put("}")

    def array(self, path: KeyPath, depth: int) -> None:
        length = self.draw(st.integers(0, 3))
        self.put("[" + self.draw(BLANKS))
        for index in range(length):
            self.places[(*path, index)] = self.here()
            self.value((*path, index), depth - 1)
            self.comma(last=index == length - 1)
        self.put("]")

    def comma(self, *, last: bool) -> None:
        self.put(self.draw(BLANKS))
        if not last or self.draw(st.booleans()):
            self.put("," + self.draw(BLANKS))

    def key(self, name: str) -> str:
        bare = name.replace("-", " ").isidentifier() or name.startswith("$")
        return name if bare and self.draw(st.booleans()) else self.quoted(name, ("", "\\\n"))

    def quoted(self, text: str, tails: Sequence[str] = ("", "\\x41", "\\u00e9")) -> str:
        """A text in quotes; a tail of a line continuation adds nothing to it."""
        quote = self.draw(st.sampled_from("'\""))
        body = "".join(
            "\\" + character if character == quote else _ESCAPES.get(character, character)
            for character in text
        )
        return quote + body + self.draw(st.sampled_from(tails)) + quote
