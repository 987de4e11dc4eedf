"""Mistral: small requests, errors in two forms."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fakes.answers import Answer, as_json
from tests.fakes.asymmetric import tokens
from tests.fakes.strict_host import StrictHost


class MistralHost(StrictHost):
    """512 inputs and 16,384 tokens a request, 8,192 tokens a text."""

    fields = frozenset(
        {"model", "input", "encoding_format", "output_dimension", "output_dtype", "metadata"}
    )
    dimensions_field = "output_dimension"
    default_size = 1024
    encodings = ("float",)

    def usage(self, total: int) -> dict[str, int]:
        """Three counts."""
        return {"prompt_tokens": total, "completion_tokens": 0, "total_tokens": total}

    def error(self, status: int, message: str, code: str | None = None) -> Answer:
        """The error object stands alone."""
        kind = "invalid_request_prompt"
        error = {"object": "error", "message": message, "type": kind, "param": None, "code": code}
        return as_json(error, status)

    def wrong_key(self) -> Answer:
        """401."""
        return as_json({"message": "Unauthorized"}, 401)

    def unknown_field(self, name: str) -> Answer:
        """422, in the form of a validator."""
        detail = [{"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs"}]
        return as_json({"detail": detail}, 422)

    def beyond(self, texts: Sequence[str], model: str) -> Answer | None:
        """The refusal of a request beyond the limits; None for one within them."""
        if len(texts) > 512:
            return self.error(400, "Too many inputs in request, split into more batches.", "3210")
        total, longest = sum(map(tokens, texts)), max(map(tokens, texts))
        if longest >= 8192:
            return self.error(400, "Input is too long for this model.")
        if total > 16_384:
            words = f"Too many tokens in batch. Max is 16384 got {total}"
            return self.error(400, words, "3210")
        return None
