"""What the person is trying: the pool, the settings in force, and the way there and back.

No widget and no I/O; the Search screen shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from engine.ranking.pool import CandidatePool
from engine.ranking.scope import scope_of
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Ranking
from tui.widgets.search.changes import Ranks, ranks_of
from tui.widgets.search.knobs import BY_NAME, HYBRID, PROFILE, WEIGHTS

Rank = Callable[[CandidatePool, RankSettings], Ranking]


@dataclass
class Lab:
    """The settings, their history, and the ranking of the pool at hand.

    ``profiles`` holds the complete settings of each profile by name. ``rank`` is the
    engine's ranking of a pool. Rank changes are told against the pinned settings, or
    else against the ranking before the knob in hand began to turn.
    """

    rank: Rank
    profiles: Mapping[str, RankSettings]
    settings: RankSettings
    pool: CandidatePool | None = None
    ranking: Ranking | None = None
    pinned: RankSettings | None = None
    pinned_ranks: Ranks | None = None
    before: Ranks | None = None
    asked_join: str | None = None
    _past: list[RankSettings] = field(default_factory=list)
    _future: list[RankSettings] = field(default_factory=list)
    _turning: str = ""

    @property
    def base(self) -> RankSettings:
        """The settings of the profile in force, as the profile has them."""
        return self.profiles.get(self.settings.profile, self.settings)

    @property
    def baseline(self) -> Ranks | None:
        """What ranks are compared with; None when there is nothing yet."""
        return self.pinned_ranks if self.pinned is not None else self.before

    @property
    def mode(self) -> str:
        """The legs that count: "hybrid", "vector" or "keyword"."""
        return self.ranking.mode if self.ranking is not None else HYBRID

    @property
    def can_undo(self) -> bool:
        """True when a change can be taken back."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """True when a change that was taken back can be made again."""
        return bool(self._future)

    @property
    def waiting(self) -> bool:
        """True when the pool lacks the keyword leg that the settings rank by."""
        if self.pool is None or self.settings.join == self.asked_join:
            return False
        return not serves(self.pool, self.settings)

    def take(
        self,
        pool: CandidatePool,
        asked_join: str,
        pinned_ranks: Ranks | None = None,
        ranking: Ranking | None = None,
    ) -> None:
        """Rank a freshly retrieved pool; another query forgets what came before.

        ``asked_join`` is the join of the settings that it was retrieved for; a ``ranking``
        that was made beside it is taken if the knobs have not turned since.
        """
        if self.pool is None or self.pool.query != pool.query:
            self.before, self._turning = None, ""
        self.pool, self.asked_join = pool, asked_join
        self.pinned_ranks = pinned_ranks
        if ranking is not None and ranking.settings == self.settings:
            self.ranking = ranking
        else:
            self.ranking = self.rank(pool, self.settings)

    def clear(self) -> None:
        """Forget pool and ranking; the settings and their history stay."""
        self.pool = self.ranking = self.before = self.pinned_ranks = None

    def move(self, name: str, steps: int, big: bool = False) -> bool:
        """Move a knob, or go to the next profile; False when nothing changed."""
        if name == PROFILE:
            return self.change(self._profile_after(steps))
        if name == WEIGHTS and self.mode != HYBRID:
            return False
        return self.change(BY_NAME[name].moved(self.settings, steps, big), name)

    def restore(self, name: str) -> bool:
        """Put a knob, or with the profile's name all of them, where the profile has it."""
        if name == PROFILE:
            return self.change(self.base)
        return self.change(BY_NAME[name].restored(self.settings, self.base))

    def toggle(self, name: str) -> bool:
        """Switch a knob that has a switch; False when it has none."""
        knob = BY_NAME.get(name)
        if knob is None:
            return False
        return self.change(knob.switched(self.settings, not knob.is_on(self.settings)))

    def change(self, settings: RankSettings, turning: str = "") -> bool:
        """Put other settings in force and remember the old; False when they are the same.

        ``turning`` names the knob; while it goes on turning the comparison stays.
        """
        if settings == self.settings:
            return False
        self._past.append(self.settings)
        self._future.clear()
        self._apply(settings, turning)
        return True

    def undo(self) -> bool:
        """Take the last change back; False when there is none."""
        if not self._past:
            return False
        self._future.append(self.settings)
        self._apply(self._past.pop())
        return True

    def redo(self) -> bool:
        """Make the change again that was taken back last; False when there is none."""
        if not self._future:
            return False
        self._past.append(self.settings)
        self._apply(self._future.pop())
        return True

    def pin(self) -> None:
        """Compare with the settings in force from now on; pinning them again lets go."""
        if self.pinned == self.settings:
            self.pinned = self.pinned_ranks = None
            return
        self.pinned = self.settings
        self.pinned_ranks = ranks_of(self.ranking) if self.ranking else None

    def _apply(self, settings: RankSettings, turning: str = "") -> None:
        if self.ranking is not None and not (turning and turning == self._turning):
            self.before = ranks_of(self.ranking)
        self._turning = turning
        self.settings = settings
        if self.pool is not None and not self.waiting:
            self.ranking = self.rank(self.pool, settings)

    def _profile_after(self, steps: int) -> RankSettings:
        names = list(self.profiles)
        if self.settings.profile not in names:
            return self.settings
        place = (names.index(self.settings.profile) + steps) % len(names)
        return replace(self.profiles[names[place]], source=self.settings.source)


def serves(pool: CandidatePool, settings: RankSettings) -> bool:
    """True when the pool holds every keyword leg that the settings rank by."""
    scope = scope_of(pool, settings)
    if scope.mode == "vector":
        return True
    names = {leg.name for leg in pool.legs}
    return bool(scope.text_legs) and names.issuperset((*scope.text_legs, *scope.name_legs))
