"""Demo, plain folder or agent; and which index file belongs to each."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import ConfigError
from tests.engine.config.desk import Desk, problem, value


@pytest.fixture
def notes(desk: Desk) -> Path:
    folder = desk.root / "My Notes"
    folder.mkdir()
    return folder


def test_nothing_found_is_a_folder_that_is_not_there(desk: Desk) -> None:
    config = desk.resolve()
    assert config.mode == "folder"
    assert config.workspace == desk.workspace
    assert config.memory_search.provider == "builtin"
    assert config.store_path.is_relative_to(desk.root / "data")
    assert config.problems == ()


def test_a_plain_folder(desk: Desk, notes: Path) -> None:
    config = desk.resolve(workspace=notes)
    assert config.mode == "folder"
    assert config.workspace == notes
    assert (config.era.name, config.profile) == ("memlens", "tuned")
    assert config.agent_id == "main"
    assert config.store_path.parent.parent == desk.root / "data" / "folders"
    assert config.store_path.parent.name.startswith("My-Notes-")
    assert config.store_path.name == "index.memlens.sqlite"
    assert value(config, "provider").source.layer == "plain folder"


def test_two_folders_of_one_name_have_two_index_files(desk: Desk) -> None:
    paths = [desk.root / parent / "notes" for parent in "ab"]
    assert len({desk.resolve(workspace=path).store_path for path in paths}) == 2


def test_a_folder_beside_a_configuration_stays_plain(desk: Desk, notes: Path) -> None:
    desk.memory_search({"provider": "openai", "remote": {"apiKey": "k"}})
    config = desk.resolve(workspace=notes)
    assert config.mode == "folder"
    assert config.config_path is None
    assert config.memory_search.provider == "builtin"
    assert config.memory_search.remote.api_key is None
    assert config.model_providers == {}


def test_the_workspace_of_an_agent_opens_as_that_agent(desk: Desk) -> None:
    second = desk.root / "second"
    second.mkdir()
    listed = [{"id": "a"}, {"id": "b", "workspace": str(second)}]
    desk.config({"agents": {"list": listed}})
    config = desk.resolve(workspace=second)
    assert (config.mode, config.agent_id) == ("agent", "b")


@pytest.mark.parametrize("option", ["config_file", "state_dir", "agent"])
def test_a_named_configuration_applies_to_the_folder(desk: Desk, notes: Path, option: str) -> None:
    file = desk.memory_search({"provider": "openai"})
    named = {"config_file": file, "state_dir": desk.state, "agent": "main"}
    config = desk.resolve(workspace=notes, **{option: named[option]})
    assert config.mode == "agent"
    assert config.workspace == notes
    assert config.agents[0].workspace == notes
    assert config.memory_search.provider == "openai"
    assert config.store_path == desk.state / "memory" / "main.memlens.sqlite"


def test_a_variable_is_not_a_choice_for_a_folder(desk: Desk, notes: Path) -> None:
    desk.environ["OPENCLAW_STATE_DIR"] = str(desk.state)
    desk.memory_search({"provider": "openai"})
    assert desk.resolve(workspace=notes).mode == "folder"


def test_a_workspace_alone_makes_an_agent(desk: Desk) -> None:
    desk.workspace.mkdir(parents=True)
    config = desk.resolve()
    assert (config.mode, config.era.name) == ("agent", "2026.3")
    assert config.memory_search.provider == "auto"


def test_a_state_folder_by_option_makes_an_agent_before_it_exists(desk: Desk) -> None:
    config = desk.resolve(state_dir=desk.root / "new")
    assert config.mode == "agent"
    assert config.store_path == desk.root / "new" / "memory" / "main.memlens.sqlite"


def test_a_folder_may_name_a_provider_in_our_own_settings(desk: Desk, notes: Path) -> None:
    desk.user_file({"provider": "openai"})
    assert desk.resolve(workspace=notes).memory_search.provider == "openai"
    config = desk.resolve("provider=none", workspace=notes)
    assert config.memory_search.provider == "none"


def test_a_folder_that_is_not_there_is_told(desk: Desk) -> None:
    config = desk.resolve(workspace=desk.root / "gone")
    assert "gone is not there" in problem(config, "workspace").message


def test_the_demo_is_always_built_in(desk: Desk) -> None:
    desk.memory_search({"provider": "openai"})
    desk.user_file(
        {
            "provider": "gemini",
            "extraPaths": ["/private"],
            "store": {"path": "/x"},
            "era": "2026.2",
            "theme": "night",
            "query": {"maxResults": 9},
        }
    )
    config = desk.resolve("provider=voyage", demo=True)
    assert config.mode == "demo"
    assert config.workspace == desk.demo
    assert config.memory_search.provider == "builtin"
    assert config.memory_search.extra_paths == ()
    assert (config.era.name, config.profile) == ("memlens", "tuned")
    assert config.memory_search.query.max_results == 9
    assert config.own.theme == "night"
    assert config.store_path == desk.demo.parent / "index.memlens.sqlite"
    assert config.citations == config.memory.citations == "auto"
    assert not config.memory_slot_disabled
    assert "--set provider is not used" in problem(config, "demo").message


def test_another_index_for_the_demo_must_be_asked_for(desk: Desk) -> None:
    file = desk.root / "other.sqlite"
    assert desk.resolve(f"store.path={file}", demo=True).store_path == file
    assert desk.resolve(demo=True, store=file).store_path == file


def test_a_demo_without_its_workspace_is_a_wrong_call(desk: Desk) -> None:
    from engine.config.request import EngineOptions
    from engine.config.resolve import resolve

    with pytest.raises(ConfigError, match="The demo workspace is missing"):
        resolve(EngineOptions(demo=True), {}, desk.places)


def test_our_index_lies_beside_the_agents(desk: Desk) -> None:
    desk.memory_search({"store": {"path": "~/idx/{agentId}/{agentId}.sqlite"}})
    config = desk.resolve()
    assert config.store_path == desk.home / "idx" / "main" / "main.memlens.sqlite"
    shown = value(config, "store.path")
    assert shown.value == str(config.store_path)
    assert shown.source.layer == "agent config"


def test_an_agents_path_without_a_name_does_not_count(desk: Desk) -> None:
    desk.memory_search({"store": {"path": "/"}})
    assert desk.resolve().store_path == desk.state / "memory" / "main.memlens.sqlite"


def test_our_own_paths_are_taken_as_given(desk: Desk, notes: Path) -> None:
    desk.memory_search({"store": {"path": "/agents.sqlite"}})
    desk.user_file({"store": {"path": "~/mine/{agentId}.db"}})
    mine = desk.home / "mine" / "main.db"
    assert desk.resolve().store_path == mine
    assert desk.resolve("store.path=/s/{agentId}.x").store_path == Path("/s/main.x")
    by_option = desk.resolve("store.path=/s", store=Path("~/o.sqlite"))
    assert by_option.store_path == desk.home / "o.sqlite"
    assert value(by_option, "store.path").source.layer == "--store"
    assert desk.resolve(workspace=notes).store_path != mine
    assert desk.resolve("store.path=/s/i", workspace=notes).store_path == Path("/s/i")
