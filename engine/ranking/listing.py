"""A pool's candidates, each made only when somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import overload

from engine.ranking.candidate import Candidate


class Listing(Sequence[Candidate]):
    """Candidates by number, and their places in the legs without making them.

    Of the hundreds that a search lists ranking needs no more than the places, except
    for the few inside the configured pool. ``make`` gives the candidate of a number,
    ``places`` by leg the 0-based places of the numbers that it lists.
    """

    __slots__ = ("_made", "_make", "_numbers", "_places")

    def __init__(
        self,
        numbers: Sequence[int],
        make: Callable[[int], Candidate],
        places: Mapping[str, Mapping[int, int]],
    ) -> None:
        self._numbers = tuple(numbers)
        self._make = make
        self._places = places
        self._made: dict[int, Candidate] = {}

    def places(self, leg: str) -> list[int | None]:
        """The place of each candidate in a leg, None where it is not listed."""
        listed = self._places.get(leg, {})
        return [listed.get(number) for number in self._numbers]

    def _at(self, number: int) -> Candidate:
        made = self._made.get(number)
        return made or self._made.setdefault(number, self._make(number))

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> Candidate: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Candidate, ...]: ...
    def __getitem__(self, at: int | slice) -> Candidate | tuple[Candidate, ...]:
        if isinstance(at, slice):
            return tuple(map(self._at, self._numbers[at]))
        return self._at(self._numbers[at])

    def __iter__(self) -> Iterator[Candidate]:
        return map(self._at, self._numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(self._numbers)
