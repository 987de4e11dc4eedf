"""Which agents there are, which one is asked for, and where each works."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config.agents import normal_agent_id
from engine.errors import ConfigError
from tests.engine.config.desk import Desk, problem
from tests.engine.config.examples import MANY


@pytest.mark.parametrize(
    ("given_id", "normal"),
    [
        ("main", "main"),
        ("  Work ", "work"),
        ("Work Desk!", "work-desk"),
        ("--a--", "a"),
        ("", "main"),
        ("日本", "main"),
        ("a_b-c1", "a_b-c1"),
        ("x" * 80, "x" * 64),
    ],
)
def test_agent_ids_are_normalised(given_id: str, normal: str) -> None:
    assert normal_agent_id(given_id) == normal


@MANY
@given(st.text(max_size=100))
def test_a_normal_id_stays_as_it_is(text: str) -> None:
    once = normal_agent_id(text)
    assert 1 <= len(once) <= 64
    assert normal_agent_id(once).strip("-") == once.strip("-")
    assert "/" not in once


def agents(*entries: Any, **defaults: Any) -> dict[str, Any]:
    return {"agents": {"list": list(entries), "defaults": defaults}}


def test_the_marked_agent_is_the_default_one(desk: Desk) -> None:
    desk.config(agents({"id": "a"}, {"id": "b", "default": True}, {"id": "c", "default": True}))
    config = desk.resolve()
    assert config.agent_id == "b"
    assert [(agent.agent_id, agent.default) for agent in config.agents] == [
        ("a", False),
        ("b", True),
        ("c", False),
    ]


def test_without_a_mark_the_first_one(desk: Desk) -> None:
    desk.config(agents({"id": "a"}, {"id": "b"}))
    assert desk.resolve().agent_id == "a"


def test_without_a_list_main(desk: Desk) -> None:
    desk.config({})
    config = desk.resolve()
    assert [(agent.agent_id, agent.workspace) for agent in config.agents] == [
        ("main", desk.workspace)
    ]
    assert config.session_key == "agent:main:main"


def test_workspaces(desk: Desk) -> None:
    entries = ({"id": "a"}, {"id": "b", "workspace": "~/b"}, {"id": "c"})
    desk.config(agents(*entries, workspace="~/common"))
    config = desk.resolve()
    assert [agent.workspace for agent in config.agents] == [
        desk.home / "common",
        desk.home / "b",
        desk.state / "workspace-c",
    ]


def test_a_state_folder_brings_its_workspace_along(desk: Desk) -> None:
    desk.config({})
    copy = desk.root / "copy"
    (copy / "workspace").mkdir(parents=True)
    assert desk.resolve(state_dir=copy).workspace == copy / "workspace"
    assert desk.resolve().workspace == desk.workspace


def test_a_workspace_beside_the_configuration_is_found(desk: Desk) -> None:
    desk.write(desk.home / ".clawdbot" / "clawdbot.json", {})
    (desk.home / ".clawdbot" / "workspace").mkdir()
    assert desk.resolve().workspace == desk.home / ".clawdbot" / "workspace"


def test_the_agent_asked_for(desk: Desk) -> None:
    desk.config(agents({"id": "a"}, {"id": "Night Shift"}))
    config = desk.resolve(agent=" night SHIFT")
    assert config.agent_id == "night-shift"
    assert config.workspace == desk.state / "workspace-night-shift"
    assert config.store_path == desk.state / "memory" / "night-shift.memlens.sqlite"
    assert config.session_key == "agent:night-shift:main"
    assert desk.resolve(session_key="agent:a:x").session_key == "agent:a:x"


def test_an_agent_that_is_not_listed(desk: Desk) -> None:
    desk.config(agents({"id": "a"}, {"id": "b"}))
    with pytest.raises(ConfigError, match="No agent zoe") as caught:
        desk.resolve(agent="Zoe")
    assert caught.value.hint == "Agents: a, b."


def test_any_agent_where_none_is_listed(desk: Desk) -> None:
    desk.config({})
    config = desk.resolve(agent="work")
    assert config.agent_id == "work"
    assert config.workspace == desk.state / "workspace-work"
    assert [agent.agent_id for agent in config.agents] == ["work"]


def test_broken_entries_are_told_and_left_out(desk: Desk) -> None:
    desk.config(agents({"id": "a"}, {"name": "b"}, 7, {"id": "A"}, {"id": "d", "workspace": 5}))
    config = desk.resolve()
    assert [agent.agent_id for agent in config.agents] == ["a", "d"]
    texts = [found.message for found in config.problems]
    assert len(texts) == 4
    assert "agents.list[1]: expected an agent with an id" in texts[0]
    assert "agents.list[2]: expected an agent with an id" in texts[1]
    assert "agents.list[3]: this id is taken" in texts[2]
    assert "agents.list[4].workspace: expected the path of a folder" in texts[3]


def test_a_list_that_is_none(desk: Desk) -> None:
    desk.config({"agents": {"list": "main"}})
    config = desk.resolve()
    assert config.agent_id == "main"
    assert "expected a list of agents" in problem(config, "agents.list").message


def test_a_workspace_that_is_not_there_is_told(desk: Desk) -> None:
    desk.config(agents({"id": "a", "workspace": "~/gone"}))
    assert "gone is not there" in problem(desk.resolve(), "workspace").message
