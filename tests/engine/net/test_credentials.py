"""Which key is taken, in which order, and what is said about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.net.auth_profiles import AuthProfiles, SecretPointer
from engine.net.auth_stores import read_auth_profiles
from engine.net.credentials import FoundKey, KeyQuestion, KeyRing, NoKey
from engine.net.secret import Secret

NOW_MS = 1_770_000_000_000.0
FUTURE, PAST = NOW_MS + 1000, NOW_MS - 1000


def profiles(tmp_path: Path, stored: Any) -> AuthProfiles:
    (tmp_path / "auth-profiles.json").write_text(json.dumps(stored), "utf-8")
    return read_auth_profiles([tmp_path])


def ring(environ: dict[str, str] | None = None, stored: AuthProfiles | None = None) -> KeyRing:
    return KeyRing(environ or {}, stored or AuthProfiles(), NOW_MS)


def openai(**changes: Any) -> KeyQuestion:
    return KeyQuestion("openai", ("OPENAI_API_KEY",), **changes)


def found(answer: FoundKey | NoKey) -> tuple[str, str]:
    assert isinstance(answer, FoundKey), answer
    return answer.secret.reveal(), answer.source


ONE = {"profiles": {"openai:a": {"type": "api_key", "provider": "openai", "key": "from-profile"}}}


def test_the_four_sources_in_order(tmp_path: Path) -> None:
    stored = profiles(tmp_path, ONE)
    environ = {"OPENAI_API_KEY": "from-env"}
    entry = {"entry_name": "openai", "entry_key": "from-entry"}
    full = openai(remote_key="from-remote", **entry)
    assert found(ring(environ, stored).find(full)) == ("from-remote", "remote.apiKey")
    less = openai(**entry)
    assert found(ring(environ, stored).find(less)) == ("from-profile", "auth profile openai:a")
    assert found(ring(environ).find(less)) == ("from-env", "environment variable OPENAI_API_KEY")
    assert found(ring().find(less)) == ("from-entry", "models.providers.openai.apiKey")
    lifted = openai(entry_first=True, **entry)
    assert found(ring(environ, stored).find(lifted))[0] == "from-entry"


def test_a_foreign_host_gets_nothing_but_its_own_key(tmp_path: Path) -> None:
    keys = ring({"OPENAI_API_KEY": "from-env"}, profiles(tmp_path, ONE))
    entry = {"entry_name": "openai", "entry_key": "from-entry"}
    foreign = openai(own_host=False, entry_host=False, **entry)
    answer = keys.find(foreign)
    assert isinstance(answer, NoKey)
    assert "another host" in answer.reason
    own = openai(own_host=False, entry_host=False, remote_key="from-remote", **entry)
    assert found(keys.find(own))[0] == "from-remote"


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("plain-key", ("plain-key", "remote.apiKey")),
        (" plain-key ", ("plain-key", "remote.apiKey")),
        ("${MY_KEY}", ("mine", "remote.apiKey (variable MY_KEY)")),
        ("pre-${MY_KEY}", ("pre-mine", "remote.apiKey (variable MY_KEY)")),
        ("OPENAI_API_KEY", ("env", "remote.apiKey (variable OPENAI_API_KEY)")),
        (SecretPointer("env", "MY_KEY"), ("mine", "remote.apiKey (variable MY_KEY)")),
    ],
)
def test_spellings_of_a_key(setting: str | SecretPointer, expected: tuple[str, str]) -> None:
    keys = ring({"MY_KEY": "mine", "OPENAI_API_KEY": "env"})
    assert found(keys.read(setting, "remote.apiKey")) == expected


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (None, "is not set"),
        ("", "is not set"),
        ("${GONE}", "GONE, which is not set"),
        ("${not a name}", "no variable's name"),
        ("MISTRAL_API_KEY", "MISTRAL_API_KEY, which is not set"),
        ("two words", "cannot be sent"),
        ("kéy", "cannot be sent"),
        (SecretPointer("exec", "pass show x"), "kind 'exec'"),
        (SecretPointer("env", "GONE"), "GONE, which is not set"),
    ],
)
def test_a_key_that_cannot_be_used_says_why(
    setting: str | SecretPointer | None, words: str
) -> None:
    answer = ring().read(setting, "remote.apiKey")
    assert isinstance(answer, NoKey)
    assert words in answer.reason
    assert "two words" not in answer.reason
    assert "kéy" not in answer.reason


def test_expired_logins_are_skipped_and_named(tmp_path: Path) -> None:
    token = {"type": "token", "provider": "openai", "token": "t"}
    oauth = {"type": "oauth", "provider": "openai", "access": "o", "refresh": "r"}
    stored = {
        "profiles": {
            "openai:old": {**token, "expires": PAST},
            "openai:web": {**oauth, "expires": PAST},
        }
    }
    answer = ring(stored=profiles(tmp_path, stored)).find(openai())
    assert isinstance(answer, NoKey)
    assert "auth profile openai:old has expired" in answer.reason
    stored["profiles"]["openai:new"] = {**token, "expires": FUTURE, "token": "fresh"}
    assert found(ring(stored=profiles(tmp_path, stored)).find(openai()))[0] == "fresh"


def test_order_among_profiles(tmp_path: Path) -> None:
    entries = {
        "k1": {"type": "api_key", "provider": "openai", "key": "k1"},
        "k2": {"mode": "api_key", "provider": "openai", "apiKey": "k2"},
        "t": {"type": "token", "provider": "openai", "token": "t"},
        "o": {"type": "oauth", "provider": "openai", "access": "o"},
        "x": {"type": "api_key", "provider": "voyage", "key": "x"},
        "c": {"type": "oauth", "provider": "openai-codex", "access": "c"},
    }
    usage = {"k1": {"lastUsed": 9}, "k2": {"lastUsed": 5}, "o": {"cooldownUntil": FUTURE}}
    stored = profiles(tmp_path, {"profiles": entries, "usageStats": usage})
    assert [p.name for p in stored.usable("openai", NOW_MS)] == ["t", "k2", "k1", "o"]
    ordered = {"profiles": entries, "order": {"openai": ["k1", "gone", "t"]}}
    assert [p.name for p in profiles(tmp_path, ordered).usable("openai", NOW_MS)] == ["k1", "t"]
    by_config = read_auth_profiles([tmp_path], {"voyage": ["x"]})
    assert [p.name for p in by_config.usable("voyage", NOW_MS)] == ["x"]


def test_the_agents_own_profile_wins_over_the_inherited_one(tmp_path: Path) -> None:
    for name, key in (("own", "mine"), ("main", "theirs")):
        (tmp_path / name).mkdir()
        entry = {"type": "api_key", "provider": "openai", "key": key}
        text = json.dumps({"profiles": {"openai:a": entry}})
        (tmp_path / name / "auth-profiles.json").write_text(text, "utf-8")
    both = read_auth_profiles([tmp_path / "own", tmp_path / "main", tmp_path / "absent"])
    assert found(ring(stored=both).find(openai()))[0] == "mine"


@pytest.mark.parametrize("text", ["{", "[]", '{"profiles": 3}', '{"profiles": {"a": 1}}', "\xff"])
def test_a_broken_profile_file_is_survived(tmp_path: Path, text: str) -> None:
    (tmp_path / "auth-profiles.json").write_bytes(text.encode("latin-1"))
    stored = read_auth_profiles([tmp_path])
    assert stored.usable("openai", NOW_MS) == []


def test_a_profile_may_point_to_a_variable(tmp_path: Path) -> None:
    reference = {"source": "env", "provider": "default", "id": "MY_KEY"}
    entry = {"type": "api_key", "provider": "openai", "keyRef": reference}
    stored = profiles(tmp_path, {"profiles": {"openai:a": entry}})
    keys = ring({"MY_KEY": "mine"}, stored)
    assert found(keys.find(openai()))[0] == "mine"


def test_a_json_key_counts_as_its_token() -> None:
    answer = ring().read('{"token": " ya29.abc ", "projectId": "p 1"}', "remote.apiKey")
    assert isinstance(answer, FoundKey)
    assert (answer.secret.reveal(), answer.bearer) == ("ya29.abc", True)
    for broken in ("{", '{"token": 3}', '{"token": "two words"}', "{}"):
        refused = ring().read(broken, "remote.apiKey")
        assert isinstance(refused, NoKey)
        assert "JSON object with a token" in refused.reason


def test_secrets_never_print() -> None:
    secret = Secret("very-secret-value")
    key = FoundKey(secret, "remote.apiKey")
    assert "very" not in f"{secret} {secret!r} {key!r} {[key]}"
