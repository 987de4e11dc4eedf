"""The transport over real sockets on the loopback address."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.clock import FixedClock
from engine.errors import CancelledError
from engine.net.messages import ExchangeLimits, HttpRequest, HttpResponse, TransportError, never
from engine.net.transport import HttpxTransport
from tests.fakes.answers import (
    Answer,
    Responder,
    dripping,
    hang_up,
    huge,
    redirect,
    slow,
    truncated,
)
from tests.fakes.provider_server import FakeProvider

LIMITS = ExchangeLimits(connect_s=20.0, read_s=20.0, total_s=20.0, max_bytes=100_000)


@pytest.fixture
def transport() -> Iterator[HttpxTransport]:
    made = HttpxTransport({})
    yield made
    made.close()


def request(url: str, **headers: str) -> HttpRequest:
    body = json.dumps({"model": "m", "input": ["router"]}).encode()
    return HttpRequest(url, {"Authorization": "Bearer test-key-1234", **headers}, body)


def send(transport: HttpxTransport, url: str) -> HttpResponse:
    return transport.send(request(url), LIMITS, never)


def test_an_answer_with_its_status_headers_and_decoded_body(transport: HttpxTransport) -> None:
    def zipped(_: object) -> Answer:
        headers = {"Content-Encoding": "gzip", "X-Made-By": "test"}
        return Answer(gzip.compress(b'{"a": 1}'), 503, headers)

    with FakeProvider(script=[zipped]) as fake:
        response = send(transport, f"{fake.base_url}/embeddings")
        assert (response.status, response.json()) == (503, {"a": 1})
        assert response.headers["x-made-by"] == "test"
        sent = fake.requests[0].headers
        assert sent["user-agent"].startswith("memlens")
        assert sent["authorization"] == "Bearer test-key-1234"


@pytest.mark.parametrize("fault", [hang_up, truncated])
def test_a_lost_connection(transport: HttpxTransport, fault: Responder) -> None:
    with FakeProvider(script=[fault]) as fake:
        with pytest.raises(TransportError) as caught:
            send(transport, f"{fake.base_url}/embeddings")
        assert caught.value.trouble == "dropped"
        assert send(transport, f"{fake.base_url}/embeddings").ok


def test_a_refused_connection_names_host_and_reason(transport: HttpxTransport) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(TransportError) as caught:
            send(transport, f"http://127.0.0.1:{port}/v1/embeddings")
    assert caught.value.trouble == "unreachable"
    assert f"127.0.0.1:{port}" in caught.value.message
    assert "refused" in caught.value.message


def test_an_answer_over_the_size_limit_is_not_read(transport: HttpxTransport) -> None:
    with FakeProvider(script=[huge(2_000_000)]) as fake, pytest.raises(TransportError) as caught:
        send(transport, f"{fake.base_url}/embeddings")
    assert caught.value.trouble == "too-large"


def test_a_redirect_to_another_host_is_not_followed(transport: HttpxTransport) -> None:
    with FakeProvider() as other, FakeProvider() as fake:
        fake.script(redirect(f"{other.base_url}/embeddings"))
        with pytest.raises(TransportError) as caught:
            send(transport, f"{fake.base_url}/embeddings")
        assert caught.value.trouble == "redirect"
        assert other.requests == []


def test_a_redirect_on_the_same_host_is_followed_but_not_in_circles(
    transport: HttpxTransport,
) -> None:
    with FakeProvider() as fake:
        fake.script(redirect("/v2/embeddings"))
        assert send(transport, f"{fake.base_url}/embeddings").ok
        assert fake.requests[1].path == "/v2/embeddings"
        assert fake.requests[1].body == fake.requests[0].body
        fake.otherwise = redirect("/v2/embeddings", 308)
        with pytest.raises(TransportError, match="circle"):
            send(transport, f"{fake.base_url}/embeddings")


def test_a_silent_server_runs_into_the_read_limit(transport: HttpxTransport) -> None:
    limits = ExchangeLimits(read_s=0.05)
    with FakeProvider(script=[slow(threading.Event())]) as fake:
        with pytest.raises(TransportError) as caught:
            transport.send(request(f"{fake.base_url}/embeddings"), limits, never)
        assert caught.value.trouble == "timeout"


def test_the_deadline_counts_the_whole_exchange() -> None:
    clock = FixedClock(0.0)
    transport = HttpxTransport({}, clock)
    with FakeProvider(script=[slow(threading.Event())]) as fake, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(send, transport, f"{fake.base_url}/embeddings")
        fake.wait_for_requests(1)
        clock.seconds += 21.0
        with pytest.raises(TransportError) as caught:
            waiting.result(20)
        assert caught.value.trouble == "timeout"
    transport.close()


def test_a_server_that_drips_runs_into_the_deadline_of_the_whole_exchange() -> None:
    clock = FixedClock(0.0)
    transport = HttpxTransport({}, clock)
    with FakeProvider(script=[dripping]) as fake, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(send, transport, f"{fake.base_url}/embeddings")
        fake.wait_for_requests(1)
        clock.seconds += 21.0
        with pytest.raises(TransportError) as caught:
            waiting.result(20)
        assert caught.value.trouble == "timeout"
    transport.close()


def test_a_cancel_frees_the_caller_while_the_server_is_silent(transport: HttpxTransport) -> None:
    stop = threading.Event()
    with FakeProvider(script=[slow(threading.Event())]) as fake, ThreadPoolExecutor(1) as pool:
        asked = request(f"{fake.base_url}/embeddings")
        waiting = pool.submit(transport.send, asked, LIMITS, stop.is_set)
        fake.wait_for_requests(1)
        stop.set()
        with pytest.raises(CancelledError):
            waiting.result(20)


def test_requests_that_were_given_up_do_not_keep_the_next_one_waiting(
    transport: HttpxTransport,
) -> None:
    hold = threading.Event()
    many = 24
    with FakeProvider(script=[slow(hold)] * many) as fake:
        url = f"{fake.base_url}/embeddings"
        stop = threading.Event()
        with ThreadPoolExecutor(many) as pool:
            waiting = [
                pool.submit(transport.send, request(url), LIMITS, stop.is_set) for _ in range(many)
            ]
            fake.wait_for_requests(many)
            stop.set()
            assert all(isinstance(each.exception(), CancelledError) for each in waiting)
        assert send(transport, url).ok
        hold.set()


def test_a_cancelled_request_is_not_even_started(transport: HttpxTransport) -> None:
    with FakeProvider() as fake:
        with pytest.raises(CancelledError):
            transport.send(request(f"{fake.base_url}/embeddings"), LIMITS, lambda: True)
        assert fake.requests == []


@pytest.mark.parametrize("value", ["Bearer a\nb-secret", "Bearer ü-secret\u20ac"])
def test_a_header_that_cannot_be_sent_is_not_quoted(transport: HttpxTransport, value: str) -> None:
    with FakeProvider() as fake:
        asked = request(f"{fake.base_url}/embeddings", Authorization=value)
        with pytest.raises(TransportError) as caught:
            transport.send(asked, LIMITS, never)
        assert caught.value.trouble == "unsendable"
        assert "secret" not in f"{caught.value} {caught.value.hint}"
        assert fake.requests == []


def test_a_proxy_of_the_environment_is_used(transport: HttpxTransport) -> None:
    with FakeProvider() as proxy:
        through = HttpxTransport({"HTTP_PROXY": proxy.origin})
        response = send(through, "http://embeddings.invalid/v1/embeddings")
        through.close()
        assert response.ok
        assert proxy.requests[0].headers["host"] == "embeddings.invalid"


def test_an_unusable_proxy_is_a_sentence() -> None:
    transport = HttpxTransport({"ALL_PROXY": "nonsense://p:1"})
    with pytest.raises(TransportError, match="proxy"):
        send(transport, "http://embeddings.invalid/v1/embeddings")


def test_tls_to_a_server_that_speaks_none_is_unreachable(transport: HttpxTransport) -> None:
    with FakeProvider() as fake:
        with pytest.raises(TransportError) as caught:
            send(transport, fake.base_url.replace("http:", "https:") + "/embeddings")
        assert caught.value.trouble == "unreachable"


def test_secrets_are_not_in_the_repr() -> None:
    assert "test-key" not in repr(request("http://h/"))
