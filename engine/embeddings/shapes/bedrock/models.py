"""Which family a Bedrock model id belongs to, however it is spelled, and what that takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.embeddings.contract import ProviderLimits

Dialect = Literal["titan-v2", "titan-v1", "cohere-v3", "cohere-v4", "nova", "marengo"]

_PROFILE_PREFIXES = frozenset({"us", "us-gov", "eu", "ap", "apac", "au", "jp", "ca", "global"})
"""Regions in front of an id: a profile that spreads requests over them."""


@dataclass(frozen=True, slots=True)
class Family:
    """Models that speak one dialect; ids begin with one of ``names``.

    Limits count tokens, a token being at least one byte; where a family takes much fewer
    tokens than a chunk has bytes, the limit is by what usual texts need, and a text that
    is too long all the same is refused and cut.
    """

    dialect: Dialect
    names: tuple[str, ...]
    limits: ProviderLimits


FAMILIES = (
    Family("titan-v2", ("amazon.titan-embed-text-v2",), ProviderLimits(1, 50_000, 8192)),
    Family(
        "titan-v1",
        ("amazon.titan-embed-text-v1", "amazon.titan-embed-g1-text"),
        ProviderLimits(1, 50_000, 8000),
    ),
    Family(
        "cohere-v3",
        ("cohere.embed-english-v3", "cohere.embed-multilingual-v3"),
        ProviderLimits(96, 96 * 2048, 2048),
    ),
    Family("cohere-v4", ("cohere.embed-v4",), ProviderLimits(96, 1_000_000, 128_000)),
    Family("nova", ("amazon.nova-2-multimodal-embeddings",), ProviderLimits(1, 50_000, 8192)),
    Family("marengo", ("twelvelabs.marengo-embed",), ProviderLimits(1, 50_000, 1024)),
)


def family_of(model: str) -> Family | None:
    """The family of an id, a regional profile, or an ARN of either; None for no known one."""
    base = base_model(model)
    return next((family for family in FAMILIES if base.startswith(family.names)), None)


def base_model(model: str) -> str:
    """The id without the ARN around it and without the regions in front of it."""
    name = model.rpartition("/")[2] if model.startswith("arn:") else model
    prefix, _, rest = name.partition(".")
    return rest if prefix in _PROFILE_PREFIXES else name


def bedrock_limits(model: str) -> ProviderLimits:
    """What one request to a model may hold."""
    family = family_of(model)
    return ProviderLimits(1, 50_000, 8192) if family is None else family.limits


def model_problem(model: str) -> str:
    """Why a model cannot be used; empty when it can."""
    if family_of(model) is not None:
        return ""
    if model.startswith("arn:"):
        return f"{model} does not say which model it stands for, so its dialect is not known"
    return f"{model} is of no family of embedding models that is known here"


def arn_region(model: str) -> str:
    """The region that an ARN names; empty for a plain id."""
    parts = model.split(":")
    return parts[3] if model.startswith("arn:") and len(parts) > 5 else ""
