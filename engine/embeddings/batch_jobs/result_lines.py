"""Reading a result file line by line while it arrives."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.embeddings.remote.wire import AnswerError

LONGEST_LINE = 8 * 1024 * 1024
"""Bytes; the longest vector there is takes some hundred thousand."""


def objects(pieces: Iterable[bytes]) -> Iterator[Mapping[str, Any]]:
    """The JSON objects of a JSONL file; lines that are none are passed over.

    Raises AnswerError for a line that does not end.
    """
    for line in lines(pieces):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a file that comes in pieces, without empty ones. Raises AnswerError."""
    begun: list[bytes] = []
    size = 0
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        for end in ended:
            yield from _whole(begun, end)
            begun, size = [], 0
        begun.append(rest)
        size += len(rest)
        if size > LONGEST_LINE:
            raise AnswerError(f"one of its lines is longer than {LONGEST_LINE // 2**20} MiB")
    yield from _whole(begun, b"")


def _whole(begun: list[bytes], end: bytes) -> Iterator[bytes]:
    line = b"".join([*begun, end]).strip()
    if line:
        yield line
