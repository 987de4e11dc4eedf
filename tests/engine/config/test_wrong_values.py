"""Wrong types fall back, wrong sizes are clamped, wrong names get the nearest one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.config.desk import Desk, problem, value


def test_a_wrong_type_is_told_with_place_and_expectation_and_the_default_counts(
    desk: Desk,
) -> None:
    file = desk.memory_search({"query": {"maxResults": "six", "minScore": 0.2}})
    config = desk.resolve()
    assert config.memory_search.query.max_results == 6
    assert config.memory_search.query.min_score == 0.2
    found = problem(config, "maxResults")
    assert found.message == (
        "openclaw.json, line 6: agents.defaults.memorySearch.query.maxResults: "
        'expected a whole number of at least 1, found "six"; the value is not used.'
    )
    assert (found.file, found.line, found.column) == (file, 6, 6)
    assert value(config, "query.maxResults").source.layer == "default"


def test_a_wrong_override_leaves_the_common_value(desk: Desk) -> None:
    defaults = {"memorySearch": {"model": "one"}}
    listed = [{"id": "main", "memorySearch": {"model": ["two"]}}]
    desk.config({"agents": {"defaults": defaults, "list": listed}})
    config = desk.resolve()
    assert config.memory_search.model == "one"
    assert "agents.list[0].memorySearch.model" in problem(config, "model").message


@pytest.mark.parametrize(
    ("keys", "key", "taken", "part"),
    [
        ({"query": {"minScore": 3}}, "query.minScore", 1.0, "found 3; 1.0 is used"),
        ({"query": {"maxResults": -2}}, "query.maxResults", 1, "found -2; 1 is used"),
        ({"query": {"maxResults": 2.9}}, "query.maxResults", 2, "found 2.9; 2 is used"),
        ({"chunking": {"overlap": 400}}, "chunking.overlap", 399, "below chunking.tokens (400)"),
        (
            {"query": {"hybrid": {"candidateMultiplier": 99}}},
            "query.hybrid.candidateMultiplier",
            20,
            "expected a whole number from 1 to 20, found 99; 20 is used",
        ),
        ({"sync": {"watchDebounceMs": 10**30}}, "sync.watchDebounceMs", 2**31 - 1, "a number"),
    ],
)
def test_out_of_range_is_clamped_and_told(
    desk: Desk, keys: Any, key: str, taken: Any, part: str
) -> None:
    desk.memory_search(keys)
    config = desk.resolve()
    assert value(config, key).value == taken
    assert part in problem(config, key).message
    assert value(config, key).source.layer == "agent config"


@pytest.mark.parametrize(
    ("keys", "nearest"),
    [
        ({"query": {"maxResuls": 3}}, "query.maxResults"),
        ({"query": {"vectorWeight": 1}}, "query.hybrid.vectorWeight"),
        ({"providr": "openai"}, "provider"),
        ({"query": {"hybrid": {"mmr": {"lamda": 1}}}}, "query.hybrid.mmr.lambda"),
        ({"maxResults": 3}, "query.maxResults"),
    ],
)
def test_an_unknown_key_gets_the_nearest_known_one(desk: Desk, keys: Any, nearest: str) -> None:
    desk.memory_search(keys)
    found = problem(desk.resolve(), "unknown key")
    assert found.hint == f'Did you mean "{nearest}"?'
    assert found.line


def test_an_unknown_key_without_likeness_points_to_the_list(desk: Desk) -> None:
    desk.memory_search({"zzzzzz": 1})
    assert "config show" in problem(desk.resolve(), "unknown key").hint


def test_a_key_of_later_releases_is_named_as_one(desk: Desk) -> None:
    desk.config({"memory": {"search": {"rememberAcrossConversations": True}}})
    assert "later releases" in problem(desk.resolve(), "rememberAcross").message


def test_a_group_that_is_no_object(desk: Desk) -> None:
    desk.memory_search({"query": [1]})
    assert "expected an object, found a list" in desk.resolve().problems[0].message


def test_keys_of_other_parts_of_the_program_pass_in_silence(desk: Desk) -> None:
    desk.config(
        {
            "gateway": {"port": 1},
            "agents": {"defaults": {"compaction": {"mode": "x"}, "model": "m"}},
            "tools": {"sessions": {"other": 1}, "exec": {}},
            "plugins": {"slots": {"memory": "none", "voice": "x"}},
        }
    )
    config = desk.resolve()
    assert config.problems == ()
    assert config.memory_slot_disabled


def test_a_wrong_key_inside_the_flush_is_told(desk: Desk) -> None:
    flush = {"softThresholdToken": 3}
    desk.config({"agents": {"defaults": {"compaction": {"memoryFlush": flush}}}})
    assert problem(desk.resolve(), "unknown key").hint == (
        'Did you mean "memoryFlush.softThresholdTokens"?'
    )


def test_transcripts_without_session_memory_are_left_out_and_told(desk: Desk) -> None:
    desk.memory_search({"sources": ["memory", "sessions"]})
    config = desk.resolve()
    assert config.memory_search.sources == ("memory",)
    assert "experimental.sessionMemory is off" in problem(config, "sessions").message


def test_which_entry_of_a_list_does_not_fit(desk: Desk) -> None:
    desk.memory_search({"extraPaths": ["a", 3], "remote": {"headers": {"X-One": 1}}})
    config = desk.resolve()
    assert "found a list whose entry 2 does not fit" in problem(config, "extraPaths").message
    assert 'found an object whose "X-One" does not fit' in problem(config, "headers").message


def test_durations_and_sizes_with_units(desk: Desk) -> None:
    update = {"interval": "1h30m", "embedInterval": 2}
    flush = {"forceFlushTranscriptBytes": "3mb"}
    desk.config(
        {
            "memory": {"backend": "qmd", "qmd": {"update": update, "command": "qmd --x"}},
            "agents": {"defaults": {"compaction": {"memoryFlush": flush}}},
        }
    )
    config = desk.resolve()
    assert config.problems == ()
    assert config.memory.qmd.update.interval == 90 * 60_000
    assert config.memory.qmd.update.embed_interval == 2 * 60_000
    assert config.compaction.memory_flush.force_flush_transcript_bytes == 3 * 1024 * 1024


def test_an_interval_that_cannot_be_read_falls_back(desk: Desk) -> None:
    desk.config({"memory": {"qmd": {"update": {"interval": "soon"}}}})
    config = desk.resolve()
    assert config.memory.qmd.update.interval == 300_000
    assert 'expected a duration such as "5m"' in problem(config, "interval").message


def test_scope_rules_and_collections_become_typed(desk: Desk) -> None:
    rules = [{"action": "deny", "match": {"channel": "discord", "keyPrefix": "a"}}]
    desk.config(
        {
            "memory": {"qmd": {"scope": {"default": "allow", "rules": rules}}},
            "agents": {
                "defaults": {"memorySearch": {"qmd": {"extraCollections": [{"path": "~/x"}]}}}
            },
        }
    )
    config = desk.resolve()
    assert config.memory.qmd.scope.rules[0].match.key_prefix == "a"
    assert config.memory_search.qmd.extra_collections[0].path == "~/x"
    assert value(config, "memory.qmd.scope.rules").value == [
        {"action": "deny", "match": {"channel": "discord", "keyPrefix": "a"}}
    ]
