"""What a person must know before reading the results: the remarks above the list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.ranking.pool import CandidatePool
from engine.ranking.trace import Ranking
from tui.widgets.search.numbers import count
from tui.wording import mode_words

if TYPE_CHECKING:
    from engine.errors import EngineError
    from engine.status import EngineStatus


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything that the remarks are read from.

    ``outdated`` says that the index has changed since the pool was fetched.
    """

    pool: CandidatePool | None
    ranking: Ranking | None
    status: EngineStatus | None
    error: EngineError | None = None
    outdated: bool = False


def notices(standing: Standing) -> tuple[str, ...]:
    """The remarks in order of weight, each once."""
    return tuple(dict.fromkeys(_told(standing)))


def count_told(standing: Standing, dot: str = "·", *, roomy: bool = False) -> str:
    """``6 of 24 candidates · 3 ms``; where there is room also which part took how long.

    ``dot`` stands between the parts.
    """
    pool, ranking = standing.pool, standing.ranking
    if pool is None or ranking is None:
        return ""
    told = f"{len(ranking.kept)} of {count(len(pool.candidates), 'candidate')}"
    if not pool.timings_ms:
        return told
    told = f"{told} {dot} {sum(pool.timings_ms.values()):.0f} ms"
    parts = [f"{name} {took:.0f}" for name, took in pool.timings_ms.items() if took >= 0.5]
    return f"{told}: {f' {dot} '.join(parts)}" if roomy and parts else told


def _told(standing: Standing) -> Iterator[str]:
    if standing.error is not None:
        error = standing.error
        yield " ".join(part for part in (f"{error.title}:", error.message, error.hint) if part)
        return
    if standing.outdated:
        yield "The index has changed since this search: r runs it again."
    yield from _about_index(standing)
    yield from _about_provider(standing)
    if standing.ranking is not None:
        yield from standing.ranking.notices
    if standing.pool is not None:
        yield from standing.pool.notices
        yield from (f"Leg {leg.name}: {leg.error}" for leg in standing.pool.legs if leg.error)


def _about_index(standing: Standing) -> Iterator[str]:
    status = standing.status
    if status is None or standing.pool is None:
        return
    if status.sync.phase == "running" and not standing.pool.candidates:
        yield "The index is being built; this search is repeated when it is there."
    if status.dirty and status.sync.phase != "running":
        behind = count(len(status.dirty), "file")
        yield f"The index is behind {behind}; what changed there is not in these results yet."
    if status.identity.status == "mismatched":
        changes = ", ".join(status.identity.changes)
        yield f"The index does not fit the configuration ({changes}); the old one answers."


def _about_provider(standing: Standing) -> Iterator[str]:
    """The fallback; and why there are keywords only, unless the pool says that itself."""
    status, pool = standing.status, standing.pool
    if status is None or pool is None:
        return
    fallback = status.provider.fallback
    if fallback is not None:
        yield f"{fallback.to} answers instead of {fallback.from_}: {fallback.reason}"
    if pool.mode == "keyword" and not pool.notices:
        why = status.provider.error or status.provider.reason
        yield f"{mode_words(status).capitalize()}. {why}".strip()
