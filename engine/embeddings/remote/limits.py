"""What one request and one text may hold, by provider and model, in UTF-8 bytes.

Providers count tokens. A token is at least one byte, so a number of tokens taken as a
number of bytes is never too much.
"""

from __future__ import annotations

from engine.embeddings.contract import ProviderLimits

_GEMINI_BODY_BYTES = 8_000_000
"""The host takes 20 MB a request; JSON may write one byte of text as up to six, but seldom does."""
_VOYAGE_TOKENS_PER_REQUEST = (
    (("voyage-4-lite", "voyage-3.5-lite"), 1_000_000),
    (
        ("voyage-4-large", "voyage-3-large", "voyage-code-3", "voyage-finance-2", "voyage-law-2"),
        120_000,
    ),
    (("voyage-4", "voyage-3.5", "voyage-2"), 320_000),
)
_VOYAGE_SMALLEST = 120_000


def openai_limits(model: str) -> ProviderLimits:
    """2,048 inputs and 300,000 tokens a request, 8,192 tokens a text (8,191 for ada)."""
    return ProviderLimits(2048, 300_000, 8191 if model.endswith("ada-002") else 8192)


def gemini_limits(model: str) -> ProviderLimits:
    """100 inputs a request; 2,048 tokens a text, 8,192 from embedding 2 on."""
    return ProviderLimits(100, _GEMINI_BODY_BYTES, 8192 if "embedding-2" in model else 2048)


def voyage_limits(model: str) -> ProviderLimits:
    """1,000 inputs a request; tokens a request by model; 32,000 tokens a text."""
    per_text = 16_000 if model == "voyage-3-lite" else 32_000
    for models, tokens in _VOYAGE_TOKENS_PER_REQUEST:
        if model in models:
            return ProviderLimits(1000, tokens, per_text)
    return ProviderLimits(1000, _VOYAGE_SMALLEST, per_text)


def mistral_limits(model: str) -> ProviderLimits:
    """512 inputs and 16,384 tokens a request; 8,190 tokens a text is the most that passes."""
    return ProviderLimits(512, 16_384, 8190)
