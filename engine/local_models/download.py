"""Downloading one file so that a break at any point costs only the bytes not yet written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import CancelledError, ProviderError
from engine.local_models import download_errors
from engine.local_models.answer_heads import (
    MOVED,
    content_range,
    followed,
    is_sha256,
    plain_etag,
    validator_of,
)
from engine.local_models.download_parts import LIMITS, DownloadParts
from engine.local_models.gguf import MAGIC, GgufError, read_gguf_head
from engine.local_models.partial import PartialFile
from engine.local_models.progress import ProgressMeter
from engine.net.messages import (
    Cancelled,
    HttpRequest,
    HttpResponse,
    TransportError,
)
from engine.net.retry import Attempts, Backoff, RetryPolicy
from engine.net.streaming import StreamedAnswer

PATIENCE = RetryPolicy(Backoff(6, 1.0, 30.0), Backoff(6, 5.0, 60.0), budget_s=300.0)
"""For attempts that bring nothing; every byte that comes starts the count anew."""
_REDIRECTS = 5
_STARTS = 3
_MARGIN = 32 << 20
"""Bytes that stay free on the disk."""
_ERROR_BYTES = 8192


class _StartOverError(Exception):
    """What is here does not belong to what the server has now."""


@dataclass(frozen=True, slots=True)
class _Setback:
    """An attempt that did not complete the file: for the retries, and to raise when they end."""

    outcome: HttpResponse | TransportError
    error: ProviderError


class FileDownload:
    """The download of one target; its lock is held by the caller."""

    def __init__(
        self,
        parts: DownloadParts,
        url: str,
        partial: PartialFile,
        meter: ProgressMeter,
        cancelled: Cancelled,
    ) -> None:
        self._parts = parts
        self._url = url
        self._partial = partial
        self._meter = meter
        self._cancelled = cancelled
        self._name = partial.record.address

    def run(self) -> Path:
        """The finished file. Raises ProviderError, CancelledError, OSError; a part file stays.

        A file that was put together over several runs and turns out wrong is fetched once more.
        """
        while True:
            resumed = self._partial.size > 0
            self._bring()
            problem = self._problem()
            if problem is None:
                return self._partial.publish()
            self._partial.discard()
            if not resumed:
                raise download_errors.damaged(self._name, problem)

    def _bring(self) -> None:
        """All bytes, in as many attempts as it takes."""
        if self._complete():
            return
        attempts = Attempts(PATIENCE, self._parts.random)
        starts = 0
        while True:
            before = self._partial.size
            try:
                setback = self._attempt()
            except _StartOverError:
                self._partial.discard()
                starts += 1
                if starts > _STARTS:
                    raise download_errors.confused(self._url, self._name) from None
                continue
            if setback is None:
                return
            if self._partial.size > before:
                attempts = Attempts(PATIENCE, self._parts.random)
            wait = attempts.next(setback.outcome, self._parts.clock.now_ms())
            if wait is None:
                raise setback.error
            self._parts.sleeper.sleep(wait.seconds, self._cancelled)

    def _complete(self) -> bool:
        """True for a file of which only the check was missing when an earlier run ended."""
        record = self._partial.record
        return is_sha256(record.etag) and 0 < self._partial.size == (record.total or 0)

    def _attempt(self) -> _Setback | None:
        """None when all bytes are here. Raises _StartOverError and what cannot be mended."""
        try:
            url, linked, answer = self._open()
            with answer:
                if answer.status not in (200, 206, 416):
                    return self._refused(answer, url)
                if answer.status == 416:
                    self._nothing_left(answer)
                else:
                    self._accept(answer, linked)
                    self._check_space()
                    self._store(answer, url)
        except TransportError as error:
            return _Setback(error, download_errors.broken(error, kept=self._partial.size > 0))
        if self._partial.record.total not in (None, self._partial.size):
            raise _StartOverError
        return None

    def _open(self) -> tuple[str, str, StreamedAnswer]:
        """Ask, and follow redirects ourselves: the token goes to the hub's own host only.

        The last address, the checksum that the hub announced on the way, and the answer.
        """
        url, linked = self._url, ""
        for _ in range(_REDIRECTS + 1):
            request = HttpRequest(url, self._headers(url), method="GET")
            answer = self._parts.transport.stream(request, LIMITS, self._cancelled)
            target = answer.headers.get("location")
            if answer.status not in MOVED or not target:
                return url, linked, answer
            answer.close()
            linked = self._learn_of_hub(answer.headers) or linked
            url = followed(url, target)
        raise download_errors.misdirected(self._url, url)

    def _headers(self, url: str) -> Mapping[str, str]:
        headers = {"accept-encoding": "identity", **self._parts.hub.authorization(url)}
        if self._partial.size:
            headers["range"] = f"bytes={self._partial.size}-"
            if self._partial.record.validator:
                headers["if-range"] = self._partial.record.validator
        return headers

    def _learn_of_hub(self, headers: Mapping[str, str]) -> str:
        """The checksum in the hub's redirect; bytes of another file are dropped at once."""
        etag, size = plain_etag(headers.get("x-linked-etag", "")), headers.get("x-linked-size", "")
        if etag:
            if self._partial.record.etag not in ("", etag):
                self._partial.discard()
            record = self._partial.record
            total = int(size) if size.isdecimal() else record.total
            self._partial.note(replace(record, etag=etag, total=total))
        return etag

    def _nothing_left(self, answer: StreamedAnswer) -> None:
        """416: everything is here already, or what is here is too much."""
        _, total = content_range(answer.headers)
        known = total if total is not None else self._partial.record.total
        if known is None or known != self._partial.size:
            raise _StartOverError

    def _refused(self, answer: StreamedAnswer, url: str) -> _Setback:
        body = answer.beginning(_ERROR_BYTES)
        response = HttpResponse(answer.status, answer.headers, body)
        error = download_errors.refused(response, url, self._name, self._parts.hub)
        return _Setback(response, error)

    def _accept(self, answer: StreamedAnswer, linked: str) -> None:
        """Make the part file fit to what comes, or raise _StartOverError."""
        headers = answer.headers
        etag = linked or plain_etag(headers.get("x-linked-etag") or headers.get("etag", ""))
        announced = self._partial.record.total if linked else None
        if answer.status == 206:
            total = self._continued(headers, etag)
        else:
            if self._partial.size:
                self._partial.discard()
            length = headers.get("content-length", "")
            total = int(length) if length.isdecimal() else None
        if None not in (total, announced) and total != announced:
            raise _StartOverError
        validator = validator_of(headers)
        known = announced if total is None else total
        self._partial.note(
            replace(self._partial.record, etag=etag, validator=validator, total=known)
        )

    def _continued(self, headers: Mapping[str, str], etag: str) -> int | None:
        """The size of the whole, if these bytes follow on those that are here."""
        record, validator = self._partial.record, validator_of(headers)
        start, total = content_range(headers)
        same = record.etag == etag if etag else record.validator == validator != ""
        if record.validator and validator and record.validator != validator:
            same = False
        if start != self._partial.size or not same:
            raise _StartOverError
        if None not in (total, record.total) and total != record.total:
            raise _StartOverError
        return record.total if total is None else total

    def _check_space(self) -> None:
        total = self._partial.record.total
        if total is None:
            return
        folder = self._partial.target.parent
        needed, free = total - self._partial.size, self._parts.free_space(folder)
        if needed + _MARGIN > free:
            raise download_errors.too_big(folder, needed, free)

    def _store(self, answer: StreamedAnswer, url: str) -> None:
        done, total = self._partial.size, self._partial.record.total
        head = MAGIC if done else b""
        self._meter.at(done, total)
        with self._partial.appending() as stream:
            for piece in answer.pieces():
                head += piece[: len(MAGIC) - len(head)]
                if not MAGIC.startswith(head):
                    raise download_errors.not_a_model(url, self._name)
                stream.write(piece)
                done += len(piece)
                self._meter.at(done, total)

    def _problem(self) -> str | None:
        """What is wrong with the complete file; None when it is sound."""
        etag = self._partial.record.etag
        if is_sha256(etag):
            self._verified(0)
            if self._partial.digest(self._verified) != etag:
                return "its SHA-256 is not the one that the server announced"
        try:
            read_gguf_head(self._partial.path)
        except GgufError as error:
            return f"it {error}"
        return None

    def _verified(self, done: int) -> None:
        if self._cancelled():
            raise CancelledError("The download")
        self._meter.at(done, self._partial.size, "verifying")
