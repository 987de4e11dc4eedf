"""The batch jobs of one endpoint: upload, create, find, look, cancel, fetch, discard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from engine.embeddings.batch_jobs.dialect import BatchDialect, JobPage, JobView
from engine.embeddings.batch_jobs.exchange import Exchange
from engine.embeddings.batch_jobs.fetching import BatchResult, as_result, fetched
from engine.embeddings.batch_jobs.refusals import (
    NOTHING_LISTED,
    JobTooLargeError,
    UnclearError,
    passes_by_itself,
    unclear,
)
from engine.embeddings.remote.wire import Call
from engine.errors import ProviderError
from engine.net.messages import (
    Cancelled,
    ExchangeLimits,
    HttpRequest,
    TransportError,
    never,
)
from engine.net.retry import PROBING, Backoff, RetryPolicy
from engine.net.retry_hints import retry_hint_s

if TYPE_CHECKING:
    from engine.embeddings.batch_jobs.request_file import RequestFile
    from engine.embeddings.contract import KnownSize
    from engine.net.streaming import StreamingTransport

_UPLOAD = ExchangeLimits(read_s=300.0, total_s=7200.0)
_ORDER = ExchangeLimits(read_s=60.0, total_s=60.0)
_PARTING = ExchangeLimits(read_s=10.0, total_s=10.0)
_PAGES = 10
_CREATE_ATTEMPTS = 3
_PATIENT = RetryPolicy(Backoff(3, 0.5, 8.0), Backoff(5, 5.0, 60.0), budget_s=600.0)
_ONCE = RetryPolicy(Backoff(1, 0.0, 0.0), Backoff(5, 5.0, 60.0), budget_s=600.0, timeout_attempts=1)
"""Only a clear "come back later" is repeated: anything else may have made a job already."""


@dataclass(frozen=True, slots=True)
class NoLook:
    """A look at a job that showed nothing, and the pause that the service asks for (seconds)."""

    reason: str
    hint_s: float | None


class BatchService:
    """Speaks a dialect to an endpoint; thread-safe.

    ``space`` is the vector space that its jobs fill, ``known_size`` gives the size of the
    vectors that it holds.
    """

    def __init__(
        self,
        dialect: BatchDialect,
        exchange: Exchange,
        transport: StreamingTransport,
        space: str,
        known_size: KnownSize,
    ) -> None:
        self.space = space
        self._dialect = dialect
        self._exchange = exchange
        self._transport = transport
        self._known_size = known_size

    @property
    def provider(self) -> str:
        """The id of the provider."""
        return self._exchange.settings.provider

    @property
    def host(self) -> str:
        """Where jobs go, for messages."""
        return self._exchange.host

    def line(self, id: str, text: str) -> bytes:
        """The request for one text as a line of the file."""
        return self._dialect.line(id, text, self._exchange.settings.model)

    def pause(self, seconds: float, cancelled: Cancelled) -> None:
        """Wait; raises CancelledError at once when it is cancelled."""
        self._exchange.client.pause(seconds, cancelled)

    def upload(self, file: RequestFile, label: str, cancelled: Cancelled) -> str:
        """Send the file; its id there. Raises ProviderError of the kinds in ``refusals``."""
        entrance, form = self._exchange.entrance(cancelled), self._dialect.upload_form(label)
        own = {
            "content-type": form.content_type,
            "content-length": str(form.size(file.bytes)),
        }
        request = HttpRequest(
            self._dialect.upload_url(entrance.base_url),
            {**entrance.headers, **own},
            pieces=lambda: file.pieces(form, cancelled),
        )
        try:
            response = self._exchange.client.send(request, _UPLOAD, _PATIENT, cancelled)
        except TransportError as error:
            if error.trouble != "dropped":
                raise
            # Some hang up in the middle of what is too much for them.
            raise JobTooLargeError(error.title, error.message, error.hint) from None
        return self._exchange.read(response, "upload", self._uploaded)

    def create(self, file: str, label: str, cancelled: Cancelled) -> JobView:
        """Make a job of an uploaded file, once.

        Where no answer says whether it was made, it is looked for before it is asked for
        again. Raises ProviderError of the kinds in ``refusals``: UnclearError when the job
        may exist, which ``find`` tells later, any other when it does not.
        """
        attempt = 1
        while isinstance(outcome := self._order(file, label, cancelled), ProviderError):
            try:
                found = self.find(file, label, cancelled)
            except ProviderError as error:
                raise UnclearError(outcome.title, outcome.message, error.message) from None
            if found is not None:
                return found
            if attempt == _CREATE_ATTEMPTS:
                raise outcome
            self.pause(2.0**attempt, cancelled)
            attempt += 1
        return outcome

    def find(self, file: str, label: str, cancelled: Cancelled) -> JobView | None:
        """The job that was made of a file, if there is one, as far as the service tells.

        Raises ProviderError, CancelledError.
        """
        path: str | None = self._dialect.list_path()
        for _ in range(_PAGES):
            if path is None:
                break
            response = self._exchange.ask("GET", Call(path, b""), _ORDER, _PATIENT, cancelled)
            if response.status in NOTHING_LISTED:
                break
            page = self._exchange.read(response, "look", self._page)
            for job in page.jobs:
                if job.known & {file, label}:
                    return job
            path = page.next
        return None

    def look(self, job: str, cancelled: Cancelled) -> JobView | NoLook:
        """How a job stands; NoLook when another try may succeed.

        Raises JobGoneError, other ProviderErrors for refusals, and CancelledError.
        """
        call = Call(self._dialect.job_path(job), b"")
        try:
            response = self._exchange.ask("GET", call, _ORDER, PROBING, cancelled)
        except TransportError as error:
            return NoLook(error.message, None)
        if not response.ok and passes_by_itself(response.status):
            hint = retry_hint_s(response, self._exchange.client.clock.now_ms())
            return NoLook(self._exchange.refusal(response, "look").message, hint)
        try:
            return self._exchange.read(response, "look", self._view)
        except ProviderError as error:
            if not response.ok:
                raise
            return NoLook(error.message, None)

    def cancel(self, job: str) -> None:
        """Ask the service to stop a job; takes ten seconds at most. Raises ProviderError."""
        call = Call(self._dialect.cancel_path(job), b"{}")
        response = self._exchange.ask("POST", call, _PARTING, PROBING, never)
        if not response.ok:
            raise self._exchange.refusal(response, "look")

    def results(self, view: JobView, cancelled: Cancelled) -> Iterator[BatchResult]:
        """Everything in the job's files, in whatever order it lies there.

        Raises JobGoneError, other ProviderErrors and CancelledError, also in the middle.
        """
        size = self._exchange.settings.wire.dimensions or self._known_size(self.space)
        for file in view.files:
            for raw in fetched(self._exchange, self._transport, self._dialect, file, cancelled):
                result = as_result(raw, size)
                if result.vector is not None and size is None:
                    size = len(result.vector)
                yield result

    def discard(self, files: tuple[str, ...]) -> None:
        """Delete files that are not needed any more; where that fails, they expire there."""
        with suppress(ProviderError):
            for file in files:
                call = Call(self._dialect.file_path(file), b"")
                self._exchange.ask("DELETE", call, _PARTING, PROBING, never)

    def _uploaded(self, answer: Mapping[str, Any]) -> str:
        file = self._dialect.uploaded(answer)
        self._exchange.checked(file)
        return file

    def _view(self, answer: Mapping[str, Any]) -> JobView:
        view = self._dialect.view(answer)
        self._exchange.checked(view.job, *view.files)
        return replace(view, problem=self._exchange.clean(view.problem))

    def _page(self, answer: Mapping[str, Any]) -> JobPage:
        page = self._dialect.page(answer)
        self._exchange.checked(*(view.job for view in page.jobs))
        return page

    def _order(self, file: str, label: str, cancelled: Cancelled) -> JobView | ProviderError:
        """One attempt to make a job; an error when it may have been made all the same.

        Raises ProviderError when surely none was made.
        """
        model = self._exchange.entrance(cancelled).model
        call = self._dialect.create(file, label, model)
        try:
            response = self._exchange.ask("POST", call, _ORDER, _ONCE, cancelled)
        except TransportError as error:
            if not unclear(error):
                raise
            return error
        if unclear(response):
            return self._exchange.refusal(response, "create")
        try:
            return self._exchange.read(response, "create", self._view)
        except ProviderError as error:
            if not response.ok:
                raise
            return error
