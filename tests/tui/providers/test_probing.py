"""Probing on the screen: asked first where it costs, told with its time, never blocking."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from engine.errors import ProviderError
from tests.screens.stage import Stage
from tests.tui.providers.driving import Seat, act
from tests.tui.providers.providing import ProvidingEngine
from tests.tui.providers.states import BAD, GOOD, OUTAGE, REFUSED, REMOTE, STATES, engine


def test_a_probe_on_this_machine_is_not_asked_for(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        seat.shot.must_say("probe not tried yet; p embeds one word with it")
        await seat.press("p")
        seat.shot.must_say("✓ answered in 3 ms · 256d · just now")
        assert seat.engine.asked.count("probe") == 1

    act(on_stage, engine("auto"), play)


def test_a_remote_probe_is_asked_for_once(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("p")
        seat.shot.must_say("Send a word to openai?", "No text of the memory is")
        await seat.press("enter")
        assert "probe" not in seat.engine.asked
        await seat.press("p", "escape")
        assert "probe" not in seat.engine.asked
        await seat.press("p", "left", "enter")
        seat.shot.must_say("✓ answered in 201 ms · 1,536d")
        await seat.press("p")
        assert seat.engine.asked.count("probe") == 2

    act(on_stage, engine("remote"), play)


def test_until_it_is_known_where_the_provider_lies_a_probe_is_asked_for(on_stage: Stage) -> None:
    """While the fallback answers on this machine, the probe still goes to the other one."""
    broken = replace(engine("outage"), broken=ProviderError("No", "Not now.", ""))

    async def play(seat: Seat) -> None:
        seat.shot.must_say("stay on this machine while builtin answers", "vector spaces")
        await seat.press("p")
        seat.shot.must_say("Send a word to openai?", "When openai answers, it is used again")

    act(on_stage, broken, play)


def test_what_went_wrong_stands_there_and_the_remedy_in_the_dialog(on_stage: Stage) -> None:
    failing = replace(engine("remote"), report=BAD)

    async def play(seat: Seat) -> None:
        await seat.press("p", "left", "enter")
        seat.shot.must_say("✗ failed in 8.0 s, just now: Too many requests")
        await seat.press(*["j"] * 5, "enter")
        seat.shot.must_say("What to do", "Search again after it", "probe now", "close")

    act(on_stage, failing, play)


def test_the_screen_answers_while_a_probe_waits(on_stage: Stage) -> None:
    slow = replace(engine("auto"), gate=threading.Event())

    async def play(seat: Seat) -> None:
        assert slow.gate is not None
        await seat.pilot.press("p")
        await seat.until_said("◐ asking builtin")
        await seat.pilot.press("p")
        await seat.pilot.press("1")
        await seat.until_said("[1 Overview]")
        await seat.pilot.press("4")
        await seat.until_said("◐ asking builtin")
        assert "p probe" not in seat.shot.lines[-1]
        slow.gate.set()
        await seat.until_said("✓ answered in 3 ms")
        assert slow.asked.count("probe") == 1

    act(on_stage, slow, play)


RETRY = [("remote", False), ("outage", True), ("refused", True)]


@pytest.mark.parametrize(("state", "retry"), RETRY)
def test_asking_again_is_offered_while_a_provider_fails(
    on_stage: Stage, state: str, retry: bool
) -> None:
    async def play(seat: Seat) -> None:
        assert ("r retry" in seat.shot.lines[-1]) is retry
        if retry:
            await seat.press("r", "left", "enter")
            assert seat.engine.asked.count("probe") == 1
            seat.engine.state = REMOTE
            seat.app.bridge.refresh_status()
            await seat.until(lambda: "r retry" not in seat.shot.lines[-1])

    act(on_stage, engine(state), play)


def test_without_a_provider_there_is_nothing_to_probe(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        seat.shot.must_not_say("p probe", "key from")
        await seat.press("p", "r")
        assert "probe" not in seat.engine.asked

    act(on_stage, engine("none"), play)


def test_a_probe_of_one_memory_is_not_told_of_another(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("p")
        seat.shot.must_say("✓ answered in")
        seat.engine.state = replace(STATES["auto"], agent_id="work", workspace="/home/ada/work")
        seat.app.bridge.refresh_status()
        await seat.until_said("work builtin/static-256")
        seat.shot.must_say("not tried yet")

    act(on_stage, engine("auto"), play)


def test_the_answer_of_a_named_provider_ends_the_word_of_trouble(on_stage: Stage) -> None:
    providing = replace(engine("refused"), report=GOOD)

    async def play(seat: Seat) -> None:
        seat.shot.must_say("trouble ✗ HTTP 401: the key was not accepted.")
        providing.state = replace(REFUSED, provider=REMOTE.provider)
        await seat.press("r", "left", "enter")
        await seat.until(lambda: "trouble" not in seat.shot.text)
        seat.shot.must_say("✓ answered in 201 ms")

    act(on_stage, providing, play)


def test_an_outage_with_no_wait_left_says_who_asks_next(on_stage: Stage) -> None:
    fallback = OUTAGE.provider.fallback
    assert fallback is not None
    due = replace(OUTAGE.provider, fallback=replace(fallback, again_ms=1.0))
    providing = ProvidingEngine(replace(OUTAGE, provider=due))

    async def play(seat: Seat) -> None:
        seat.shot.must_say("the next search or sync asks openai again; r asks now")

    act(on_stage, providing, play)
