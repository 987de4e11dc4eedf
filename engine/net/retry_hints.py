"""How long a provider asks to wait, in whichever of four ways it says so."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from engine.net.messages import HttpResponse

_DURATION = re.compile(r"(\d+(?:\.\d+)?)s")
_RETRY_INFO = "google.rpc.RetryInfo"


def retry_hint_s(response: HttpResponse, now_ms: float) -> float | None:
    """Seconds to wait, at least 0; None when the answer does not say.

    In this order: the ``retry-after-ms`` header, ``Retry-After`` in seconds or as a
    date, then the largest ``RetryInfo`` of a Google error body.
    """
    headers = response.headers
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000.0
    stated = headers.get("retry-after")
    if stated is not None:
        seconds = _number(stated)
        return seconds if seconds is not None else _until(stated, now_ms)
    return _retry_info(response.body)


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return max(value, 0.0) if math.isfinite(value) else None


def _until(date: str, now_ms: float) -> float | None:
    from email.utils import parsedate_to_datetime

    try:
        return max(parsedate_to_datetime(date).timestamp() - now_ms / 1000.0, 0.0)
    except (ValueError, OverflowError):
        return None


def _retry_info(body: bytes) -> float | None:
    if _RETRY_INFO.encode() not in body:
        return None
    try:
        found = list(_delays(json.loads(body)))
    except (ValueError, RecursionError):
        return None
    return max(found, default=None)


def _delays(value: Any) -> list[float]:
    """The delays of all RetryInfo objects, however the error is wrapped."""
    if isinstance(value, list):
        return [delay for item in value for delay in _delays(item)]
    if not isinstance(value, dict):
        return []
    found = [delay for item in value.values() for delay in _delays(item)]
    if str(value.get("@type", "")).endswith(_RETRY_INFO):
        match = _DURATION.fullmatch(str(value.get("retryDelay", "")))
        found += [float(match[1])] if match else []
    return found
