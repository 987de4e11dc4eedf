"""Where things stand in a JSON or JSON5 text: line and column of every key, or of the mistake.

``parsing`` takes values from the ``json`` module and the ``json5`` package. Neither tells
where a key stands, and their errors do not say what was expected, so this reader adds
those two things. Positions of JSON5 cannot be had without reading it, so the reader knows
the values too; they count only where ``parsing`` says why. Property tests hold it
against both libraries: the same values, the same refusals.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from engine.config.key_path import KeyPath
from engine.config.legible import without_surrogates

MAX_DEPTH = 100
"""Deeper nesting is refused, so that no text can exhaust the stack."""

MAX_DIGITS = 4300
"""Longer whole numbers become infinities: Python refuses to print them."""

Places = dict[str | int, tuple[int, Any]]
"""Per key or list index: the offset where it stands, and the places below it (or None)."""

_BLANK = "\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_LINE_END = "\n\r\u2028\u2029"
_SPACE = re.compile(rf"(?:[{_BLANK}]+|//[^{_LINE_END}]*|/\*[\s\S]*?\*/)*")
_STRING = re.compile(
    r'"[^"\\\n\r]*(?:\\(?:\r\n|[\s\S])[^"\\\n\r]*)*"'
    r"|'[^'\\\n\r]*(?:\\(?:\r\n|[\s\S])[^'\\\n\r]*)*'"
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(0)(?![0-9])|(\r\n|[^0-9xu]))")
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\r\n": ""}
_NUMBER = re.compile(
    r"([+-]?)(?:(Infinity|NaN)|0[xX]([0-9a-fA-F]+)|(0|[1-9][0-9]*)(?![0-9.eE])"
    r"|((?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))(?![\w$\\])"
)
_WORD = re.compile(rf"(?:[\w$]|[^\x00-\x7f{_BLANK}]|\\u[0-9A-Fa-f]{{4}})+")
_ASCII_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_LITERALS = {"true": True, "false": False, "null": None}
_NAME_START = {"Lu", "Ll", "Lt", "Lm", "Lo", "Nl"}
_NAME_PART = _NAME_START | {"Mn", "Mc", "Nd", "Pc"}


class Json5Error(ValueError):
    """A text that is not JSON5: 1-based line and column, what was expected, what stood there."""

    def __init__(self, line: int, column: int, expected: str, found: str) -> None:
        super().__init__(f"line {line}, column {column}: expected {expected}, found {found}")
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found


@dataclass(frozen=True, slots=True)
class Outline:
    """Where the parts of a text stand; a repeated key counts where it stands last."""

    value: Any
    places: Places | None
    line_starts: tuple[int, ...]

    def position(self, path: KeyPath) -> tuple[int, int] | None:
        """1-based line and column of a key or list element; None when it is not there."""
        offset, below = 0, self.places
        for step in path:
            if below is None or step not in below:
                return None
            offset, below = below[step]
        return _line_and_column(offset, self.line_starts)


def outline(text: str) -> Outline:
    """Go over one JSON or JSON5 document. Raises Json5Error and nothing else.

    Lone surrogates become U+FFFD, so that every text can be stored; a whole
    number of more than ``MAX_DIGITS`` digits becomes an infinity.
    """
    value, places = _Reader(text).document()
    return Outline(value, places, _line_starts(text))


def _line_starts(text: str) -> tuple[int, ...]:
    return (0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", text)))


def _line_and_column(offset: int, starts: tuple[int, ...]) -> tuple[int, int]:
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


class _Reader:
    """Recursive descent over one text; ``at`` is the offset of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def document(self) -> tuple[Any, Places | None]:
        self.skip()
        found = self.value(0)
        if self.at < len(self.text):
            raise self.error("the end of the file")
        return found

    def error(self, expected: str, at: int | None = None) -> Json5Error:
        at = self.at if at is None else at
        line, column = _line_and_column(at, _line_starts(self.text))
        return Json5Error(line, column, expected, _shown(self.text[at : at + 1]))

    def skip(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        if self.text.startswith("/*", self.at):
            raise self.error("*/ somewhere after the start of this comment")

    def step(self) -> None:
        self.at += 1
        self.skip()

    def next(self) -> str:
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> tuple[Any, Places | None]:
        if depth > MAX_DEPTH:
            raise self.error(f"at most {MAX_DEPTH} levels of nesting")
        first = self.next()
        if first == "{":
            return self.object(depth)
        if first == "[":
            return self.array(depth)
        value = self.string() if first in ('"', "'") else self.scalar()
        self.skip()
        return value, None

    def object(self, depth: int) -> tuple[dict[str, Any], Places]:
        result: dict[str, Any] = {}
        places: Places = {}
        self.step()
        while self.next() != "}":
            start, key = self.at, self.key()
            self.skip()
            if self.next() != ":":
                raise self.error('":" after the key')
            self.step()
            result[key], below = self.value(depth + 1)
            places[key] = (start, below)
            self.separator("}")
        self.step()
        return result, places

    def array(self, depth: int) -> tuple[list[Any], Places]:
        result: list[Any] = []
        places: Places = {}
        self.step()
        while self.next() != "]":
            start = self.at
            value, below = self.value(depth + 1)
            places[len(result)] = (start, below)
            result.append(value)
            self.separator("]")
        self.step()
        return result, places

    def separator(self, bracket: str) -> None:
        following = self.next()
        if following == ",":
            self.step()
        elif following != bracket:
            raise self.error(f'"," or "{bracket}"')

    def key(self) -> str:
        if self.next() in ('"', "'"):
            return self.string()
        word = _WORD.match(self.text, self.at)
        if word is None:
            raise self.error('a key or "}"')
        name = self.unescaped(word[0], self.at)
        if not _is_name(name):
            raise self.error("a key in quotes, or a name of letters, digits, _ and $")
        self.at = word.end()
        return name

    def string(self) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            raise self.error("a text that ends with its quote on the same line")
        text = self.unescaped(match[0][1:-1], self.at + 1)
        self.at = match.end()
        return text

    def unescaped(self, raw: str, start: int) -> str:
        if "\\" not in raw:
            return without_surrogates(raw)
        pieces, last = [], 0
        while (slash := raw.find("\\", last)) >= 0:
            escape = _ESCAPE.match(raw, slash)
            if escape is None:
                raise self.error("an escape such as \\n, \\x41 or \\u0041", start + slash)
            pieces += [raw[last:slash], _escaped(escape)]
            last = escape.end()
        return without_surrogates("".join([*pieces, raw[last:]]))

    def scalar(self) -> Any:
        number = _NUMBER.match(self.text, self.at)
        if number is not None:
            self.at = number.end()
            return _number(number)
        word = _WORD.match(self.text, self.at)
        if word is None or word[0] not in _LITERALS:
            raise self.error("a value")
        self.at = word.end()
        return _LITERALS[word[0]]


def _shown(character: str) -> str:
    if not character:
        return "the end of the file"
    return f'"{character}"' if character.isprintable() else f"U+{ord(character):04X}"


def _escaped(match: re.Match[str]) -> str:
    unicode, byte, nul, other = match.groups()
    if unicode or byte:
        return chr(int(unicode or byte, 16))
    if nul:
        return "\0"
    return "" if other in _LINE_END else _ESCAPED.get(other, other)


def _number(match: re.Match[str]) -> int | float:
    sign, word, hexadecimal, whole, decimal = match.groups()
    if hexadecimal and len(hexadecimal) <= MAX_DIGITS // 2:
        return int(sign + hexadecimal, 16)
    if whole and len(whole) <= MAX_DIGITS:
        return int(sign + whole)
    return float(sign + (word or whole or decimal or "inf").replace("Infinity", "inf"))


def _is_name(text: str) -> bool:
    """An ECMAScript 5.1 identifier name, as JSON5 takes for a key without quotes."""
    if _ASCII_NAME.fullmatch(text):
        return True
    kinds = [unicodedata.category(c) if c not in "$_" else "Lu" for c in text]
    joined = zip(text, kinds, strict=True)
    return kinds[0] in _NAME_START and all(
        k in _NAME_PART or c in "\u200c\u200d" for c, k in joined
    )
