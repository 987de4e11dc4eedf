"""What an error answer of a batch endpoint means for the job and for those to come."""

from __future__ import annotations

from typing import Literal

from engine.errors import ProviderError
from engine.net.messages import HttpResponse, TransportError

Step = Literal["upload", "create", "look"]


class BatchUnavailableError(ProviderError):
    """The endpoint offers no batch jobs, for this key or this model; plain requests may work."""


class JobTooLargeError(ProviderError):
    """The service does not take so much at once; half of it may do."""


class JobGoneError(ProviderError):
    """The service does not know the job or its results any more."""


class UnclearError(ProviderError):
    """Nobody can say whether the job was made; it is looked for later."""


NOTHING_LISTED = frozenset({400, 404, 405, 410, 422, 501})
"""What a service answers that has no list of jobs."""
_NOT_THERE = frozenset({404, 405, 501})
_REFUSED = frozenset({400, 401, 403, 415, 422})


def kind_of(response: HttpResponse, step: Step) -> type[ProviderError]:
    """Which error an answer without success is.

    To upload and to create, a refusal of any kind means that there are no batch jobs to be
    had: the key that plain requests work with may be barred from them.
    """
    status = response.status
    if step == "look":
        return JobGoneError if status in (404, 410) else ProviderError
    if status == 413:
        return JobTooLargeError
    return BatchUnavailableError if status in _NOT_THERE | _REFUSED else ProviderError


def passes_by_itself(status: int) -> bool:
    """True when a look at a job failed for a reason that another look may not meet."""
    return status in (408, 409, 425, 429) or status >= 500


def worth_another_try(error: ProviderError) -> bool:
    """The same of an error that came while results were fetched."""
    return isinstance(error, TransportError) or passes_by_itself(error.status or 0)


def unclear(outcome: HttpResponse | TransportError) -> bool:
    """True when the request may have been carried out although no answer says so."""
    if isinstance(outcome, TransportError):
        return outcome.trouble in ("timeout", "dropped", "too-large")
    told = outcome.status in _NOT_THERE
    return not told and (outcome.status >= 500 or outcome.status in (408, 409))
