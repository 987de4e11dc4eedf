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

    ``typed_only`` says that the query was not sent to a paid provider; ``outdated`` that
    the index has changed since the pool was fetched.
    """

    pool: CandidatePool | None
    ranking: Ranking | None
    status: EngineStatus | None
    error: EngineError | None = None
    typed_only: bool = False
    outdated: bool = False


def notices(standing: Standing) -> tuple[str, ...]:
    """The remarks in order of weight, each once."""
    return tuple(dict.fromkeys(_told(standing)))


def count_told(standing: Standing) -> str:
    """``6 of 24 · 3 ms``: results, candidates, and how long the index took."""
    pool, ranking = standing.pool, standing.ranking
    if pool is None or ranking is None:
        return ""
    told = f"{len(ranking.kept)} of {count(len(pool.candidates), 'candidate')}"
    took = pool.timings_ms.get("total", sum(pool.timings_ms.values()))
    return f"{told} · {took:.0f} ms" if pool.timings_ms else told


def _told(standing: Standing) -> Iterator[str]:
    if standing.error is not None:
        error = standing.error
        yield " ".join(part for part in (f"{error.title}:", error.message, error.hint) if part)
        return
    if standing.outdated:
        yield "The index has changed since this search: r runs it again."
    yield from _about_provider(standing)
    if standing.ranking is not None:
        yield from standing.ranking.notices
    if standing.pool is not None:
        yield from standing.pool.notices
        yield from (f"Leg {leg.name}: {leg.error}" for leg in standing.pool.legs if leg.error)


def _about_provider(standing: Standing) -> Iterator[str]:
    status, pool = standing.status, standing.pool
    if status is None or pool is None:
        return
    fallback = status.provider.fallback
    if fallback is not None:
        yield f"{fallback.to} answers instead of {fallback.from_}: {fallback.reason}"
    if pool.mode != "keyword":
        return
    if standing.typed_only and status.provider.remote and status.search_mode == "hybrid":
        yield f"Keywords only while typing: enter asks {status.provider.provider} for vectors."
    else:
        why = status.provider.error or status.provider.reason
        yield f"{mode_words(status).capitalize()}. {why}".strip()
