"""Tool payloads of the original programs: results, citations by session, errors, switches.

Deliberate deviations, each asserted with what the original did:

- a failing query embedding makes the tool of both versions unavailable, against their own
  documents; here the eras 2026.2 and 2026.3 answer by keywords, and only from 2026.7 on, whose
  documents say so, is the answer "unavailable" with error, warning and action;
- ``enabled: false`` takes the tools away; here they are there and say which setting, where;
- ``provider: local`` without its native part throws a help text; here search is by keywords and
  says that this provider cannot be used.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.memory import MemoryEngine
from engine.tools.agent_answer import answer_for_agent
from engine.tools.arguments import ArgumentError
from engine.tools.memory_get import get_for_agent
from tests.engine.agent_home import KEY, AgentHome, remote
from tests.fakes.answers import status
from tests.fakes.provider_server import FakeProvider
from tests.golden.vectors import vectors

pytestmark = pytest.mark.golden

MEASURED = vectors("tools.json")
CASES = {case["id"]: case for case in MEASURED["cases"]}
VERSIONS = ("2026.2.26", "2026.3.13")


def _home(tmp_path: Path) -> AgentHome:
    """The small workspace; its links and its directory lead nowhere in these cases."""
    home = AgentHome(tmp_path)
    for path, text in MEASURED["small_workspace"].items():
        home.write(path, text)
    return home


def _call(engine: MemoryEngine, call: dict[str, Any]) -> dict[str, Any]:
    try:
        if call["op"] == "tsearch":
            answer = answer_for_agent(engine, call["params"], call.get("sessionKey"))
        else:
            answer = get_for_agent(engine, call["params"])
    except ArgumentError as error:
        return {"op": call["op"], "error": error.message}
    return {"op": call["op"], "tool": answer, "isNull": False}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["tool-cit-auto", "tool-cit-on", "tool-cit-off", "tool-errs"])
def test_the_tools_answer_as_the_original(name: str, version: str, tmp_path: Path) -> None:
    case = CASES[name]
    expected = case["expected"] if case["same_in_both_versions"] else case["expected"][version]
    memory = case["config"].get("memory", {})
    with FakeProvider() as fake:
        home = _home(tmp_path)
        home.configure(remote(fake.base_url), memory=memory, meta={"lastTouchedVersion": version})
        with home.open() as engine:
            engine.sync("demand")
            answers = [_call(engine, call) for call in case["calls"]]
    for answer, wanted in zip(answers, expected["ops"], strict=True):
        _assert_alike(answer, wanted)


def _assert_alike(answer: dict[str, Any], wanted: dict[str, Any]) -> None:
    found = answer.get("tool", {}).pop("results", [])
    rows = wanted.get("tool", {}).pop("results", [])
    assert answer == wanted
    for row, expected in zip(found, rows, strict=True):
        assert row.pop("score") == pytest.approx(expected.pop("score"), abs=2e-6)
        assert row == expected


UNAVAILABLE = {
    "tool-unavail-401": (401, "embedding provider or the index failed", "Check the key"),
    "tool-unavail-429": (429, "quota is used up", "Add credit"),
}
"""Status of the fault, and what stands for the measured markers of warning and action."""


@pytest.mark.parametrize("name", UNAVAILABLE)
@pytest.mark.parametrize("version", [*VERSIONS, "2026.7.35", "2026.9.6"])
def test_a_failing_query(name: str, version: str, tmp_path: Path) -> None:
    code, warning, action = UNAVAILABLE[name]
    (measured,) = CASES[name]["expected"]["ops"]
    with FakeProvider() as fake:
        home = _home(tmp_path)
        home.configure(remote(fake.base_url), meta={"lastTouchedVersion": version})
        with home.open("query.minScore=0") as engine:
            engine.sync("demand")
            fake.otherwise = status(code)
            answer = answer_for_agent(engine, CASES[name]["calls"][0]["params"])
    assert KEY not in str(answer)
    if version in VERSIONS:
        assert answer["mode"] == "fts-only"
        assert [row["path"] for row in answer["results"]] == ["memory/a.md"]
        return
    assert answer.keys() == measured["tool"].keys()
    for flag in ("results", "disabled", "unavailable"):
        assert answer[flag] == measured["tool"][flag]
    assert f"({code})" in answer["error"]
    assert warning in answer["warning"]
    assert action in answer["action"]


@pytest.mark.parametrize("version", VERSIONS)
def test_tools_that_are_switched_off(version: str, tmp_path: Path) -> None:
    assert CASES["tool-disabled"]["expected"]["null_manager"] is True
    home = _home(tmp_path)
    home.configure({"enabled": False}, meta={"lastTouchedVersion": version})
    with home.open() as engine:
        found = answer_for_agent(engine, {"query": "router VLAN"})
        read = get_for_agent(engine, {"path": "memory/a.md"})
    assert (found["results"], read["text"]) == ([], "")
    assert found["disabled"] and read["disabled"]
    for answer in (found, read):
        assert "memorySearch.enabled is false (openclaw.json, line 6)" in answer["error"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_local_provider_that_is_not_there(version: str, tmp_path: Path) -> None:
    case = CASES["tool-local-missing"]
    assert case["expected"][version]["error"].startswith("<local binding missing")
    home = _home(tmp_path)
    # The original lacks the binding; here a file is missing, so that nothing is downloaded.
    model = {"modelPath": str(tmp_path / "none.gguf")}
    home.configure({"provider": "local", "local": model}, meta={"lastTouchedVersion": version})
    with home.open("query.minScore=0") as engine:
        engine.sync("demand")
        answer = answer_for_agent(engine, case["calls"][0]["params"])
        provider = engine.status().provider
    assert [row["path"] for row in answer["results"]] == ["memory/a.md"]
    assert (provider.provider, provider.mode) == ("none", "degraded")
    assert "local" in provider.reason
    assert "local.modelPath" in str(provider.error)


def test_nothing_of_the_measurement_was_left_out() -> None:
    payloads = {"tool-cit-auto", "tool-cit-on", "tool-cit-off", "tool-errs"}
    told = payloads | UNAVAILABLE.keys() | {"tool-disabled", "tool-local-missing"}
    assert told == CASES.keys()
    assert len(told) == 8
