"""Agent picker, rebuild question, provider reasons, help, palette."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.config.request import EngineOptions
from engine.config.resolved import AgentInfo
from engine.memory import MemoryEngine, Surroundings
from tests.screens.baseline import Baselines
from tests.screens.scripted import CLEAN, ScriptedEngine
from tests.screens.stage import Stage, show
from tests.screens.test_first_run import pressing
from tests.screens.test_overview import PROVIDER_ERROR

AGENTS = (
    AgentInfo("main", Path("/home/ada/clawd"), True),
    AgentInfo("work", Path("/home/ada/work/memory"), False),
    AgentInfo("研究", Path("/home/ada/研究"), False),
)
Size = tuple[int, int]


def test_agents(on_stage: Stage, baselines: Baselines, size: Size) -> None:
    engine = ScriptedEngine(agents=AGENTS)
    shot = show(on_stage.app(EngineOptions(), engine.opener()), size, pressing("a"))
    shot.must_say("Choose an agent", "▸ main", "default", "work", "/home/ada/work/memory", "研究")
    baselines.check(shot, f"agents-{size[0]}x{size[1]}")


def test_the_chosen_agent_is_opened(on_stage: Stage) -> None:
    options: list[EngineOptions] = []

    def opener(asked: EngineOptions, around: Surroundings) -> MemoryEngine:
        options.append(asked)
        state = replace(CLEAN, agent_id=asked.agent or "main")
        return ScriptedEngine(state, AGENTS).opener()(asked, around)

    shot = show(on_stage.app(EngineOptions(), opener), (80, 24), pressing("a", "down", "enter"))
    assert options[-1] == EngineOptions(agent="work")
    shot.must_say("work builtin/static-256", "✓ clean")


def test_with_one_agent_there_is_nothing_to_choose(on_stage: Stage) -> None:
    shot = show(on_stage.app(engine=ScriptedEngine().opener()), (80, 24), pressing("a"))
    shot.must_not_say("Choose an agent")


@pytest.mark.parametrize(
    ("name", "key", "words"),
    [
        ("rebuild", "R", ("Rebuild the index", "1,180 already in the cache", "leave it")),
        ("provider", "f", ("Passed over", "✗ local", "What the agent itself would do", "HTTP 401")),
        ("help", "question_mark", ("Help", "Dirty files differ from the index", "Keys of this")),
        ("palette", "colon", ("Bring the index up to date", "overview.sync")),
    ],
)
def test_dialogs(
    on_stage: Stage, baselines: Baselines, size: Size, name: str, key: str, words: tuple[str, ...]
) -> None:
    engine = ScriptedEngine(PROVIDER_ERROR)
    shot = show(on_stage.app(engine=engine.opener()), size, pressing(key))
    shot.must_say(*words)
    baselines.check(shot, f"{name}-{size[0]}x{size[1]}")
