"""The head of a GGUF file: enough to say what a model is and whether the file is whole.

Format: the GGUF specification in the ggml repository (versions 2 and 3, little-endian).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_STRING, _ARRAY = 8, 9
_NUMBERS: Mapping[int, str] = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q",
    12: "<d",
}  # fmt: skip
_LONGEST_TEXT = 4096
"""Longer texts of the metadata (chat templates, licences) are passed over."""
_BLOCKS: Mapping[int, tuple[int, int]] = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    9: (32, 36), 10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210),
    15: (256, 292), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 30: (1, 2),
}  # fmt: skip
"""Elements and bytes of a block for each tensor type; of newer types only the place is checked."""


class GgufError(ValueError):
    """Why a file is no usable model, as the end of a sentence that begins with its name."""


@dataclass(frozen=True, slots=True)
class GgufHead:
    """What the metadata say; None where they are silent. Sizes are tokens and numbers a vector.

    ``pooling`` is llama.cpp's number: 0 none, 1 mean, 2 first token, 3 last token, 4 ranking.
    """

    architecture: str
    name: str
    context_length: int | None
    dimensions: int | None
    pooling: int | None


def read_gguf_head(path: Path) -> GgufHead:
    """Read the head and check that no tensor lies behind the end of the file.

    Raises GgufError for anything that is no whole GGUF file, OSError when it cannot be read.
    """
    with path.open("rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(0)
        reader = _Reader(stream, size)
        if size < 4 or reader.take(4) != MAGIC:
            raise GgufError("is no GGUF file")
        if reader.number("<I") not in _VERSIONS:
            raise GgufError("is a GGUF file of an unknown version")
        tensors, pairs = reader.number("<Q"), reader.number("<Q")
        values = dict(reader.pair() for _ in range(pairs))
        end = reader.data_end(tensors, _whole_number(values.get("general.alignment")) or 32)
    # A part of a split model holds only some of the tensors, but all of its own.
    if end > size:
        raise GgufError(f"is cut off: {size} of at least {end} bytes are there")
    return _head(values)


def _head(values: Mapping[str, object]) -> GgufHead:
    architecture = str(values.get("general.architecture") or "")
    return GgufHead(
        architecture,
        str(values.get("general.name") or ""),
        _whole_number(values.get(f"{architecture}.context_length")),
        _whole_number(values.get(f"{architecture}.embedding_length")),
        _whole_number(values.get(f"{architecture}.pooling_type")),
    )


def _whole_number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


class _Reader:
    """Reads forwards and never behind the end."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream = stream
        self._size = size
        self._at = 0

    def take(self, count: int) -> bytes:
        """The next bytes."""
        self._move(count)
        return self._stream.read(count)

    def number(self, form: str) -> int:
        """One number."""
        value: int = struct.unpack(form, self.take(struct.calcsize(form)))[0]
        return value

    def pair(self) -> tuple[str, object]:
        """A key and its value; None for an array and for a very long text."""
        key = self._text() or ""
        return key, self._value(self.number("<I"))

    def data_end(self, tensors: int, alignment: int) -> int:
        """Read the table of tensors: the byte behind the last one that is laid down."""
        ends = [self._tensor() for _ in range(tensors)]
        start = -(-self._at // alignment) * alignment
        return start + max(ends, default=0)

    def _tensor(self) -> int:
        self._skip(self.number("<Q"))
        elements = 1
        for _ in range(self.number("<I")):
            elements *= self.number("<Q")
        per_block, block_bytes = _BLOCKS.get(self.number("<I"), (elements or 1, 1))
        return self.number("<Q") + elements // per_block * block_bytes

    def _value(self, kind: int, depth: int = 0) -> object:
        if kind == _STRING:
            return self._text()
        if kind == _ARRAY and depth < 4:
            self._pass_array(depth)
            return None
        if kind not in _NUMBERS:
            raise GgufError("holds metadata of an unknown kind")
        return self.number(_NUMBERS[kind])

    def _pass_array(self, depth: int) -> None:
        kind, count = self.number("<I"), self.number("<Q")
        if kind in _NUMBERS:
            self._skip(count * struct.calcsize(_NUMBERS[kind]))
            return
        if kind == _STRING:
            for _ in range(count):
                self._skip(self.number("<Q"))
            return
        for _ in range(count):
            self._value(kind, depth + 1)

    def _text(self) -> str | None:
        length = self.number("<Q")
        if length > _LONGEST_TEXT:
            self._skip(length)
            return None
        return self.take(length).decode("utf-8", "replace")

    def _skip(self, count: int) -> None:
        self._move(count)
        self._stream.seek(self._at)

    def _move(self, count: int) -> None:
        if count > self._size - self._at:
            raise GgufError("is cut off in its head")
        self._at += count
