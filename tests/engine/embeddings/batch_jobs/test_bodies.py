"""Bodies of uploads, files of requests, and files of results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email.parser import BytesParser
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as patience
from hypothesis import strategies as st

from engine.embeddings.batch_jobs.dialect import Caps
from engine.embeddings.batch_jobs.multipart import form_data, related
from engine.embeddings.batch_jobs.request_file import request_file
from engine.embeddings.batch_jobs.result_lines import LONGEST_LINE, lines, objects
from engine.embeddings.remote.wire import AnswerError
from engine.errors import CancelledError
from engine.net.messages import never

BOUNDARY = "----memlens-0123456789abcdef01234567"


def parsed(content_type: str, body: bytes) -> list[tuple[str | None, bytes]]:
    """Names and contents of the parts, as a parser of e-mails sees them."""
    message = BytesParser().parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode() + body)
    found = []
    for part in message.get_payload():
        assert not isinstance(part, str)
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        found.append((part.get_param("name", None, "content-disposition"), content))
    return [(str(name) if name else None, content) for name, content in found]


jsonl = st.lists(st.text()).map(lambda texts: "".join(json.dumps(t) + "\n" for t in texts).encode())


@patience(deadline=None)
@given(jsonl)
def test_a_form_holds_its_fields_and_the_file_to_the_last_byte(content: bytes) -> None:
    form = form_data(BOUNDARY, {"purpose": "batch"}, "a.jsonl", "application/jsonl")
    body = form.head + content + form.tail
    assert len(body) == form.size(len(content))
    assert parsed(form.content_type, body) == [("purpose", b"batch"), ("file", content)]


@patience(deadline=None)
@given(jsonl)
def test_a_related_body_describes_the_file_and_holds_it(content: bytes) -> None:
    described = {"file": {"displayName": "x", "mimeType": "application/jsonl"}}
    form = related(BOUNDARY, described, "application/jsonl")
    first, second = parsed(form.content_type, form.head + content + form.tail)
    assert json.loads(first[1]) == described
    assert second[1] == content


# -- the file of requests


def test_a_file_takes_so_many_lines_and_no_more() -> None:
    with request_file(Caps(2, 1000)) as file:
        assert [file.add(b"x\n") for _ in range(3)] == [True, True, False]
        assert (file.lines, file.bytes) == (2, 4)


def test_a_file_takes_so_many_bytes_and_no_more_but_always_one_line() -> None:
    with request_file(Caps(10, 5)) as file:
        assert [file.add(b"12345678\n"), file.add(b"\n")] == [True, False]


def test_a_body_can_be_sent_again_from_its_beginning_and_in_pieces() -> None:
    form = form_data(BOUNDARY, {}, "a.jsonl", "application/jsonl")
    with request_file(Caps()) as file:
        line = b"y" * 999_999 + b"\n"
        for _ in range(6):  # more than is kept in memory
            assert file.add(line)
        bodies = [list(file.pieces(form, never)) for _ in range(2)]
    for pieces in bodies:
        assert b"".join(pieces) == form.head + line * 6 + form.tail
        assert max(map(len, pieces)) <= 256 * 1024


def test_a_cancel_ends_an_upload_in_the_middle() -> None:
    form = form_data(BOUNDARY, {}, "a.jsonl", "application/jsonl")
    with request_file(Caps()) as file:
        file.add(b"z" * 1_000_000)
        pieces = file.pieces(form, lambda: True)
        assert next(pieces) == form.head
        with pytest.raises(CancelledError):
            next(pieces)


# -- files of results


@patience(deadline=None)
@given(st.lists(st.binary().map(lambda b: b.replace(b"\n", b""))), st.data())
def test_lines_are_the_same_however_the_pieces_fall(
    written: list[bytes], data: st.DataObject
) -> None:
    content = b"\n".join(written)
    cuts = data.draw(st.lists(st.integers(0, len(content))).map(sorted))
    borders = [0, *cuts, len(content)]
    pieces = [content[a:b] for a, b in pairwise(borders)]
    assert list(lines(pieces)) == [line.strip() for line in written if line.strip()]


def test_what_is_no_object_is_passed_over() -> None:
    content = b'{"a": 1}\r\n\n[1]\nnull\n{"a": \n' + b"[" * 100_000 + b'\n{"a": 2}'
    assert [each["a"] for each in objects([content])] == [1, 2]


def test_a_line_that_does_not_end_is_an_error_before_the_memory_is_full() -> None:
    read = 0

    def endless() -> Iterator[bytes]:
        nonlocal read
        while True:
            read += 1
            yield b"x" * 65536

    with pytest.raises(AnswerError, match="longer than 8 MiB"):
        list(objects(endless()))
    assert read <= LONGEST_LINE // 65536 + 1


def test_a_hundred_thousand_lines_are_never_all_in_memory() -> None:
    def pieces() -> Iterator[bytes]:
        for number in range(100_000):
            yield b'{"custom_id": "%d"}\n' % number

    assert sum(1 for _ in objects(pieces())) == 100_000
