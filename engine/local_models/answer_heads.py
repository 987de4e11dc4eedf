"""What the headers of a download say: redirects, checksums, ranges."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

from engine.local_models import download_errors

MOVED = frozenset({301, 302, 303, 307, 308})
_SHA256 = re.compile(r"[0-9a-f]{64}")
_RANGE = re.compile(r"bytes (?:(\d+)-\d+|\*)/(\d+|\*)")


def is_sha256(etag: str) -> bool:
    """The hub's ETag of a large file is the SHA-256 of its content."""
    return _SHA256.fullmatch(etag) is not None


def followed(url: str, target: str) -> str:
    """The address behind a redirect. Raises ProviderError for one that must not be followed."""
    new = urljoin(url, target)
    parts = urlsplit(new)
    downgraded = url.startswith("https:") and parts.scheme != "https"
    if parts.scheme not in ("http", "https") or not parts.hostname or downgraded:
        raise download_errors.misdirected(url, new)
    return new


def validator_of(headers: Mapping[str, str]) -> str:
    """What If-Range may compare: a strong ETag, else the time of the last change."""
    etag = headers.get("etag", "").strip()
    if etag.startswith('"'):
        return etag
    return headers.get("last-modified", "").strip()


def plain_etag(etag: str) -> str:
    """An ETag without quotes and weakness mark, lower case."""
    return etag.strip().removeprefix("W/").strip('"').lower()


def content_range(headers: Mapping[str, str]) -> tuple[int | None, int | None]:
    """First byte and size of the whole, of a Content-Range header; None where it is silent."""
    found = _RANGE.match(headers.get("content-range", ""))
    if found is None:
        return None, None
    start, total = found[1], found[2]
    return (int(start) if start else None), (int(total) if total.isdecimal() else None)
