from __future__ import annotations

from pathlib import Path

import pytest

from engine.tools.arguments import ArgumentError
from engine.tools.memory_get import get_for_agent, memory_get
from tests.engine.agent_home import AgentHome


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    home = AgentHome(tmp_path)
    home.write("memory/b.md", "alpha beta gamma\n\ndelta\n")
    home.configure({"provider": "none"})
    return home


def test_february_and_march_answer_text_and_path_only(home: AgentHome) -> None:
    with home.open("era=2026.3") as engine:
        assert get_for_agent(engine, {"path": "memory/b.md", "from": 1.7, "lines": 1}) == {
            "text": "alpha beta gamma",
            "path": "memory/b.md",
        }
        assert memory_get(engine, "secret.txt") == {
            "path": "secret.txt",
            "text": "",
            "disabled": True,
            "error": "path required",
        }


def test_memlens_says_which_lines_came_and_why_a_path_is_refused(home: AgentHome) -> None:
    with home.open("era=memlens") as engine:
        answer = memory_get(engine, "memory/b.md", 3, 1)
        assert answer == {"text": "delta", "path": "memory/b.md", "from": 3, "lines": 1}
        refused = memory_get(engine, "../outside.md")
        assert refused["disabled"] is True
        assert len(refused["error"]) > 20


def test_a_long_file_tells_where_to_read_on(home: AgentHome) -> None:
    home.write("memory/long.md", "".join(f"line {n}\n" for n in range(1, 301)))
    with home.open("era=memlens") as engine:
        answer = memory_get(engine, "memory/long.md")
        assert (answer["truncated"], answer["nextFrom"]) == (True, 121)


def test_a_path_is_required(home: AgentHome) -> None:
    with home.open() as engine, pytest.raises(ArgumentError) as caught:
        get_for_agent(engine, {})
    assert caught.value.message == "path required"
