"""What a configuration changes of a ranking profile, and who set it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.ranking.knobs import knobs_of
from engine.ranking.overrides import TEXT_WEIGHT, VECTOR_WEIGHT
from engine.ranking.profiles import profile
from engine.retrieval.settings import OWN_PROFILE, rank_settings

if TYPE_CHECKING:
    from engine.config.resolved import ConfigValue, Provenance, ResolvedConfig

_MOVED_BY = {
    VECTOR_WEIGHT: TEXT_WEIGHT,
    TEXT_WEIGHT: VECTOR_WEIGHT,
    "pool": "query.hybrid.candidateMultiplier",
}
"""Keys that another key moves as well: the weights sum to 1, a multiple replaces a number."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A ranking setting in force that is not the profile's, and what set it."""

    key: str
    value: Any
    profile_value: Any
    source: Provenance


def differences(config: ResolvedConfig, name: str | None = None) -> tuple[Difference, ...]:
    """What differs from the profile (the configured one without a name), in order of keys.

    Raises ConfigError for an unknown profile.
    """
    chosen = name or config.profile
    usual, used = knobs_of(profile(chosen)), knobs_of(rank_settings(config, chosen))
    sources = {value.key: value.source for value in config.values}
    return tuple(
        Difference(key, value, usual[key], _source(key, sources))
        for key, value in used.items()
        if value != usual[key]
    )


def unheeded(config: ResolvedConfig, name: str | None = None) -> tuple[ConfigValue, ...]:
    """Ranking settings of the agent's configuration that the profile does not listen to."""
    if (name or config.profile) != OWN_PROFILE:
        return ()
    knobs = knobs_of(profile(OWN_PROFILE)).keys()
    agents = ("agent config", "agent override")
    return tuple(v for v in config.values if v.key in knobs and v.source.layer in agents)


def _source(key: str, sources: dict[str, Provenance]) -> Provenance:
    own = sources[key]
    return sources[_MOVED_BY[key]] if own.layer == "default" and key in _MOVED_BY else own
