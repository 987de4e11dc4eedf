"""Small GGUF files, valid but for what a test takes away from them."""

from __future__ import annotations

import struct
from collections.abc import Mapping

Value = int | str | bool | float | list[str] | list[int]


def gguf_bytes(
    tensor_bytes: int = 200_000, metadata: Mapping[str, Value] | None = None, seed: int = 7
) -> bytes:
    """One tensor of int8 values behind the metadata of a small BERT."""
    pairs: dict[str, Value] = {
        "general.architecture": "bert",
        "general.name": "tiny",
        "bert.context_length": 512,
        "bert.embedding_length": 384,
        "bert.pooling_type": 1,
        "tokenizer.ggml.tokens": ["[CLS]", "[SEP]", "ż"],
    }
    pairs.update(metadata or {})
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(pairs))
    head += b"".join(_text(key) + _value(value) for key, value in pairs.items())
    head += _text("weight") + struct.pack("<IQIQ", 1, tensor_bytes, 24, 0)
    head += bytes(-len(head) % 32)
    # No two stretches are alike, so that a wrong place in a file shows.
    block = bytes((seed * i * i + 31 * i + seed) % 251 for i in range(251))
    return head + (block * (tensor_bytes // len(block) + 1))[:tensor_bytes]


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: Value) -> bytes:
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if all(isinstance(item, str) for item in value):
        items = b"".join(_text(str(item)) for item in value)
        return struct.pack("<IIQ", 9, 8, len(value)) + items
    numbers = b"".join(struct.pack("<I", int(item)) for item in value)
    return struct.pack("<IIQ", 9, 4, len(value)) + numbers
