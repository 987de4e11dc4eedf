"""Where an agent's files are looked for, under today's names and the older ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.config.places import CONFIG_NAMES, STATE_FOLDERS
from engine.errors import ConfigError
from tests.engine.config.desk import Desk, problem


@pytest.mark.parametrize("folder", STATE_FOLDERS)
@pytest.mark.parametrize("name", CONFIG_NAMES)
def test_each_legacy_folder_and_file_name_is_found(desk: Desk, folder: str, name: str) -> None:
    file = desk.write(desk.home / folder / name, {"memory": {"citations": "on"}})
    config = desk.resolve()
    assert config.config_path == file
    assert config.state_dir == file.parent
    assert config.citations == "on"
    assert config.mode == "agent"


def test_the_newest_name_wins(desk: Desk) -> None:
    for folder in STATE_FOLDERS:
        for name in CONFIG_NAMES:
            desk.write(desk.home / folder / name, {})
    assert desk.resolve().config_path == desk.home / ".openclaw" / "openclaw.json"


@pytest.mark.parametrize("variable", ["OPENCLAW_STATE_DIR", "CLAWDBOT_STATE_DIR"])
def test_a_variable_names_the_state_folder(desk: Desk, variable: str) -> None:
    desk.config({"memory": {"citations": "off"}})
    desk.environ[variable] = "~/elsewhere"
    file = desk.write(desk.home / "elsewhere" / "openclaw.json", {"memory": {"citations": "on"}})
    config = desk.resolve()
    assert config.config_path == file
    assert config.citations == "on"


def test_a_variable_names_the_configuration(desk: Desk) -> None:
    desk.config({})
    file = desk.write(desk.root / "else" / "x.json5", "{memory: {citations: 'on'}}")
    desk.environ["OPENCLAW_CONFIG_PATH"] = str(file)
    config = desk.resolve()
    assert config.config_path == file
    assert config.state_dir == desk.state
    assert config.citations == "on"


def test_a_variable_that_names_nothing_is_told(desk: Desk) -> None:
    desk.config({"memory": {"citations": "on"}})
    desk.environ["OPENCLAW_CONFIG_PATH"] = str(desk.root / "gone.json")
    config = desk.resolve()
    assert config.config_path is None
    assert config.citations == "auto"
    assert "gone.json" in problem(config, "OPENCLAW_CONFIG_PATH").message


def test_options_beat_variables(desk: Desk) -> None:
    desk.environ |= {
        "OPENCLAW_STATE_DIR": str(desk.root / "a"),
        "OPENCLAW_CONFIG_PATH": str(desk.root / "a.json"),
    }
    file = desk.write(desk.root / "b.json", {"memory": {"citations": "on"}})
    config = desk.resolve(config_file=file, state_dir=desk.root / "b")
    assert config.config_path == file
    assert config.state_dir == desk.root / "b"


def test_an_option_that_names_no_file_is_a_wrong_command(desk: Desk) -> None:
    with pytest.raises(ConfigError, match="There is no file") as caught:
        desk.resolve(config_file=desk.root / "gone.json")
    assert "--config" in caught.value.hint


@pytest.mark.parametrize("variable", ["OPENCLAW_HOME", "HOME", "USERPROFILE"])
def test_home_comes_from_the_environment(desk: Desk, variable: str) -> None:
    desk.environ[variable] = str(desk.root / "other")
    file = desk.write(desk.root / "other" / ".openclaw" / "openclaw.json", {})
    assert desk.resolve().config_path == file


def test_the_first_home_variable_wins_and_blank_ones_do_not_count(desk: Desk) -> None:
    desk.environ |= {"OPENCLAW_HOME": " ", "HOME": str(desk.root / "a"), "USERPROFILE": "/b"}
    assert desk.resolve().state_dir == desk.root / "a" / ".openclaw"


def test_every_place_looked_at_is_recorded(desk: Desk) -> None:
    config = desk.resolve()
    assert config.mode == "folder"
    assert config.config_path is None
    looked = [(place.what, place.path, place.found) for place in config.looked_for]
    assert looked == [
        *(("state folder", desk.home / name, False) for name in STATE_FOLDERS),
        *(("configuration", desk.state / name, False) for name in CONFIG_NAMES),
        ("workspace", desk.workspace, False),
        ("user settings", desk.root / "settings" / "settings.json5", False),
        ("workspace settings", desk.workspace / ".memlens.json5", False),
    ]


def test_what_was_found_is_recorded_as_found(desk: Desk) -> None:
    file = desk.config({})
    found = {place.path for place in desk.resolve().looked_for if place.found}
    assert found == {desk.state, file, desk.workspace}


def test_a_profile_has_a_workspace_of_its_own(desk: Desk) -> None:
    desk.config({})
    desk.environ["OPENCLAW_PROFILE"] = "night"
    assert desk.resolve().workspace == desk.state / "workspace-night"
    desk.environ["OPENCLAW_PROFILE"] = "default"
    assert desk.resolve().workspace == desk.workspace


def test_a_path_that_no_system_can_look_at(desk: Desk) -> None:
    desk.environ["OPENCLAW_STATE_DIR"] = "/" + "x" * 5000
    assert not desk.resolve().looked_for[0].found


def test_the_home_in_paths_of_model_and_library_files(desk: Desk) -> None:
    vector = {"extensionPath": "~/vec0.so"}
    local = {"modelPath": "hf:a/b.gguf", "modelCacheDir": "~/models"}
    desk.memory_search({"store": {"vector": vector}, "local": local, "extraPaths": ["~/x"]})
    search = desk.resolve().memory_search
    assert search.store.vector.extension_path == str(desk.home / "vec0.so")
    assert search.local.model_path == "hf:a/b.gguf"
    assert search.local.model_cache_dir == str(desk.home / "models")
    assert search.extra_paths == ("~/x",)


def test_a_relative_path_counts_from_the_current_folder(desk: Desk) -> None:
    config = desk.resolve(workspace=Path("notes/../notes"))
    assert config.workspace == Path.cwd() / "notes"
