"""Each sub-command, its JSON shape, its exit codes and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import NOW, Command

QUESTION = "why did the router lose its settings"


def test_no_command_opens_the_screens(memlens: Command) -> None:
    assert memlens("--demo").code == 99


def test_search_answers_from_the_demo_with_all_parts(memlens: Command) -> None:
    said = memlens("--demo", "--now", NOW, "search", QUESTION, "--json")
    assert said.code == 0
    first = said.json["results"][0]
    assert set(first) == {
        "path", "startLine", "endLine", "score", "vectorScore", "textScore", "decay",
        "mmrScore", "mmrRank", "snippet", "source", "citation",
    }  # fmt: skip
    assert first["decay"] == 1
    assert first["mmrScore"] is None
    assert 0 < first["vectorScore"] <= 1
    assert 0 < first["textScore"] <= 1
    assert "memory/2026-09-19.md" in [result["path"] for result in said.json["results"]]
    assert said.json["mode"] == "hybrid"
    assert said.json["profile"] == "tuned"
    assert said.json["provider"] == "builtin"
    assert said.json["fallback"] is None
    assert said.json["stale"] is False


def test_decay_and_mmr_show_when_switched_on(memlens: Command) -> None:
    said = memlens(
        "--demo", "--now", NOW,
        "--set", "query.hybrid.temporalDecay.enabled=true",
        "--set", "query.hybrid.mmr.enabled=true",
        "search", "router settings", "--min-score", "0", "--json",
    )  # fmt: skip
    results = said.json["results"]
    dated = next(r for r in results if r["path"].startswith("memory/2026-"))
    assert 0 < dated["decay"] < 1
    assert sorted(r["mmrRank"] for r in results) == list(range(1, len(results) + 1))


def test_explain_adds_traces_and_what_was_lost(memlens: Command) -> None:
    said = memlens("--demo", "search", QUESTION, "--explain", "--json")
    first = said.json["results"][0]
    assert first["trace"]["steps"][-1]["after"] == first["score"]
    assert said.json["lost"]
    assert all(lost["trace"]["outcome"]["reason"] for lost in said.json["lost"])
    assert [leg["match"] for leg in said.json["legs"] if leg["match"]]


def test_index_reports_what_it_did_and_then_nothing(memlens: Command, notes: Path) -> None:
    first = memlens("--workspace", notes, "index", "--json").json
    assert (first["filesIndexed"], first["embedded"], first["cached"]) == (2, 2, 0)
    assert {"path": "memory/plan.txt"}.items() <= first["skipped"][0].items()
    again = memlens("--workspace", notes, "index", "--json").json
    assert (again["filesIndexed"], again["embedded"]) == (0, 0)
    forced = memlens("--workspace", notes, "index", "--force", "--json").json
    assert (forced["filesIndexed"], forced["embedded"], forced["cached"]) == (2, 0, 2)


def test_status_is_an_array_and_names_what_is_dirty(memlens: Command, notes: Path) -> None:
    memlens("--workspace", notes, "index")
    (notes / "memory" / "new.md").write_text("fresh\n", "utf-8")
    report = memlens("--workspace", notes, "status", "--json").json[0]
    status = report["status"]
    assert status["dirty"] is True
    assert status["dirtyFiles"] == [{"path": "memory/new.md", "state": "new"}]
    assert (status["files"], report["scan"]["totalFiles"]) == (2, 3)
    assert status["workspaceDir"] == str(notes)
    assert status["provider"] == "builtin"
    assert status["fts"]["available"] is True
    assert status["custom"]["era"] == "memlens"


def test_status_deep_tries_the_provider(memlens: Command, notes: Path) -> None:
    report = memlens("--workspace", notes, "status", "--deep", "--json").json[0]
    probe = report["embeddingProbe"]
    assert (probe["ok"], probe["error"], probe["dimensions"]) == (True, None, 256)
    assert probe["latencyMs"] >= 0


def test_get_reads_ranges_and_refuses_the_rest(memlens: Command, notes: Path) -> None:
    said = memlens("--workspace", notes, "get", "memory/2026-11-20.md", "--from", "3", "--json")
    assert said.json["text"] == "The router got firmware 4.2.2.\nTea was good."
    assert (said.json["from"], said.json["lines"]) == (3, 2)
    refused = memlens("--workspace", notes, "get", "../secret.md", "--json")
    assert refused.code == 1
    assert refused.json["ok"] is False
    assert refused.json["error"]["type"] == "path"


def test_files_say_their_state_and_chunks(memlens: Command, notes: Path) -> None:
    memlens("--workspace", notes, "index")
    said = memlens("--workspace", notes, "files", "--chunks", "--json").json["files"]
    states = {file["path"]: file["state"] for file in said}
    assert states["MEMORY.md"] == "indexed"
    assert states["memory/plan.txt"] == "skipped"
    chunk = next(f for f in said if f["path"] == "MEMORY.md")["chunks"][0]
    assert (chunk["i"], chunk["startLine"], chunk["endLine"]) == (0, 1, 3)
    assert len(chunk["hash"]) == len(chunk["id"]) == 64
    missing = memlens("--workspace", notes, "files", "memory/none.md", "--json")
    assert missing.code == 1


def test_config_show_names_the_place_of_a_value(memlens: Command, notes: Path) -> None:
    setting = "query.hybrid.textWeight=0.5"
    said = memlens("--workspace", notes, "--set", setting, "config", "show", "--json").json
    value = next(v for v in said["values"] if v["key"] == "query.hybrid.textWeight")
    assert value["source"] == "--set"
    assert (said["era"], said["profile"]) == ("memlens", "tuned")


def test_config_show_says_what_differs_from_the_profile(memlens: Command, notes: Path) -> None:
    args = ("--workspace", notes, "--set", "query.minScore=0.25", "config", "show")
    said = memlens(*args, "--json").json
    (differs,) = said["differs"]
    assert differs == {
        "key": "query.minScore",
        "value": 0.25,
        "profileValue": 0.31,
        "source": "--set",
    }
    assert said["unheeded"] == []
    lines = memlens(*args).out.splitlines()
    assert lines[1] == "ranking: query.minScore = 0.25 instead of 0.31  (--set)"
    usual = memlens("--workspace", notes, "config", "show").out.splitlines()
    assert usual[:2] == ["era memlens, profile tuned", "ranking: all as the profile tuned has it"]


def test_config_show_says_what_the_profile_does_not_hear(
    memlens: Command, tmp_path: Path, notes: Path
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    search = {"query": {"minScore": 0.9}}
    agent = {"agents": {"defaults": {"workspace": str(notes), "memorySearch": search}}}
    (state / "openclaw.json").write_text(json.dumps(agent, indent=1), "utf-8")
    args = ("--state-dir", state, "--profile", "tuned", "config", "show")
    (deaf,) = memlens(*args, "--json").json["unheeded"]
    assert (deaf["key"], deaf["value"], deaf["line"]) == ("query.minScore", 0.9, 7)
    assert "not heard by the profile: query.minScore = 0.9" in memlens(*args).out


def test_a_broken_configuration_still_opens_and_says_where(
    memlens: Command, tmp_path: Path, notes: Path
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "openclaw.json").write_text('{\n  "agents": {,}\n}\n', "utf-8")
    said = memlens("--state-dir", state, "config", "show", "--json")
    assert said.code == 0
    warning = said.json["warnings"][0]
    assert (warning["line"], Path(warning["file"]).name) == (2, "openclaw.json")
    told = memlens("--state-dir", state, "config", "show").err.splitlines()
    assert told[0] == f"{warning['message']} {warning['hint']} ({warning['file']})"


@pytest.mark.parametrize(
    "wrong",
    [
        ["--reset", "status"],
        ["--demo", "--workspace", "elsewhere", "status"],
        ["--era", "1999", "status"],
        ["--set", "query.hybird.textWeight=1", "status"],
        ["--now", "yesterday", "status"],
        ["search"],
        ["nonsense"],
    ],
)
def test_wrong_usage_ends_with_two(memlens: Command, wrong: list[str]) -> None:
    said = memlens(*wrong)
    assert said.code == 2
    assert said.out == ""
    assert said.err


def test_disabled_search_ends_with_three(memlens: Command, notes: Path) -> None:
    said = memlens("--workspace", notes, "--set", "enabled=false", "search", "tea", "--json")
    assert said.code == 3
    assert said.json["error"]["type"] == "unavailable"
    assert "enabled" in said.json["error"]["message"]


def test_search_reports_a_stale_index_and_keeps_it(memlens: Command, notes: Path) -> None:
    memlens("--workspace", notes, "index")
    (notes / "memory" / "new.md").write_text("marzipan\n", "utf-8")
    said = memlens("--workspace", notes, "search", "marzipan", "--json").json
    assert said["stale"] is True
    assert all(result["path"] != "memory/new.md" for result in said["results"])


def test_json_holds_odd_text_unharmed(memlens: Command, notes: Path) -> None:
    text = "saffron [/bold] \x1b[31m red \u202e\n"
    (notes / "memory" / "odd.md").write_text(text, "utf-8")
    said = memlens("--workspace", notes, "search", "saffron", "--json").json
    assert "\x1b[31m" in said["results"][0]["snippet"]


def test_an_empty_folder_is_no_missing_match(memlens: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    said = memlens("--workspace", tmp_path / "empty", "search", "heron")
    assert "Nothing is indexed here" in said.err
    assert "vectors" not in said.err


def test_what_is_wrong_with_the_configuration_is_said_where_a_command_fails(
    memlens: Command, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "openclaw.json").write_text("{ bad", "utf-8")
    said = memlens("--state-dir", state, "status")
    assert said.code == 1
    assert "openclaw.json, line 1" in said.err
    assert "Workspace not found" in said.err
