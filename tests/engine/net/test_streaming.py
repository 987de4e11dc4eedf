"""Answers that are used while they arrive, over real sockets."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from engine.errors import CancelledError
from engine.net.messages import ExchangeLimits, HttpRequest, TransportError, never
from engine.net.transport import HttpxTransport
from tests.fakes.fake_hub import HUB, FakeHub, Fault

LIMITS = ExchangeLimits(connect_s=20.0, read_s=20.0, total_s=0.0, max_bytes=1)
CONTENT = bytes(range(256)) * 4000


@pytest.fixture
def transport() -> Iterator[HttpxTransport]:
    made = HttpxTransport({})
    yield made
    made.close()


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with FakeHub() as fake:
        fake.put("a/b", "f.bin", CONTENT, direct=True)
        yield fake


def request(hub: FakeHub, path: str = "a/b/resolve/main/f.bin") -> HttpRequest:
    return HttpRequest(f"{hub.endpoint}/{path}", {"x-test": "1"}, method="GET")


def test_the_body_comes_in_pieces_of_any_size(transport: HttpxTransport, hub: FakeHub) -> None:
    with transport.stream(request(hub), LIMITS, never) as answer:
        assert answer.status == 200
        assert answer.headers["content-length"] == str(len(CONTENT))
        pieces = list(answer.pieces())
    assert b"".join(pieces) == CONTENT
    assert len(pieces) > 1


def test_the_first_bytes_are_there_before_the_last(transport: HttpxTransport, hub: FakeHub) -> None:
    held = threading.Event()
    hub.script(Fault(cut=1000, hold=held))
    with transport.stream(request(hub), LIMITS, never) as answer:
        pieces = answer.pieces()
        assert CONTENT.startswith(next(pieces))
        held.set()
        assert sum(map(len, pieces)) > 0


def test_redirects_are_left_to_the_caller(transport: HttpxTransport, hub: FakeHub) -> None:
    hub.put("a/b", "big.bin", CONTENT)
    with transport.stream(request(hub, "a/b/resolve/main/big.bin"), LIMITS, never) as answer:
        assert answer.status == 302
        assert answer.headers["location"].startswith(hub.file_origin)
    assert [asked.host for asked in hub.requests] == [HUB]


def test_a_break_comes_after_the_bytes_that_arrived(
    transport: HttpxTransport, hub: FakeHub
) -> None:
    hub.script(Fault(cut=100_000))
    got = b""
    with transport.stream(request(hub), LIMITS, never) as answer:
        pieces = answer.pieces()
        with pytest.raises(TransportError) as caught:
            for piece in pieces:
                got += piece
    assert got == CONTENT[:100_000]
    assert caught.value.trouble == "dropped"


def test_a_silent_server_is_given_up(transport: HttpxTransport, hub: FakeHub) -> None:
    hub.script(Fault(cut=10, hold=threading.Event()))
    impatient = ExchangeLimits(connect_s=20.0, read_s=0.2)
    with (
        transport.stream(request(hub), impatient, never) as answer,
        pytest.raises(TransportError) as caught,
    ):
        list(answer.pieces())
    assert caught.value.trouble == "timeout"
    assert "has sent nothing for 0.2 s" in caught.value.message


def test_a_cancel_ends_the_wait(transport: HttpxTransport, hub: FakeHub) -> None:
    stop = threading.Event()
    hub.script(Fault(cut=10, hold=threading.Event()))
    with transport.stream(request(hub), LIMITS, stop.is_set) as answer:
        pieces = answer.pieces()
        assert next(pieces) == CONTENT[:10]
        stop.set()
        with pytest.raises(CancelledError):
            next(pieces)
    with pytest.raises(CancelledError):
        transport.stream(request(hub), LIMITS, stop.is_set)


def test_only_the_beginning_of_an_error(transport: HttpxTransport, hub: FakeHub) -> None:
    hub.script(Fault(status=500, body=b"x" * 100_000))
    with transport.stream(request(hub), LIMITS, never) as answer:
        assert answer.status == 500
        assert answer.beginning(10) == b"x" * 10


def test_an_unreachable_server(transport: HttpxTransport) -> None:
    with pytest.raises(TransportError, match="cannot be reached"):
        transport.stream(HttpRequest("http://127.0.0.1:9/", {}, method="GET"), LIMITS, never)
