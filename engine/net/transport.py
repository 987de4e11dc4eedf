"""The one module that imports httpx: one request, one answer, deadlines and nothing more."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from engine.clock import Clock, SystemClock
from engine.errors import CancelledError
from engine.net.host_guard import origin, same_origin
from engine.net.messages import (
    Cancelled,
    ExchangeLimits,
    HttpRequest,
    HttpResponse,
    TransportError,
)
from engine.net.proxies import proxy_for
from engine.net.streaming import Head, Pipe, StreamedAnswer
from engine.net.transport_errors import (
    lost,
    redirected,
    stalled,
    system_words,
    timed_out,
    unreachable,
    unsendable,
)

if TYPE_CHECKING:
    import ssl

    import httpx

USER_AGENT = "memlens"
_REDIRECTS = 3
_POLL_S = 0.05
_KEPT_ALIVE = 20


class HttpxTransport:
    """Keeps connections alive between requests; thread-safe.

    A request runs in a thread of its own, so that a cancel or the deadline frees the
    caller at once, whatever the socket is waiting for; the thread then ends by itself.
    """

    def __init__(self, environ: Mapping[str, str], clock: Clock | None = None) -> None:
        self._environ = environ
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._clients: dict[tuple[bool, str | None], httpx.Client] = {}

    def send(
        self, request: HttpRequest, limits: ExchangeLimits, cancelled: Cancelled
    ) -> HttpResponse:
        """The answer, whatever its status. Raises TransportError, CancelledError."""
        if cancelled():
            raise CancelledError("The request")
        call = _Call(request, limits)
        client = self._client(request.url)
        deadline = self._clock.monotonic() + limits.total_s
        threading.Thread(target=call.run, args=(client,), name="http", daemon=True).start()
        while not call.done.wait(_POLL_S):
            if cancelled():
                call.abandoned = True
                raise CancelledError("The request")
            if self._clock.monotonic() > deadline:
                call.abandoned = True
                raise timed_out(request, limits.total_s)
        return call.outcome()

    def stream(
        self, request: HttpRequest, limits: ExchangeLimits, cancelled: Cancelled
    ) -> StreamedAnswer:
        """An answer whose body is read piece by piece; redirects are not followed.

        ``total_s`` and ``max_bytes`` do not count. Raises TransportError, CancelledError.
        """
        if cancelled():
            raise CancelledError("The download")
        pipe = Pipe(cancelled)
        arguments = (self._client(request.url), request, limits, pipe)
        threading.Thread(target=_feed, args=arguments, name="download", daemon=True).start()
        return StreamedAnswer(pipe)

    def close(self) -> None:
        """Close all connections; a later request opens new ones."""
        with self._lock:
            clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            client.close()

    def _client(self, url: str) -> httpx.Client:
        proxy = proxy_for(url, self._environ)
        key = (url.startswith("https:"), proxy)
        with self._lock:
            if key not in self._clients:
                self._clients[key] = self._open(tls=key[0], proxy=proxy)
            return self._clients[key]

    def _open(self, *, tls: bool, proxy: str | None) -> httpx.Client:
        import httpx

        _hush()
        trusts = tls or (proxy is not None and proxy.startswith("https:"))
        # Unbounded: callers bound themselves, and a request that was abandoned holds its
        # connection until the host answers, which must not keep the next one waiting.
        pool = httpx.Limits(max_connections=None, max_keepalive_connections=_KEPT_ALIVE)
        try:
            return httpx.Client(
                headers={"User-Agent": USER_AGENT},
                verify=_certificates(self._environ) if trusts else _no_certificates(),
                proxy=proxy,
                limits=pool,
                follow_redirects=False,
                trust_env=False,
            )
        except (ImportError, ValueError, OSError, httpx.InvalidURL):
            raise TransportError(
                "unsendable",
                "The proxy or certificate settings of the environment cannot be used.",
                "Check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, SSL_CERT_FILE and SSL_CERT_DIR.",
            ) from None  # the error may quote a proxy's password


class _Call:
    """One request on its thread, with room for the outcome."""

    def __init__(self, request: HttpRequest, limits: ExchangeLimits) -> None:
        self.done = threading.Event()
        self.abandoned = False
        self._request = request
        self._limits = limits
        self._response: HttpResponse | None = None
        self._error: Exception | None = None

    def run(self, client: httpx.Client) -> None:
        """The thread's body: nothing but the outcome leaves it."""
        import httpx

        try:
            self._response = self._follow(client)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            self._error = _translated(error, self._request, self._limits)
        except (UnicodeError, OSError) as error:
            self._error = unsendable(self._request, error)
        except Exception as error:  # raised again on the caller's thread
            self._error = error
        finally:
            self.done.set()

    def outcome(self) -> HttpResponse:
        """What came of it. Raises TransportError."""
        if self._error is not None:
            raise self._error
        assert self._response is not None
        return self._response

    def _follow(self, client: httpx.Client) -> HttpResponse:
        url = self._request.url
        for _ in range(_REDIRECTS + 1):
            response = self._once(client, url)
            target = response.headers.get("location")
            if response.status not in (307, 308) or target is None:
                return response
            url = urljoin(url, target)
            if not same_origin(url, self._request.url):
                raise redirected(self._request.url, url)
        raise TransportError("redirect", f"{origin(url)} redirects in a circle.")

    def _once(self, client: httpx.Client, url: str) -> HttpResponse:
        with _opened(client, self._request, url, self._limits) as response:
            body = self._read(response)
            return HttpResponse(response.status_code, _headers_of(response), body)

    def _read(self, response: httpx.Response) -> bytes:
        pieces: list[bytes] = []
        size = 0
        for piece in response.iter_bytes(65536):
            size += len(piece)
            if size > self._limits.max_bytes:
                raise TransportError(
                    "too-large",
                    f"{origin(self._request.url)} answered with more than "
                    f"{self._limits.max_bytes // 1024} KiB.",
                    "Check that the address is an embeddings API.",
                )
            if self.abandoned:
                break
            pieces.append(piece)
        return b"".join(pieces)


def _opened(
    client: httpx.Client, request: HttpRequest, url: str, limits: ExchangeLimits
) -> AbstractContextManager[httpx.Response]:
    import httpx

    timeout = httpx.Timeout(limits.read_s, connect=limits.connect_s)
    content = request.body if request.pieces is None else request.pieces()
    return client.stream(
        request.method, url, headers=request.headers, content=content, timeout=timeout
    )


def _headers_of(response: httpx.Response) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def _feed(client: httpx.Client, request: HttpRequest, limits: ExchangeLimits, pipe: Pipe) -> None:
    """The body of a download's thread: whatever happens arrives in the pipe."""
    import httpx

    try:
        with _opened(client, request, request.url, limits) as response:
            wanted = pipe.put(Head(response.status_code, _headers_of(response)))
            pieces = response.iter_raw()  # as they come: nothing is lost when it breaks off
            while wanted and (piece := next(pieces, None)) is not None:
                wanted = pipe.put(piece)
        pipe.put(None)
    except httpx.ReadTimeout:
        pipe.put(stalled(request, limits.read_s))
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
        pipe.put(_translated(error, request, limits))
    except (UnicodeError, OSError) as error:
        pipe.put(unsendable(request, error))
    except Exception as error:  # raised again on the caller's thread
        pipe.put(error)


def _hush() -> None:
    """Keep the wire libraries from logging whole addresses and headers: these may hold keys."""
    import logging

    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)


def _certificates(environ: Mapping[str, str]) -> ssl.SSLContext:
    """SSL_CERT_FILE, else SSL_CERT_DIR, else the certificates that come with httpx."""
    import ssl

    import httpx

    file, folder = environ.get("SSL_CERT_FILE"), environ.get("SSL_CERT_DIR")
    if file or folder:
        return ssl.create_default_context(cafile=file or None, capath=folder or None)
    return httpx.create_ssl_context(trust_env=False)


def _no_certificates() -> ssl.SSLContext:
    """Trusts nobody: plain http needs none, and loading the usual ones takes a while."""
    import ssl

    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _translated(error: Exception, request: HttpRequest, limits: ExchangeLimits) -> TransportError:
    import httpx

    host = origin(request.url)
    if isinstance(error, httpx.ConnectTimeout):
        return unreachable(host, f"it did not answer within {limits.connect_s:g} s")
    if isinstance(error, httpx.TimeoutException):
        return timed_out(request, limits.read_s)
    if isinstance(error, httpx.ConnectError | httpx.ProxyError):
        return unreachable(host, system_words(error))
    if isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError | httpx.DecodingError):
        return lost(host)
    return unsendable(request, error)
