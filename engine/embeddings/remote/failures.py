"""What an error answer of an embeddings API means, in words and in what to do next."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from engine.errors import ProviderError
from engine.net.error_text import error_codes, error_param, error_text
from engine.net.messages import HttpResponse
from engine.net.retry import daily_quota, quota_used_up
from engine.net.retry_hints import retry_hint_s

Complaint = Literal["request", "length", "content"]
"""The request holds too much, one of its texts is too long, or one of them is not accepted."""

_TOO_LONG = re.compile(
    r"context (?:length|window|size)|maximum context|input (?:is |length )?(?:too long|exceeds)"
    r"|too long for|input length exceeds|longer than the (?:model|maximum)",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(
    r"batch size|per (?:submitted )?batch|in one batch|per request"
    r"|too many (?:inputs|tokens in batch)|array max"
    r"|max(?:imum)? (?:input )?length (?:per|is)|payload too large|entity too large"
    r"|larger than \d+|at most \d+|split into more batches",
    re.IGNORECASE,
)
_LLAMA_SERVER = re.compile(r"input .*is too large to process", re.IGNORECASE)
"""How llama.cpp's server refuses one long text: with 500, as if it had failed itself."""
_TOO_LARGE_CODES = frozenset({"max_tokens_per_request", "3210"})
_ROWS = re.compile(
    r"(?:larger|more|greater) than (\d+)|at most (\d+)|max(?:imum)?(?: [a-z]+){0,5} (\d+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Explained:
    """What a refusal means where the service's own words say more than the status.

    ``about`` is set when it is about the texts; ``rows`` is how many it would take then.
    """

    title: str
    message: str
    hint: str
    about: Complaint | None = None
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Whom an error is about, for its words: provider id, model and host."""

    provider: str
    model: str
    host: str
    key_source: str | None = None


def complaint(response: HttpResponse) -> Complaint | None:
    """What a refusal says about the texts; None when it is not about them."""
    if response.status == 413:
        return "request"
    text = error_text(response.body)
    if response.status == 500 and _LLAMA_SERVER.search(text):
        return "length"
    if response.status not in (400, 422):
        return None
    if error_codes(response.body) & _TOO_LARGE_CODES:
        return "request"
    if _TOO_LONG.search(text):
        return "length"
    if _TOO_LARGE.search(text):
        return "request"
    blamed = error_param(response.body)
    return "content" if blamed is None or blamed.startswith("input") else None


def stated_rows(response: HttpResponse) -> int | None:
    """The number that a complaint about size names, if it names one."""
    match = _ROWS.search(error_text(response.body))
    return int(next(filter(None, match.groups()))) if match else None


def failure_of(
    response: HttpResponse,
    endpoint: Endpoint,
    secrets: Iterable[str],
    now_ms: float,
    explained: Explained | None = None,
) -> ProviderError:
    """The error for an answer that is no success, with a remedy by its status."""
    said = error_text(response.body, secrets)
    quoted = f" It says: {said}" if said else ""
    if explained is not None:
        title, message, hint = explained.title, explained.message, explained.hint
    else:
        title, message, hint = _words(response, endpoint, now_ms)
    return ProviderError(title, f"{message}{quoted}", hint, status=response.status)


def _words(response: HttpResponse, at: Endpoint, now_ms: float) -> tuple[str, str, str]:
    status = response.status
    if quota_used_up(response):
        daily = daily_quota(response)
        return (
            "Quota used up",
            f"{at.host} refuses further embeddings: the {'daily ' if daily else ''}quota of this "
            f"account is used up ({status}).",
            f"{'Come back tomorrow, add' if daily else 'Add'} credit at the provider, or choose "
            "another provider.",
        )
    if status == 429:
        return _rate_limited(response, at, now_ms)
    if status in (401, 403):
        key = f"the key from {at.key_source}" if at.key_source else "a request without a key"
        return (
            "Key not accepted",
            f"{at.host} refuses {key} ({status}).",
            f"Check the key for {at.provider} and that it may use {at.model}.",
        )
    if status == 404:
        return (
            "Model or address not found",
            f"{at.host} knows no model {at.model!r} or no embeddings at this address (404).",
            "Check model and remote.baseUrl; the address usually ends in /v1.",
        )
    if 300 <= status < 400:
        return (
            "Redirected elsewhere",
            f"{at.host} redirects the request ({status}); it was not followed.",
            "Set remote.baseUrl to the address that is meant.",
        )
    if status >= 500:
        return (
            "Provider failed",
            f"{at.host} answered with an error of its own ({status}).",
            "Try again later.",
        )
    return (
        "Request refused",
        f"{at.host} does not accept the request ({status}).",
        f"Check model, outputDimensionality and input types for {at.provider}.",
    )


def _rate_limited(response: HttpResponse, at: Endpoint, now_ms: float) -> tuple[str, str, str]:
    hint = retry_hint_s(response, now_ms)
    again = f" It asks to come back in {_span(hint)}." if hint is not None else ""
    return (
        "Too many requests",
        f"{at.host} accepts no more requests at the moment (429).{again}",
        "Try again after that time; what was embedded so far is kept.",
    )


def _span(seconds: float) -> str:
    for size, name in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {name}"
    return f"{seconds:.0f} s"
