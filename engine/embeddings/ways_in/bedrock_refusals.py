"""What Bedrock's refusals mean: its error types say more than their status."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.embeddings.remote.failures import Complaint, Explained
from engine.net.error_text import error_text
from engine.net.messages import HttpResponse

EXPIRED = frozenset({"ExpiredTokenException", "ExpiredToken", "RequestExpired"})
_BAD_KEYS = frozenset(
    {
        *EXPIRED,
        "UnrecognizedClientException",
        "InvalidClientTokenId",
        "InvalidSignatureException",
        "SignatureDoesNotMatch",
        "MissingAuthenticationTokenException",
        "IncompleteSignatureException",
    }
)
_TOO_LONG = re.compile(
    r"too many input tokens|max input tokens|expected maxLength|input is too long|too long for"
    r"|exceeds? the maximum .*(?:token|length)|token(?:s| count) exceed|maximum .*tokens",
    re.IGNORECASE,
)
_TOO_MANY = re.compile(r"expected maximum item count|maxItems|at most \d+ (?:texts|items)", re.I)
_NO_MODEL = re.compile(r"model identifier is invalid|model .*(?:isn.t|is not) supported", re.I)
_NEEDS_PROFILE = re.compile(r"on-demand throughput", re.IGNORECASE)
_NOT_ABOUT_A_TEXT = re.compile(
    r"extraneous key|required key|malformed input request: #/(?!texts)", re.IGNORECASE
)


def error_type(response: HttpResponse) -> str:
    """The name of an error, without the address that may follow it; empty when it has none."""
    named = response.headers.get("x-amzn-errortype") or str(response.fields().get("__type", ""))
    return named.partition(":")[0].rpartition("#")[2]


def signed_too_long_ago(response: HttpResponse) -> bool:
    """True when only the time of the signature is wrong: a retry came too late for it."""
    if response.status != 403:
        return False
    said = error_text(response.body)
    return error_type(response) == "RequestExpired" or "Signature expired" in said


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom a refusal is from: host, model, region, and the place that the keys came from."""

    host: str
    model: str
    region: str
    keys: str

    def explain(self, response: HttpResponse) -> Explained | None:
        """By type, and for a refused request by its words; None where the status says it all."""
        kind = error_type(response)
        if kind in _BAD_KEYS:
            return self._bad_keys(kind)
        if kind == "AccessDeniedException":
            return Explained(
                "Not allowed",
                f"{self.host} does not let the keys from {self.keys} use {self.model} (403).",
                "Allow bedrock:InvokeModel for them, and switch the model on in "
                f"{self.region or 'that region'}.",
            )
        if kind == "ResourceNotFoundException":
            return self._no_model()
        if kind == "ServiceQuotaExceededException":
            return Explained(
                "Quota used up",
                f"{self.host} refuses further embeddings for this account ({response.status}).",
                "Ask for a higher quota at AWS, or choose another provider.",
            )
        if kind == "ValidationException":
            return self._invalid(error_text(response.body))
        return None

    def _bad_keys(self, kind: str) -> Explained:
        hint = "Check both keys, and that the clock of this machine is right."
        if kind in EXPIRED:
            hint = "Temporary keys have run out: get new ones, or log in again."
        message = f"{self.host} refuses the keys from {self.keys} (403, {kind})."
        return Explained("Key not accepted", message, hint)

    def _no_model(self) -> Explained:
        return Explained(
            "Model not there",
            f"{self.host} has no model {self.model!r} for this account.",
            f"Check model, and whether {self.region or 'the region'} offers it (AWS_REGION).",
        )

    def _invalid(self, said: str) -> Explained:
        if _NEEDS_PROFILE.search(said):
            return Explained(
                "Model needs a profile",
                f"{self.host} serves {self.model} through regional profiles only.",
                f"Set model to a profile such as us.{self.model}.",
            )
        if _NO_MODEL.search(said):
            return self._no_model()
        about: Complaint | None = "content"
        if _TOO_LONG.search(said):
            about = "length"
        elif _TOO_MANY.search(said):
            about = "request"
        elif _NOT_ABOUT_A_TEXT.search(said):
            about = None
        return Explained(
            "Request refused",
            f"{self.host} does not accept the request (400).",
            f"Check model and outputDimensionality for {self.model}.",
            about,
        )
