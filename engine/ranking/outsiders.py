"""Candidates beyond the configured pool: told only when somebody looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from engine.ranking.candidate import Candidate
from engine.ranking.formulas import places
from engine.ranking.scope import SUPERSET, Scope, position
from engine.ranking.trace import Lost, Ranked, Step, Trace


@dataclass(frozen=True, slots=True)
class Outsiders:
    """The candidates of a scope that the configured pool of ``size`` a leg does not reach."""

    scope: Scope
    size: int

    def __len__(self) -> int:
        return len(self.scope.outside)

    def told(self) -> list[Ranked]:
        """Each with its trace, nearest to the pool first."""
        outside = [self.scope.candidates[number] for number in self.scope.outside]
        placed = [(*self._place(candidate), candidate) for candidate in outside]
        placed.sort(key=lambda each: each[0])
        return [self._told(candidate, leg, place) for place, leg, candidate in placed]

    def _place(self, candidate: Candidate) -> tuple[int, str | None]:
        """The best 1-based place and its leg; beyond the superset when no leg lists it."""
        places = [
            (at + 1, leg) for leg in self.scope.legs if (at := position(candidate, leg)) is not None
        ]
        return min(places, default=(SUPERSET + 1, None))

    def _told(self, candidate: Candidate, leg: str | None, place: int) -> Ranked:
        step = Step(
            "pool",
            None,
            None,
            {"place": place if leg else None, "size": self.size, "leg": leg},
        )
        reason = f"{places(place - self.size)} outside the pool of {self.size}"
        if leg is None:
            reason = "outside the pool: no leg in force lists it"
        return Ranked(candidate, Trace((step,), Lost("pool", place - self.size, reason)))


class LostOnes(Sequence[Ranked]):
    """Lost candidates by how near they came; those beyond the pool are told on first use."""

    __slots__ = ("_all", "_near", "_outsiders")

    def __init__(self, near: tuple[Ranked, ...], outsiders: Outsiders) -> None:
        self._near = near
        self._outsiders = outsiders
        self._all: tuple[Ranked, ...] | None = None

    def _told(self) -> tuple[Ranked, ...]:
        if self._all is None:
            self._all = (*self._near, *self._outsiders.told())
        return self._all

    def __len__(self) -> int:
        return len(self._near) + len(self._outsiders)

    @overload
    def __getitem__(self, at: int) -> Ranked: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Ranked]: ...
    def __getitem__(self, at: int | slice) -> Ranked | Sequence[Ranked]:
        return self._told()[at]

    def __iter__(self) -> Iterator[Ranked]:
        return iter(self._told())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._told() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._near)
