"""Requests of one endpoint for its batch jobs, and what its answers mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from engine.embeddings.batch_jobs.addresses import below
from engine.embeddings.batch_jobs.refusals import (
    BatchUnavailableError,
    JobGoneError,
    Step,
    kind_of,
)
from engine.embeddings.remote.answer import parsed_answer
from engine.embeddings.remote.failures import Endpoint, failure_of
from engine.embeddings.remote.wire import AnswerError, Call
from engine.errors import ProviderError
from engine.net.host_guard import is_secret_name, origin
from engine.net.messages import Cancelled, ExchangeLimits, HttpRequest, HttpResponse
from engine.net.retry import RetryPolicy
from engine.redaction import redact

if TYPE_CHECKING:
    from engine.embeddings.remote.access import Access, Entrance
    from engine.embeddings.remote.settings import RemoteSettings
    from engine.net.client import HttpClient

Read = TypeVar("Read")


class Exchange:
    """Sends small requests and reads their answers; thread-safe."""

    def __init__(self, settings: RemoteSettings, access: Access, client: HttpClient) -> None:
        self.settings = settings
        self.client = client
        self._access = access

    @property
    def host(self) -> str:
        """Where everything goes, for messages."""
        return origin(self.settings.base_url)

    def entrance(self, cancelled: Cancelled) -> Entrance:
        """Address and headers. Raises ProviderError, CancelledError."""
        return self._access.open(self.client, cancelled)

    def ask(
        self,
        method: str,
        call: Call,
        limits: ExchangeLimits,
        policy: RetryPolicy,
        cancelled: Cancelled,
    ) -> HttpResponse:
        """The answer, whatever its status. Raises TransportError, ProviderError, CancelledError."""
        entrance = self.entrance(cancelled)
        request = HttpRequest(
            below(entrance.base_url, call.path), entrance.headers, call.body, method
        )
        return self.client.send(request, limits, policy, cancelled)

    def read(
        self, response: HttpResponse, step: Step, reader: Callable[[Mapping[str, Any]], Read]
    ) -> Read:
        """What an answer says. Raises ProviderError of the kinds in ``refusals``."""
        if not response.ok:
            raise self.refusal(response, step)
        try:
            return reader(parsed_answer(response.body))
        except AnswerError as error:
            raise self.not_understood(error, response.status) from None

    def clean(self, text: str) -> str:
        """What a service says, without the secrets that it was sent."""
        return redact(text, self._secrets())

    def checked(self, *names: str) -> None:
        """Raise AnswerError when something that will be kept holds a secret, as no id does."""
        if any(self.clean(name) != name for name in names):
            raise AnswerError("it names something like a key")

    def refusal(self, response: HttpResponse, step: Step) -> ProviderError:
        """The error for an answer without success."""
        kind, told = kind_of(response, step), self._told(response)
        message, hint = told.message, told.hint
        if kind is BatchUnavailableError:
            message = f"{self.host} takes no batch jobs here ({response.status}). {_said(told)}"
            hint = "Plain requests are used; remote.batch.enabled set to false does the same."
        elif kind is JobGoneError:
            message = f"{self.host} does not know the job or its results ({response.status})."
            hint = "What it was to embed is sent again."
        return kind(told.title, message.rstrip(), hint, status=response.status)

    def not_understood(self, error: AnswerError, status: int) -> ProviderError:
        """The error for an answer that is not what the dialect says."""
        return ProviderError(
            "Answer not understood",
            f"The answer of {self.host} about a batch job is not what was expected: {error}.",
            "Check that remote.baseUrl is the address of an API with batch jobs.",
            status=status,
        )

    def _told(self, response: HttpResponse) -> ProviderError:
        settings = self.settings
        endpoint = Endpoint(settings.provider, settings.model, self.host, settings.key_source)
        explained = self._access.explained(response)
        now_ms = self.client.clock.now_ms()
        return failure_of(response, endpoint, self._secrets(), now_ms, explained)

    def _secrets(self) -> list[str]:
        settings = self.settings
        named = [value for name, value in settings.headers.items() if is_secret_name(name)]
        return named if settings.key is None else [settings.key.reveal(), *named]


def _said(told: ProviderError) -> str:
    """The service's own words, which stand at the end of a message."""
    _, mark, said = told.message.partition(" It says: ")
    return f"It says: {said}" if mark else ""
