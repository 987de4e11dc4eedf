"""Tool payloads of the original programs: results, citations by session, argument errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.memory import MemoryEngine
from engine.tools.agent_answer import answer_for_agent
from engine.tools.arguments import ArgumentError
from engine.tools.memory_get import get_for_agent
from tests.engine.agent_home import AgentHome, remote
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
