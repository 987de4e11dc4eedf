"""Whose turn it is."""

from __future__ import annotations

import threading

import pytest

from engine.errors import CancelledError
from engine.local_models.turns import Turns
from engine.net.messages import never

WAIT_S = 30.0


class Waiting(threading.Thread):
    """Wants a turn, says when it waits, and notes its name when it has it."""

    def __init__(self, turns: Turns, order: list[str], name: str, *, urgent: bool) -> None:
        super().__init__(name=name)
        self._turns = turns
        self._order = order
        self._urgent = urgent
        self._waits = threading.Event()
        self.start()
        assert self._waits.wait(WAIT_S)

    def run(self) -> None:
        with self._turns.turn(self._look, urgent=self._urgent):
            self._order.append(self.name)

    def _look(self) -> bool:
        self._waits.set()
        return False


def test_urgent_ones_overtake_those_who_wait_longer() -> None:
    turns, order = Turns(), list[str]()
    with turns.turn(never, urgent=False):
        waiting = [
            Waiting(turns, order, "batch", urgent=False),
            Waiting(turns, order, "query", urgent=True),
        ]
        assert order == []
    for thread in waiting:
        thread.join(WAIT_S)
    assert order == ["query", "batch"]


def test_a_cancelled_wait_leaves_no_trace() -> None:
    turns, order = Turns(), list[str]()
    with (
        turns.turn(never, urgent=False),
        pytest.raises(CancelledError),
        turns.turn(lambda: True, urgent=True),
    ):
        pass
    with turns.turn(never, urgent=False):
        order.append("after")
    assert order == ["after"]


def test_a_failed_turn_is_given_back() -> None:
    turns = Turns()
    with pytest.raises(ValueError, match="no"), turns.turn(never, urgent=True):
        raise ValueError("no")
    with turns.turn(never, urgent=False):
        pass
