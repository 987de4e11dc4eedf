"""An outage as several processes see it, and the history of fallbacks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import FixedClock
from engine.embeddings.fallback_history import MOST, begun_spell, ended_spell, spells_of
from engine.embeddings.outage import (
    FIRST_WAIT_S,
    LONGEST_ALONE_S,
    LONGEST_WAIT_S,
    Outage,
    as_text,
    from_text,
)
from engine.embeddings.outage_log import OutageLog, Parties
from engine.errors import StoreError
from engine.status import FallbackSpell

TOGETHER = Parties("space", "fake", "fake2")


class Page:
    """A place for notes that two logs share."""

    def __init__(self, *, writable: bool = True, broken: bool = False) -> None:
        self.texts: dict[str, str] = {}
        self._writable = writable
        self._broken = broken

    def note(self, name: str) -> str | None:
        if self._broken:
            raise StoreError("Damaged", "The file is damaged.")
        return self.texts.get(name)

    def keep_note(self, name: str, change: Callable[[str | None], str | None]) -> bool:
        if self._broken:
            raise StoreError("Disk full", "There is no room.")
        if self._writable:
            text = change(self.texts.get(name))
            self.texts.pop(name, None)
            if text is not None:
                self.texts[name] = text
        return self._writable


def log(page: Page | None, clock: FixedClock, parties: Parties = TOGETHER) -> OutageLog:
    return OutageLog(clock, lambda: page, parties)


def test_another_process_knows_of_an_outage_and_of_its_end() -> None:
    page, one, other = Page(), FixedClock(1_000_000.0, 5.0), FixedClock(1_010_000.0, 9_000.0)
    first, second = log(page, one), log(page, other)
    assert first.failed("down", "wait", slow=True)
    seen = second.current()
    assert seen is not None
    assert (seen.reason, seen.hint, seen.since_ms, seen.slow) == ("down", "wait", 1_000_000.0, True)
    # Ten of the thirty seconds have passed there, whatever its monotonic clock shows.
    assert seen.ask_at_s == 9_000.0 + 20.0
    assert second.answered()
    assert first.current() is None
    assert not first.answered()


def test_an_attempt_in_vain_of_one_process_counts_for_the_other() -> None:
    page, clock = Page(), FixedClock(1_000_000.0, 5.0)
    first, second = log(page, clock), log(page, clock)
    first.failed("down", "", slow=False)
    clock.seconds += FIRST_WAIT_S
    clock.epoch_ms += FIRST_WAIT_S * 1000.0
    second.current()
    assert not second.failed("still down", "", slow=False)
    seen = first.current()
    assert seen is not None
    assert (seen.reason, seen.wait_s) == ("still down", 2 * FIRST_WAIT_S)


def test_where_nobody_answers_instead_the_waits_stay_short() -> None:
    page, clock = Page(), FixedClock(0.0)
    alone = log(page, clock, Parties("space", "fake", None))
    waits = []
    for _ in range(4):
        alone.failed("down", "", slow=True)
        outage = alone.current()
        assert outage is not None
        waits.append(outage.wait_s)
        clock.seconds = outage.ask_at_s
    assert waits == [FIRST_WAIT_S, LONGEST_ALONE_S, LONGEST_ALONE_S, LONGEST_ALONE_S]
    assert alone.spells() == ()


@pytest.mark.parametrize("page", [None, Page(writable=False), Page(broken=True)])
def test_without_a_place_for_notes_a_process_knows_its_own_failures(page: Page | None) -> None:
    clock = FixedClock(1_000.0)
    own = log(page, clock)
    assert own.failed("down", "", slow=False)
    assert own.current() is not None
    assert own.spells() == (FallbackSpell("fake", "fake2", "down", 1_000.0),)
    clock.epoch_ms = 3_000.0
    assert own.answered()
    assert own.current() is None
    assert own.spells() == (FallbackSpell("fake", "fake2", "down", 1_000.0, 3_000.0),)


def test_the_history_keeps_the_latest_and_ends_what_was_left_open() -> None:
    kept = None
    for number in range(MOST + 5):
        kept = begun_spell(kept, FallbackSpell("a", "b", str(number), float(number)))
    spells = spells_of(kept)
    assert len(spells) == MOST
    assert (spells[0].reason, spells[0].until_ms) == (str(MOST + 4), None)
    assert (spells[1].since_ms, spells[1].until_ms) == (MOST + 3.0, MOST + 4.0)
    assert spells_of(ended_spell(kept, 99.0))[0].until_ms == 99.0


@given(
    st.floats(0, 4e12),
    st.floats(0, 4e12),
    st.floats(0, 1e9),
    st.floats(FIRST_WAIT_S, LONGEST_WAIT_S),
)
def test_no_jump_of_a_clock_makes_a_wait_longer_than_it_was(
    written_ms: float, read_ms: float, now_s: float, wait_s: float
) -> None:
    outage = Outage("down", "", written_ms, 100.0 + wait_s, wait_s)
    seen = from_text(as_text(outage, written_ms, 100.0), read_ms, now_s)
    assert seen is not None
    assert now_s <= seen.ask_at_s <= now_s + LONGEST_WAIT_S
    assert seen.since_ms <= read_ms


@given(st.text(max_size=80))
def test_a_note_that_makes_no_sense_is_no_outage(text: str) -> None:
    assert from_text(text, 0.0, 0.0) is None
