"""OpenAI's own host: strict about fields, four keys in every error."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fakes.answers import Answer, as_json
from tests.fakes.asymmetric import tokens
from tests.fakes.strict_host import StrictHost


class OpenAIHost(StrictHost):
    """2,048 inputs, 8,192 tokens each, 300,000 tokens in all, no empty text."""

    fields = frozenset({"model", "input", "encoding_format", "dimensions", "user"})

    def error(self, status: int, message: str, code: str | None = None) -> Answer:
        """With ``message``, ``type``, ``param`` and ``code``."""
        kind = code if code == "max_tokens_per_request" else "invalid_request_error"
        error = {"message": message, "type": kind, "param": None, "code": code}
        return as_json({"error": error}, status)

    def wrong_key(self) -> Answer:
        """401."""
        return self.error(401, "Incorrect API key provided.", "invalid_api_key")

    def unknown_field(self, name: str) -> Answer:
        """400."""
        error = {"type": "invalid_request_error", "param": name, "code": "unknown_parameter"}
        return as_json({"error": {"message": f"Unknown parameter: '{name}'.", **error}}, 400)

    def beyond(self, texts: Sequence[str], model: str) -> Answer | None:
        """The refusal of a request beyond the limits; None for one within them."""
        if not all(texts):
            return self.error(400, "'$.input' is invalid: an input may not be empty.")
        if len(texts) > 2048:
            return self.error(400, "'$.input' is invalid: the array max is 2048 items.")
        longest, total = max(map(tokens, texts)), sum(map(tokens, texts))
        if longest > 8192:
            return self.error(
                400,
                "This model's maximum context length is 8192 tokens, however you requested "
                f"{longest} tokens.",
            )
        if total > 300_000:
            words = f"Requested {total} tokens, max 300000 tokens per request"
            return self.error(400, words, "max_tokens_per_request")
        return None
