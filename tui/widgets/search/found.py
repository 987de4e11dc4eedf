"""The engine calls of the Search screen, as functions to run on a thread, and their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.message import Message

from engine.ranking.pool import CandidatePool
from engine.ranking.profiles import PROFILES
from engine.ranking.settings import RankSettings
from tui.widgets.search.changes import Ranks, ranks_of
from tui.widgets.search.lab import serves

if TYPE_CHECKING:
    from engine.memory import MemoryEngine
    from engine.ranking.trace import Ranking


class ProfilesRead(Message):
    """The settings of all profiles with what the configuration overrides, and the one in force."""

    def __init__(self, profiles: Mapping[str, RankSettings], settings: RankSettings) -> None:
        super().__init__()
        self.profiles = profiles
        self.settings = settings


class Found(Message):
    """A pool of candidates has come for a query as asked, ranked as it was asked for.

    ``sent`` says that a remote provider was allowed.
    """

    def __init__(
        self,
        query: str,
        pool: CandidatePool,
        ranking: Ranking,
        pinned_ranks: Ranks | None,
        sent: bool,
    ) -> None:
        super().__init__()
        self.query = query
        self.pool = pool
        self.ranking = ranking
        self.pinned_ranks = pinned_ranks
        self.sent = sent


def read_profiles(engine: MemoryEngine) -> ProfilesRead:
    """The settings of every profile as this configuration has them."""
    profiles = {name: engine.rank_settings(name) for name in PROFILES}
    return ProfilesRead(profiles, engine.rank_settings())


def fetch(
    engine: MemoryEngine,
    query: str,
    settings: RankSettings,
    pinned: RankSettings | None,
    sent: bool,
) -> Found:
    """Retrieve the pool and rank it once, which also prepares the token sets of MMR.

    With pinned settings their ranks come along; a keyword leg that only they need is
    fetched for them.
    """
    pool = engine.retrieve(query, settings, send_query=sent)
    ranking = engine.rank(pool, settings)
    if pinned is None:
        return Found(query, pool, ranking, None, sent)
    beside = pool if serves(pool, pinned) else engine.retrieve(query, pinned, send_query=sent)
    return Found(query, pool, ranking, ranks_of(engine.rank(beside, pinned)), sent)
