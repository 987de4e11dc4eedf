"""A person at the screen with a paid provider: asked before anything is sent, then obeyed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.config.request import EngineOptions
from tests.consent.wire import ears, environ_keys
from tests.engine.agent_home import AgentHome, remote
from tests.fakes.provider_server import FakeProvider
from tests.screens.stage import Stage, settle, stage
from tests.tui.search.driving import Seat
from tests.tui.search.searching import SearchingEngine
from tui.app import MemlensApp
from tui.screens.search import SearchScreen

PATIENCE_S = 30.0
NOTE = "kestrel is the gateway host\n"
Play = Callable[[Seat], Awaitable[None]]


@dataclass(frozen=True)
class Desk:
    """A person's machine with an agent on it."""

    on_stage: Stage
    home: AgentHome

    def app(self) -> MemlensApp:
        """The application on the agent's memory."""
        return self.on_stage.app(EngineOptions(state_dir=self.home.state))


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as fake:
        yield fake


@pytest.fixture
def desk(tmp_path: Path, fake: FakeProvider) -> Desk:
    home = AgentHome(tmp_path / "agent")
    home.write("MEMORY.md", NOTE)
    home.configure(remote(fake.base_url))
    return Desk(stage(tmp_path / "person"), home)


def play(app: MemlensApp, steps: Play) -> None:
    """Run the application, wait until it rests, take these steps."""

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await steps(Seat(app, pilot, SearchingEngine(), []))

    asyncio.run(run())


async def until(seat: Seat, condition: Callable[[], bool]) -> None:
    """Wait until something is true, half a minute at most."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "the condition was never met"
        await seat.pilot.pause(0.01)
    await seat.pilot.pause()


async def to_search(seat: Seat) -> None:
    """The Search screen, ready for a query."""
    await seat.app.action_go("search")
    await until(seat, lambda: isinstance(seat.app.screen, SearchScreen))
    await until(seat, lambda: seat.screen.lab is not None)


async def typed(seat: Seat, text: str) -> None:
    """Type key by key, and wait for the results that come by themselves."""
    seat.pane.query_box.focus()
    await seat.pilot.press(*text)
    await until(seat, lambda: seat.lab.pool is not None and seat.lab.pool.query == text)
    await seat.rest()


def test_the_first_paid_index_asks_with_its_estimate_and_no_is_no(
    desk: Desk, fake: FakeProvider
) -> None:
    async def decline(seat: Seat) -> None:
        await until(seat, lambda: "Send this memory to a provider?" in seat.shot.text)
        seat.shot.must_say("1 to make", "sent to openai", "token")
        assert fake.requests == []
        await seat.press("escape")
        await until(seat, lambda: "Send this memory" not in seat.shot.text)
        await settle(seat.pilot)

    play(desk.app(), decline)
    assert fake.requests == []


def test_yes_sends_this_memory(desk: Desk, fake: FakeProvider) -> None:
    async def agree(seat: Seat) -> None:
        await until(seat, lambda: "Send this memory to a provider?" in seat.shot.text)
        await seat.pilot.press("left", "enter")
        await until(
            seat, lambda: seat.app.status is not None and seat.app.status.vector.vectors == 1
        )

    play(desk.app(), agree)
    assert fake.texts == [NOTE]


def test_typing_pays_nothing_and_enter_sends_the_query_once(desk: Desk, fake: FakeProvider) -> None:
    with desk.home.open() as engine:
        engine.sync("demand")
    sent = len(fake.requests)

    async def search(seat: Seat) -> None:
        await to_search(seat)
        await typed(seat, "gateway")
        assert len(fake.requests) == sent
        assert seat.lab.pool is not None
        assert seat.lab.pool.mode == "keyword"
        await seat.press("enter")
        await until(seat, lambda: seat.lab.pool is not None and seat.lab.pool.mode == "hybrid")
        assert fake.texts[sent:] == ["gateway"]
        seat.pane.query_box.focus()
        await seat.pilot.press(*["backspace"] * 3)
        await until(seat, lambda: seat.lab.pool is not None and seat.lab.pool.query == "gate")
        await seat.pilot.press(*"way")
        await until(seat, lambda: seat.lab.pool is not None and seat.lab.pool.query == "gateway")
        await seat.rest()
        assert seat.lab.pool.mode == "hybrid"  # remembered, not sent again

    play(desk.app(), search)
    assert fake.texts[sent:] == ["gateway"]


def test_before_consent_even_enter_sends_nothing(desk: Desk, fake: FakeProvider) -> None:
    async def search(seat: Seat) -> None:
        await until(seat, lambda: "Send this memory to a provider?" in seat.shot.text)
        await seat.press("escape")
        await to_search(seat)
        await typed(seat, "gateway")
        await seat.press("enter")
        await until(seat, lambda: "consent" in seat.shot.text)
        assert seat.lab.pool is not None
        assert seat.lab.pool.candidates

    play(desk.app(), search)
    assert fake.requests == []


@pytest.mark.parametrize("where", ["demo", "folder"])
def test_keys_of_the_environment_are_no_choice(where: str, tmp_path: Path) -> None:
    """Index, typing and enter in the demo and in a plain folder: nothing leaves."""
    with ears() as listening:
        on_stage = stage(tmp_path)
        on_stage.write("MEMORY.md", NOTE)
        options = EngineOptions(demo=True)
        if where == "folder":
            options = EngineOptions(workspace=on_stage.workspace)
        around = on_stage.around(**{**environ_keys(), **listening.proxies})
        app = MemlensApp(options, around)

        async def search(seat: Seat) -> None:
            await until(seat, lambda: bool(seat.app.status and seat.app.status.vector.vectors))
            await to_search(seat)
            await typed(seat, "gateway")
            await seat.press("enter")
            await until(seat, lambda: seat.lab.pool is not None and seat.lab.pool.mode == "hybrid")
            assert seat.app.status is not None
            assert seat.app.status.provider.provider == "builtin"

        play(app, search)
        assert listening.heard == []
