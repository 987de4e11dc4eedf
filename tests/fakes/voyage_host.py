"""Voyage: what a text is for changes its vector; errors are one ``detail``."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fakes.answers import Answer, as_json
from tests.fakes.asymmetric import tokens
from tests.fakes.strict_host import StrictHost

_PER_REQUEST = {"voyage-4-lite": 1_000_000, "voyage-4": 320_000}


class VoyageHost(StrictHost):
    """1,000 inputs a request, tokens a request by model."""

    fields = frozenset(
        {
            "model",
            "input",
            "input_type",
            "truncation",
            "output_dimension",
            "output_dtype",
            "encoding_format",
        }
    )
    dimensions_field = "output_dimension"
    default_size = 1024
    asymmetric = True

    def usage(self, total: int) -> dict[str, int]:
        """Only a total."""
        return {"total_tokens": total}

    def error(self, status: int, message: str) -> Answer:
        """One sentence."""
        return as_json({"detail": message}, status)

    def wrong_key(self) -> Answer:
        """401."""
        return self.error(401, "Provided API key is invalid.")

    def unknown_field(self, name: str) -> Answer:
        """400."""
        return self.error(400, f"Argument '{name}' is not supported by our API.")

    def beyond(self, texts: Sequence[str], model: str) -> Answer | None:
        """The refusal of a request beyond the limits; None for one within them."""
        if len(texts) > 1000:
            return self.error(
                400, f"The batch size limit is 1000. Your batch size is {len(texts)}."
            )
        total, most = sum(map(tokens, texts)), _PER_REQUEST.get(model, 120_000)
        if total > most:
            return self.error(
                400,
                f"Request to model '{model}' failed. The max allowed tokens per submitted batch "
                f"is {most}. Your batch has {total} tokens after truncation.",
            )
        return None
