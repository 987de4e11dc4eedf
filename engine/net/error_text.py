"""A short, redacted sentence out of whatever a server calls an error."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from engine.redaction import redact

LONGEST = 300
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\s]+")
_TAG = re.compile(
    r"<(?:script|style)\b.*?</(?:script|style)\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL
)
_READ = 8192


def error_text(body: bytes, secrets: Iterable[str] = ()) -> str:
    """What the body says, on one line, without keys; empty when it says nothing.

    Understands ``{"error": {"message"}}``, ``{"error": text}``, ``{"message"}``,
    ``{"detail": text or list}``, a list around any of them, plain text and HTML.
    """
    try:
        words = _words(json.loads(body))
    except (ValueError, RecursionError):
        words = _TAG.sub(" ", body[:_READ].decode("utf-8", "replace"))
    line = _CONTROL.sub(" ", redact(words, secrets)).strip()
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"


def error_codes(body: bytes) -> frozenset[str]:
    """The ``code``, ``type`` and ``status`` words of an error body, lower case."""
    error = _error(body)
    words = (error.get(name) for name in ("code", "type", "status"))
    return frozenset(str(word).lower() for word in words if isinstance(word, str))


def error_param(body: bytes) -> str | None:
    """The request field that an error body blames, if it names one."""
    param = _error(body).get("param")
    return param if isinstance(param, str) and param else None


def exceeded_quotas(body: bytes) -> list[str]:
    """The names of the quotas that a Google error says are used up (``QuotaFailure``)."""
    details = _error(body).get("details")
    violations = [
        violation
        for detail in (details if isinstance(details, list) else ())
        if isinstance(detail, dict) and isinstance(detail.get("violations"), list)
        for violation in detail["violations"]
    ]
    named = (each.get("quotaId") for each in violations if isinstance(each, dict))
    return [name for name in named if isinstance(name, str)]


def _error(body: bytes) -> Mapping[str, Any]:
    try:
        error = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    if isinstance(error, list) and len(error) == 1:
        error = error[0]
    if isinstance(error, dict) and isinstance(error.get("error"), dict):
        error = error["error"]
    return error if isinstance(error, dict) else {}


def _words(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(filter(None, map(_words, value[:3])))
    if isinstance(value, dict):
        for name in ("error", "message", "detail", "msg", "title"):
            words = _words(value.get(name))
            if words:
                return words
    return ""
