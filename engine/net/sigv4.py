"""AWS Signature Version 4: a request's proof of who sends it, without the secret itself.

After the public description of the scheme ("Create a signed AWS API request"). Pure: the
time is given, nothing is sent.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from urllib.parse import parse_qsl, quote, urlsplit

from engine.net.messages import HttpRequest
from engine.net.secret import Secret

ALGORITHM = "AWS4-HMAC-SHA256"
_UNSIGNED = frozenset({"authorization", "expect", "user-agent", "transfer-encoding"})
"""Left out: proxies change them, or they hold the signature."""


@dataclass(frozen=True, slots=True)
class AwsKeys:
    """Credentials of AWS; ``token`` comes with temporary ones."""

    access_key: str = field(repr=False)
    secret: Secret
    token: Secret | None = None


@dataclass(frozen=True, slots=True)
class SigningScope:
    """For which region and service a signature counts."""

    region: str
    service: str


def signed_request(
    request: HttpRequest, keys: AwsKeys, scope: SigningScope, now_ms: float
) -> HttpRequest:
    """The request with date, token and ``authorization``; ``now_ms`` is epoch milliseconds.

    Hosts accept a signature for five minutes around its date.
    """
    moment = datetime.fromtimestamp(now_ms / 1000.0, UTC).strftime("%Y%m%dT%H%M%SZ")
    headers = {name.lower(): value for name, value in request.headers.items()}
    headers["x-amz-date"] = moment
    if keys.token is not None:
        headers["x-amz-security-token"] = keys.token.reveal()
    dated = replace(request, headers=headers)
    credential = f"{moment[:8]}/{scope.region}/{scope.service}/aws4_request"
    text = "\n".join([ALGORITHM, moment, credential, _digest(canonical_request(dated))])
    signature = hmac.new(_key(keys.secret, credential), text.encode(), hashlib.sha256).hexdigest()
    headers["authorization"] = (
        f"{ALGORITHM} Credential={keys.access_key}/{credential}, "
        f"SignedHeaders={';'.join(_signed_headers(dated))}, Signature={signature}"
    )
    return replace(request, headers=headers)


def canonical_request(request: HttpRequest) -> str:
    """The text that is signed: method, path, query, headers and body in one fixed form."""
    parts = urlsplit(request.url)
    signed = _signed_headers(request)
    return "\n".join(
        [
            request.method,
            # Every service but S3 encodes the path once more, as it stands in the address.
            quote(parts.path or "/", safe="/~"),
            _canonical_query(parts.query),
            *(f"{name}:{' '.join(value.split())}" for name, value in signed.items()),
            "",
            ";".join(signed),
            hashlib.sha256(request.body).hexdigest(),
        ]
    )


def _signed_headers(request: HttpRequest) -> Mapping[str, str]:
    headers = {name.lower(): value for name, value in request.headers.items()}
    headers.setdefault("host", _host(request.url))
    return {name: headers[name] for name in sorted(headers) if name not in _UNSIGNED}


def _host(url: str) -> str:
    """The host header as it is sent: with a port only where that is not the usual one."""
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    host = parts.netloc.rpartition("@")[2]
    return host if parts.port != usual else host.rpartition(":")[0]


def _canonical_query(query: str) -> str:
    pairs = (
        (quote(name, safe="~"), quote(value, safe="~")) for name, value in parse_qsl(query, True)
    )
    return "&".join(f"{name}={value}" for name, value in sorted(pairs))


def _key(secret: Secret, credential: str) -> bytes:
    key = f"AWS4{secret.reveal()}".encode()
    for part in credential.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
