"""From an opened engine to a screen that shows something: first run, agents, failures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.message import Message

from engine.config.request import EngineOptions

if TYPE_CHECKING:
    from engine.config.resolved import AgentInfo, LookedFor
    from engine.errors import EngineError
    from engine.memory import MemoryEngine
    from tui.bridge import Bridge
    from tui.screens.asking import AfterFailure
    from tui.screens.first_run import Chosen


LOOK = "look"
"""The group of the first request to an opened engine."""


class Looked(Message):
    """What an opened engine found: whether there is a memory, where it looked, which workspace
    it took, which agents, the looks that its settings ask for (``theme`` and ``glyphs``, where
    somebody set them), and what is wrong with its configuration.
    """

    def __init__(
        self,
        has_memory: bool,
        looked_for: Sequence[LookedFor],
        workspace: Path | None,
        agents: Sequence[AgentInfo],
        looks: Mapping[str, str],
        problems: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.has_memory = has_memory
        self.looked_for = looked_for
        self.workspace = workspace
        self.agents = agents
        self.looks = looks
        self.problems = problems


def _look(engine: MemoryEngine) -> Looked:
    looks = {
        value.key: str(value.value)
        for value in engine.config.values
        if value.key in ("theme", "glyphs") and value.source.layer != "default"
    }
    problems = [problem.message for problem in engine.config.problems]
    if engine.has_memory:
        _ = engine.store  # an index that cannot be used is told before any screen waits for it
    return Looked(
        engine.has_memory,
        engine.looked_for,
        engine.config.workspace,
        engine.agents,
        looks,
        problems,
    )


class Opening:
    """Opens a memory and puts the right question when there is none."""

    def __init__(
        self, app: App[Any], bridge: Bridge, reopen: Callable[[EngineOptions], None]
    ) -> None:
        self._app = app
        self._bridge = bridge
        self._reopen = reopen
        self.agents: Sequence[AgentInfo] = ()

    def look(self) -> None:
        """Ask the opened engine what it found; ``Looked`` follows."""
        self._bridge.request(LOOK, _look, lambda looked: looked, self._app)

    def first_run(self, looked: Looked) -> None:
        """Say where memory was looked for and let the person choose."""
        from tui.screens.first_run import FirstRunScreen

        home = self._bridge.around.places.home
        screen = FirstRunScreen(looked.looked_for, looked.workspace, home, looked.problems)
        self._app.push_screen(screen, self._chosen)

    def choose_agent(self, current: str) -> None:
        """Let the person pick one of several agents."""
        from tui.screens.agents import AgentScreen

        home = str(self._bridge.around.places.home)
        self._app.push_screen(AgentScreen(self.agents, current, home), self._picked)

    def failed(self, error: EngineError) -> None:
        """Tell why nothing could be opened, and what can be done."""
        from tui.screens.asking import not_opened

        self._app.push_screen(not_opened(error), self._after_failure)

    def _chosen(self, chosen: Chosen | None) -> None:
        from tui.screens.first_run import OpenFolder

        if isinstance(chosen, OpenFolder):
            self._reopen(EngineOptions(workspace=chosen.folder, now_ms=self._now_ms))
        elif chosen is not None:
            self._reopen(EngineOptions(demo=True, now_ms=self._now_ms))

    def _picked(self, agent: str | None) -> None:
        if agent is not None:
            self._reopen(replace(self._bridge.options, agent=agent))

    def _after_failure(self, answer: AfterFailure | None) -> None:
        if answer == "retry":
            self._reopen(self._bridge.options)
        elif answer == "demo":
            self._reopen(EngineOptions(demo=True, now_ms=self._now_ms))
        elif answer == "folder":
            self.first_run(Looked(False, (), None, (), {}))
        else:
            self._app.exit()

    @property
    def _now_ms(self) -> float | None:
        return self._bridge.options.now_ms
