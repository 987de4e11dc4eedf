"""Who wins, and where each effective value was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.config.resolved import Provenance, ResolvedConfig
from tests.engine.config.desk import Desk, problem, value

AGENT_FILE = """\
// the agent's file
{
  agents: {
    defaults: {
      memorySearch: {
        model: "common", // a comment
        query: { maxResults: 3,
          minScore: 0.1 },
        'extraPaths': ["a", " b ", ""],
      },
    },
    list: [
      { id: "main" },
      {
        id: "Work Desk",
        memorySearch: {
          query: { minScore: .2 },
          extraPaths: ["b", "c"],
        },
      },
    ],
  },
}
"""


def place(config: ResolvedConfig, key: str) -> tuple[str, str | None, int | None]:
    source = value(config, key).source
    return source.layer, source.file.name if source.file else None, source.line


def test_an_agent_overrides_the_common_keys_leaf_by_leaf(desk: Desk) -> None:
    desk.config(AGENT_FILE)
    config = desk.resolve(agent="work-desk")
    assert config.problems == (problem(config, "workspace"),)
    assert config.memory_search.model == "common"
    assert config.memory_search.query.max_results == 3
    assert config.memory_search.query.min_score == 0.2
    assert config.memory_search.extra_paths == ("a", "b", "c")
    assert place(config, "model") == ("agent config", "openclaw.json", 6)
    assert place(config, "query.maxResults") == ("agent config", "openclaw.json", 7)
    assert place(config, "query.minScore") == ("agent override", "openclaw.json", 17)
    assert place(config, "extraPaths") == ("agent override", "openclaw.json", 18)
    assert place(config, "fallback") == ("default", None, None)


def test_another_agent_sees_the_common_keys_only(desk: Desk) -> None:
    desk.config(AGENT_FILE)
    config = desk.resolve()
    assert config.agent_id == "main"
    assert config.memory_search.query.min_score == 0.1
    assert config.memory_search.extra_paths == ("a", "b")
    assert place(config, "query.minScore") == ("agent config", "openclaw.json", 8)


def test_our_layers_win_in_order(desk: Desk) -> None:
    desk.memory_search({"query": {"maxResults": 1, "minScore": 0.1, "hybrid": {"textWeight": 0.1}}})
    desk.user_file("{ query: { minScore: 0.2, hybrid: { textWeight: 0.2 } },\n model: 'mine' }")
    desk.workspace_file("{\n query: { hybrid: { textWeight: 0.7,\n mmr: {enabled: true} } } }")
    config = desk.resolve("query.hybrid.mmr.enabled=false")
    assert config.problems == ()
    assert place(config, "query.maxResults")[0] == "agent config"
    assert place(config, "query.minScore") == ("user settings", "settings.json5", 1)
    assert place(config, "model") == ("user settings", "settings.json5", 2)
    assert place(config, "query.hybrid.textWeight") == ("workspace settings", ".memlens.json5", 2)
    assert place(config, "query.hybrid.mmr.enabled") == ("--set", None, None)
    assert config.memory_search.query.hybrid.text_weight == 0.5
    assert config.ranking_overrides == {
        "query.minScore": 0.2,
        "query.hybrid.textWeight": 0.7,
        "query.hybrid.mmr.enabled": False,
    }
    assert config.agent_ranking


def test_only_our_own_ranking_keys_are_overrides(desk: Desk) -> None:
    desk.memory_search({"query": {"maxResults": 1}})
    config = desk.resolve("model=x", "join=and", "mmr.tokens=ascii", "glyphs=ascii")
    assert config.ranking_overrides == {"join": "and", "mmr.tokens": "ascii"}
    assert config.own.glyphs == "ascii"


def test_a_user_files_paths_replace_those_of_the_agent(desk: Desk) -> None:
    desk.memory_search({"extraPaths": ["a"]})
    desk.user_file({"extraPaths": ["z", "z"]})
    assert desk.resolve().memory_search.extra_paths == ("z",)


@pytest.mark.parametrize(
    "key",
    [
        "provider",
        "fallback",
        "remote.baseUrl",
        "store.path",
        "era",
        "extraPaths",
        "chunking.tokens",
        "sync.watch",
        "maxFileBytes",
        "enabled",
    ],
)
def test_a_workspace_sets_nothing_that_sends_or_writes(desk: Desk, key: str) -> None:
    desk.config({})
    texts = {"extraPaths": ["/etc"], "chunking.tokens": 9, "maxFileBytes": 1, "enabled": False}
    desk.workspace_file({key: texts.get(key, "x"), "theme": "dark"})
    config = desk.resolve()
    found = problem(config, "where an agent can write")
    assert key in found.message
    assert found.line == 2
    assert place(config, key)[0] != "workspace settings"
    assert config.own.theme == "dark"


def test_a_workspace_may_set_ranking_decay_and_screen_keys(desk: Desk) -> None:
    desk.config({})
    desk.workspace_file(
        {
            "profile": "documented",
            "theme": "t",
            "glyphs": "ascii",
            "query": {"hybrid": {"temporalDecay": {"enabled": True}}},
            "decay": {"paths": "strict", "evergreen": ["memory/a.md"]},
            "mmr": {"relevance": "raw", "tokens": "ascii"},
            "cut": {"rule": "fixed", "relaxation": "each", "weak": "hide"},
            "join": "or",
            "textScore": "best",
            "fusion": "rrf",
            "completion": True,
            "singleLeg": "full",
            "snippet": "window",
        }
    )
    config = desk.resolve()
    assert config.problems == ()
    assert config.profile == "documented"
    assert config.own.decay.evergreen == ("memory/a.md",)
    assert len(config.ranking_overrides) == 14


def test_dotted_keys_are_fine_in_our_files_and_unknown_in_the_agents(desk: Desk) -> None:
    desk.memory_search({"query.maxResults": 3})
    desk.user_file({"query.minScore": 0.25})
    config = desk.resolve()
    assert config.memory_search.query.min_score == 0.25
    assert config.memory_search.query.max_results == 6
    assert problem(config, "unknown key").file == desk.state / "openclaw.json"


def test_later_spellings_are_read_and_the_documented_one_wins(desk: Desk) -> None:
    desk.config(
        {
            "memory": {"search": {"model": "late", "query": {"minScore": 0.4}}, "citations": "on"},
            "agents": {
                "defaults": {"memorySearch": {"model": "documented"}},
                "entries": {
                    "main": {"memory": {"search": {"query": {"maxResults": 2}}}},
                    "second": {"workspace": "~/second"},
                },
            },
        }
    )
    config = desk.resolve()
    assert config.problems == ()
    assert config.memory_search.model == "documented"
    assert config.memory_search.query.min_score == 0.4
    assert config.memory_search.query.max_results == 2
    assert config.citations == "on"
    assert [agent.agent_id for agent in config.agents] == ["main", "second"]
    assert config.agents[1].workspace == desk.home / "second"


def test_later_entries_of_extra_paths_may_be_objects(desk: Desk) -> None:
    desk.memory_search({"extraPaths": [{"path": "a"}, {"path": "b", "pattern": "*.md"}, "c"]})
    config = desk.resolve()
    assert config.memory_search.extra_paths == ("a", "b", "c")
    assert "extraPaths[1]" in problem(config, "pattern is not applied").message


def test_every_key_is_listed_once_with_its_default(desk: Desk) -> None:
    config = desk.resolve()
    keys = [shown.key for shown in config.values]
    assert len(keys) == len(set(keys)) > 100
    shown = value(config, "query.hybrid.vectorWeight")
    assert (shown.value, shown.default) == (0.7, 0.7)
    assert shown.source == Provenance("default")
    assert {"memory.citations", "sync.onIdentityChange", "plugins.slots.memory"} <= set(keys)


def test_the_era_fills_what_nothing_set(desk: Desk) -> None:
    desk.config(
        {
            "meta": {"lastTouchedVersion": "2026.7.35"},
            "memory": {"qmd": {"limits": {"maxResults": 9}}},
        }
    )
    config = desk.resolve()
    assert config.context_limits.memory_get_default_lines == 120
    assert config.memory.qmd.limits.max_results == 9
    assert config.memory.qmd.limits.max_snippet_chars == 450
    assert value(config, "memory.qmd.limits.maxSnippetChars").source.layer == "era"
    assert value(config, "snippet").value == "head"
    early = desk.resolve(era="2026.2")
    assert early.context_limits.memory_get_max_chars is None
    assert early.memory.qmd.limits.max_injected_chars == 4000


def test_a_bound_of_memory_get_beats_the_era(desk: Desk) -> None:
    limits = {"memoryGetDefaultLines": 9000, "memoryGetMaxChars": 500}
    desk.config({"agents": {"defaults": {"contextLimits": limits}}})
    config = desk.resolve(era="2026.3")
    assert config.context_limits.memory_get_default_lines == 5000
    assert config.context_limits.memory_get_max_chars == 500


def test_what_other_parts_need_is_carried_over(desk: Desk) -> None:
    desk.config(
        {
            "models": {"providers": {"google": {"apiKey": "${GEMINI_API_KEY}"}}},
            "auth": {"order": {"openai": ["openai:team", 3]}},
            "agents": {"defaults": {"memorySearch": {"enabled": False}}},
            "tools": {"sessions": {"visibility": "self"}},
        }
    )
    config = desk.resolve()
    assert config.model_providers == {"google": {"apiKey": "${GEMINI_API_KEY}"}}
    assert config.auth_order == {"openai": ("openai:team",)}
    assert not config.memory_search.enabled
    assert not config.memory_slot_disabled
    assert config.session_visibility == "self"


def test_nothing_is_written(desk: Desk, tmp_path: Path) -> None:
    desk.memory_search({})
    before = sorted(tmp_path.rglob("*"))
    desk.resolve()
    desk.resolve(workspace=tmp_path / "notes")
    assert sorted(tmp_path.rglob("*")) == before
