"""Fetching the results of a job: files of any size, read while they arrive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.embeddings.batch_jobs.dialect import BatchDialect, RawResult
from engine.embeddings.batch_jobs.exchange import Exchange
from engine.embeddings.batch_jobs.result_lines import objects
from engine.embeddings.remote.unit_vector import unit_vector
from engine.embeddings.remote.wire import AnswerError
from engine.net.messages import Cancelled, ExchangeLimits, HttpRequest, HttpResponse

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector
    from engine.net.streaming import StreamingTransport

_LIMITS = ExchangeLimits(read_s=300.0)
_ERROR_BYTES = 8192


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What came of one text: a float32 vector of unit length, or why there is none."""

    id: str
    vector: Vector | None
    error: str = ""
    tokens: int | None = None


def fetched(
    exchange: Exchange,
    transport: StreamingTransport,
    dialect: BatchDialect,
    file: str,
    cancelled: Cancelled,
) -> Iterator[RawResult]:
    """The lines of a result file, in whatever order they lie there.

    Raises JobGoneError, other ProviderErrors and CancelledError, also in the middle.
    """
    entrance = exchange.entrance(cancelled)
    headers = {**entrance.headers, "accept": "*/*", "accept-encoding": "identity"}
    urls = dialect.content_urls(entrance.base_url, file)
    for url in urls:
        request = HttpRequest(url, headers, method="GET")
        with transport.stream(request, _LIMITS, cancelled) as answer:
            if answer.status == 200:
                yield from _understood(exchange, dialect, answer.pieces())
                return
            body = answer.beginning(_ERROR_BYTES)
            response = HttpResponse(answer.status, answer.headers, body)
        if response.status not in (404, 405) or url == urls[-1]:
            raise exchange.refusal(response, "look")


def _understood(
    exchange: Exchange, dialect: BatchDialect, pieces: Iterator[bytes]
) -> Iterator[RawResult]:
    try:
        for line in objects(pieces):
            raw = dialect.result(line)
            if raw is not None:
                yield raw
    except AnswerError as error:
        raise exchange.not_understood(error, 200) from None


def as_result(raw: RawResult, size: int | None) -> BatchResult:
    """The result with a usable vector of ``size`` numbers (None: any), or why it has none."""
    if raw.error:
        return BatchResult(raw.id, None, raw.error, raw.tokens)
    vector, problem = unit_vector(raw.embedding)
    if vector is None:
        return BatchResult(raw.id, None, problem or "no vector", raw.tokens)
    if size is not None and len(vector) != size:
        wrong = f"the vector has {len(vector)} numbers where {size} were expected"
        return BatchResult(raw.id, None, wrong, raw.tokens)
    return BatchResult(raw.id, vector, tokens=raw.tokens)
