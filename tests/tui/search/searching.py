"""A scripted engine that also answers searches, with pools made by hand and the real ranking."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.errors import EngineError
from engine.ranking.pool import CandidatePool
from engine.ranking.profiles import PROFILES
from engine.ranking.rank import rank
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Ranking
from tests.screens.scripted import ScriptedEngine
from tests.screens.stage import NOW_MS
from tests.tui.search.pools import home_network


def home_network_for(query: str, settings: RankSettings) -> CandidatePool:
    """The home network under the query's own name."""
    return replace(home_network(legs=(settings.join,)), query=query)


@dataclass
class SearchingEngine(ScriptedEngine):
    """``answer`` makes the pool; a query in ``held`` waits until its event is set."""

    answer: Callable[[str, RankSettings], CandidatePool] = home_network_for
    profile: str = "tuned"
    held: dict[str, threading.Event] = field(default_factory=dict)
    error: EngineError | None = None

    def rank_settings(self, profile: str | None = None) -> RankSettings:
        """A profile as it is; without a name the one in force."""
        return PROFILES[profile or self.profile]

    def retrieve(
        self, query: str, settings: RankSettings, *, send_query: bool = True
    ) -> CandidatePool:
        """The scripted pool, noted as ``send`` or ``keep`` with the query."""
        self.asked.append(f"{'send' if send_query else 'keep'} {query} by {settings.join}")
        if query in self.held:
            self.held[query].wait(10)
        if self.error is not None:
            raise self.error
        return self.answer(query, settings)

    def rank(self, pool: CandidatePool, settings: RankSettings) -> Ranking:
        """The real ranking at the fixed clock."""
        return rank(pool, settings, NOW_MS)

    @property
    def searches(self) -> list[str]:
        """What was retrieved, in order."""
        return [word for word in self.asked if word.startswith(("send", "keep"))]
