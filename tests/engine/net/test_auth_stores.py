"""Stored logins where each release keeps them: real files and real databases, never touched."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw
import pytest

from engine.net.auth_profiles import AuthProfiles
from engine.net.auth_stores import AGENT_DATABASE, FILE_NAME, STATE_DATABASE, read_auth_profiles
from engine.net.credentials import KeyQuestion, KeyRing, NoKey
from engine.net.secret import Secret

NOW_MS = 1_770_000_000_000.0


def one(key: str, name: str = "openai:a", provider: str = "openai") -> dict[str, Any]:
    return {"profiles": {name: {"type": "api_key", "provider": provider, "key": key}}}


def agent_database(folder: Path, store: Any, state: Any = None) -> apsw.Connection:
    """As 2026.7 makes it, in WAL mode; still open."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = apsw.Connection(str(folder / AGENT_DATABASE))
    connection.execute("PRAGMA journal_mode=WAL")
    for part, value in (("store", store), ("state", state)):
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS auth_profile_{part}"
            f"({part}_key TEXT PRIMARY KEY, {part}_json TEXT, updated_at INTEGER)"
        )
        if value is not None:
            connection.execute(
                f"INSERT OR REPLACE INTO auth_profile_{part} VALUES('primary', ?, 1)",
                (json.dumps(value),),
            )
    return connection


def state_database(state_dir: Path, store: Any, state: Any) -> None:
    """As 2026.9 makes it."""
    path = state_dir / STATE_DATABASE
    path.parent.mkdir(parents=True)
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE config_machine_state(state_key, value_json, updated_at)")
    for key, value in (("authProfiles.store", store), ("authProfiles.state", state)):
        connection.execute(
            "INSERT INTO config_machine_state VALUES(?, ?, 1)", (key, json.dumps(value))
        )
    connection.close()


def keys(profiles: AuthProfiles, provider: str = "openai") -> list[str]:
    values = [profile.value for profile in profiles.usable(provider, NOW_MS)]
    return [value.reveal() for value in values if isinstance(value, Secret)]


def contents(folder: Path) -> Mapping[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A state folder with a login in each of the places."""
    own, main = tmp_path / "agents" / "second" / "agent", tmp_path / "agents" / "main" / "agent"
    agent_database(own, one("own-db")).close()
    agent_database(main, {**one("main-db"), **one("main-db-only", "openai:b")}).close()
    (own / FILE_NAME).write_text(json.dumps(one("file")), "utf-8")
    state_database(tmp_path, one("state-db", "openai:c"), {})
    return tmp_path


def read(home: Path, era: str) -> AuthProfiles:
    folders = [home / "agents" / name / "agent" for name in ("second", "main", "absent")]
    return read_auth_profiles(folders, era=era, state_dir=home)


@pytest.mark.parametrize(
    ("era", "expected"),
    [
        ("2026.2", {"file"}),
        ("2026.3", {"file"}),
        ("2026.7", {"own-db", "main-db-only"}),
        ("2026.9", {"own-db", "main-db-only", "state-db"}),
        ("memlens", {"own-db", "main-db-only", "state-db"}),
    ],
)
def test_each_era_has_its_places(home: Path, era: str, expected: set[str]) -> None:
    before = contents(home)
    found = read(home, era)
    assert set(keys(found)) == expected
    assert found.superseded == ((FILE_NAME,) if era in ("2026.7", "2026.9") else ())
    assert contents(home) == before


def test_order_and_usage_belong_to_the_state_row(tmp_path: Path) -> None:
    entries = {
        name: {"type": "api_key", "provider": "openai", "key": name} for name in ("k1", "k2", "k3")
    }
    store = {"profiles": entries, "order": {"openai": ["k1", "k2", "k3"]}}
    agent_database(tmp_path, store, {"order": {"openai": ["k3", "k1"]}}).close()
    assert keys(read_auth_profiles([tmp_path], era="2026.7")) == ["k3", "k1"]
    usage = {"usageStats": {"k1": {"lastUsed": 9}, "k2": {"cooldownUntil": NOW_MS + 1}}}
    agent_database(tmp_path, {"profiles": entries}, usage).close()
    assert keys(read_auth_profiles([tmp_path], era="2026.7")) == ["k3", "k1", "k2"]


def test_an_agent_that_is_running_is_read_with_its_last_word(tmp_path: Path) -> None:
    connection = agent_database(tmp_path, one("from-the-log"))
    connection.execute("BEGIN IMMEDIATE")
    before = {name: data for name, data in contents(tmp_path).items() if "-shm" not in name}
    assert keys(read_auth_profiles([tmp_path], era="2026.7")) == ["from-the-log"]
    after = {name: data for name, data in contents(tmp_path).items() if "-shm" not in name}
    assert after == before
    connection.close()


def test_what_a_killed_agent_left_is_not_touched(tmp_path: Path) -> None:
    live = tmp_path / "live"
    connection = agent_database(live, one("from-the-log"))
    left = tmp_path / "left"
    shutil.copytree(live, left)
    connection.close()
    before = contents(left)
    assert keys(read_auth_profiles([left], era="2026.7")) == ["from-the-log"]
    assert contents(left) == before


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough " * 40])
def test_a_broken_database_is_named_and_survived(tmp_path: Path, content: bytes) -> None:
    (tmp_path / AGENT_DATABASE).write_bytes(content)
    found = read_auth_profiles([tmp_path], era="2026.7")
    assert found.profiles == ()
    if content:
        assert found.unreadable == (AGENT_DATABASE,)


@pytest.mark.parametrize("store", [3, [], "{", {"profiles": 3}])
def test_a_row_that_is_no_store_is_survived(tmp_path: Path, store: Any) -> None:
    agent_database(tmp_path, store).close()
    assert read_auth_profiles([tmp_path], era="2026.7").profiles == ()


def test_a_file_that_counts_no_longer_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(json.dumps(one("file")), "utf-8")
    ring = KeyRing({}, read_auth_profiles([tmp_path], era="2026.7"), NOW_MS)
    answer = ring.find(KeyQuestion("openai", ("OPENAI_API_KEY",)))
    assert isinstance(answer, NoKey)
    assert f"{FILE_NAME} counts no longer" in answer.reason


def test_a_login_for_chat_alone_does_not_count(tmp_path: Path) -> None:
    login = {"type": "oauth", "provider": "openai-codex", "access": "chat-token"}
    agent_database(tmp_path, {"profiles": {"openai-codex:me": login}}).close()
    assert keys(read_auth_profiles([tmp_path], era="2026.9")) == []
