"""A scripted Bedrock: signatures checked by botocore, a strict dialect for each family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from urllib.parse import unquote

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from tests.fakes.answers import Answer, Embed, Received, Responder, as_json
from tests.fakes.bedrock_families import FAMILIES, RefusedError, base_model
from tests.fakes.bow192 import bow_192
from tests.fakes.service import FakeService

ACCESS, SECRET = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
BEARER = "bedrock-api-key-3Xv9mQ7tLw2k"
_INTERNAL = "http://internal.amazon.com/coral/com.amazon.bedrock/"
_LATEST_S = 300.0


def keys_of(token: str | None = None) -> dict[str, str]:
    """The environment of a person with these keys."""
    found = {"AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET}
    return found if token is None else {**found, "AWS_SESSION_TOKEN": token}


class FakeBedrock(FakeService):
    """``now_ms`` is its clock, None trusts every date; ``tokens`` are good session tokens."""

    def __init__(
        self,
        embed: Embed = bow_192,
        *,
        region: str = "us-east-1",
        now_ms: Callable[[], float] | None = None,
        tokens: Sequence[str | None] = (None,),
        script: Sequence[Responder] = (),
    ) -> None:
        super().__init__(self.right, embed=embed, script=script)
        self.tokens = list(tokens)
        self._region = region
        self._now_ms = now_ms

    @property
    def texts(self) -> list[str]:
        """All texts received so far, request after request."""
        return [text for r in self.requests for text in FAMILIES[base_of(r)].texts(r.json)]

    def aside(self, received: Received) -> Answer | None:
        """Refused keys, unknown models, bodies that break the dialect."""
        refused = self._keys(received)
        if refused is not None:
            return refused
        family = FAMILIES.get(base_of(received))
        if family is None:
            return refusal(400, "ValidationException", "The provided model identifier is invalid.")
        try:
            family.check(received.json)
        except RefusedError as error:
            return refusal(400, "ValidationException", str(error))
        return None

    def right(self, received: Received) -> Answer:
        """The right answer, with the count of tokens in a header as always."""
        family = FAMILIES[base_of(received)]
        body = family.answer(received.json, received.embed)
        words = sum(len(text.split()) for text in family.texts(received.json))
        return as_json(body, headers={"X-Amzn-Bedrock-Input-Token-Count": str(words)})

    def _keys(self, received: Received) -> Answer | None:
        proof = received.headers.get("authorization", "")
        if proof.startswith("Bearer "):
            if proof == f"Bearer {BEARER}":
                return None
            return refusal(403, "AccessDeniedException", "Authentication failed: bad API Key")
        if not proof.startswith("AWS4-HMAC-SHA256 "):
            return refusal(403, "MissingAuthenticationTokenException", "Missing Token")
        if f"Credential={ACCESS}/" not in proof:
            words = "The security token included in the request is invalid."
            return refusal(403, "UnrecognizedClientException", words)
        if received.headers.get("x-amz-security-token") not in self.tokens:
            words = "The security token included in the request is expired"
            return refusal(403, "ExpiredTokenException", words)
        if self._late(received.headers["x-amz-date"]):
            words = f"Signature expired: {received.headers['x-amz-date']} is now earlier than"
            return refusal(403, "InvalidSignatureException", words)
        if proof.rpartition("Signature=")[2] != self._signature(received):
            words = "The request signature we calculated does not match the one you provided."
            return refusal(403, "InvalidSignatureException", words)
        return None

    def _late(self, date: str) -> bool:
        if self._now_ms is None:
            return False
        signed = datetime.strptime(date, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        return abs(self._now_ms() / 1000.0 - signed.timestamp()) > _LATEST_S

    def _signature(self, received: Received) -> str:
        """As botocore would sign what arrived."""
        proof = received.headers["authorization"]
        names = proof.partition("SignedHeaders=")[2].partition(",")[0].split(";")
        request = AWSRequest(
            received.method,
            f"http://{received.headers['host']}{received.path}",
            headers={name: received.headers[name] for name in names},
            data=received.body,
        )
        request.context["timestamp"] = received.headers["x-amz-date"]
        auth = SigV4Auth(Credentials(ACCESS, SECRET), "bedrock", self._region)
        text = auth.string_to_sign(request, auth.canonical_request(request))
        return str(auth.signature(text, request))


def base_of(received: Received) -> str:
    """The model of a request, without regions and ARN."""
    return base_model(unquote(received.path.split("/")[2]))


def refusal(status: int, kind: str, message: str) -> Answer:
    """An error of the service, its type in a header."""
    return as_json({"message": message}, status, {"x-amzn-ErrorType": f"{kind}:{_INTERNAL}"})
