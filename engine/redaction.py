"""Taking secrets out of text before it is logged, shown or raised."""

from __future__ import annotations

import re
from collections.abc import Iterable

MASK = "[secret]"
_SHORT = 8
"""A secret of fewer characters is masked only where it stands alone, not inside words."""

# Shapes of well-known keys and tokens; the first group, where there is one, is kept.
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        r"(?i)(\b(?:authorization|proxy-authorization)[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic)\s+)?)"
        r"[^\s\"',;}]+",
        r"(?i)(\bbearer\s+)[A-Za-z0-9._~+/=*-]{6,}",
        r"(?i)(\b(?:x-)?(?:goog-)?(?:api|access|auth|secret)[-_]?(?:key|token)[\"']?\s*[:=]\s*[\"']?)"
        r"[^\s\"',;&}]+",
        r"(?i)([?&](?:key|token|sig|signature|password|secret)=)[^\s&#\"']+",
        r"(?i)(\b[a-z][a-z0-9+.-]*://)[^\s/@:]*:[^\s/@]*(?=@)",
        r"\bsk-[A-Za-z0-9_*-]{8,}",
        r"\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{16,}",
        r"\bgithub_pat_[A-Za-z0-9_]{16,}",
        r"\bglpat-[A-Za-z0-9_-]{16,}",
        r"\bxox[abeoprs]-[A-Za-z0-9-]{8,}",
        r"\bAIza[A-Za-z0-9_-]{20,}",
        r"\bya29\.[A-Za-z0-9._-]{16,}",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}",
        r"\bhf_[A-Za-z0-9]{16,}",
        r"\bpa-[A-Za-z0-9_-]{20,}",
        r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{12,}",
        r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    )
)


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """The text with every given secret and everything shaped like a key masked.

    Known secrets go first and the longest of them before the others, so that no
    part of one stays behind.
    """
    for secret in sorted({s for s in secrets if s.strip()}, key=len, reverse=True):
        if len(secret) >= _SHORT:
            text = text.replace(secret, MASK)
        else:
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", MASK, text)
    for shape in _SHAPES:
        text = shape.sub(_masked, text)
    return text


def _masked(match: re.Match[str]) -> str:
    kept = match.group(1) if match.re.groups else ""
    return f"{kept}{MASK}"
