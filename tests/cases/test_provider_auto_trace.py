"""Case provider-auto-trace: every step of "auto" is told, without sending anything.

Which provider is chosen is tested where it is chosen; here it is what status says.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cases.searching import case_json
from tests.engine.agent_home import AgentHome

NAME = "provider-auto-trace"
EXPECTED = case_json(f"{NAME}/expect.json")
STEPS = ["local", "openai", "gemini", "voyage", "mistral"]


@pytest.mark.parametrize("case", case_json(f"{NAME}/configs.json"), ids=lambda case: case["name"])
def test_the_status_tells_every_step(case: dict[str, Any], tmp_path: Path) -> None:
    secrets = {name: f"secret-value-of-{name.lower()}" for name in case["env"]}
    home = AgentHome(tmp_path, environ=secrets)
    config = case["config"]
    search = config.get("agents", {}).get("defaults", {}).get("memorySearch", {})
    others = {key: value for key, value in config.items() if key != "agents"}
    home.configure(search, meta={"lastTouchedVersion": "2026.3.13"}, **others)
    with home.open() as engine:
        state = engine.status().provider
        assert not engine.config.store_path.exists()
    said = repr(state)
    agents = EXPECTED[case["name"]].split(" ")[0]
    assert ("keywords only" if agents == "none" else f"would use {agents}") in state.agent_would
    assert state.key_source is None or any(name in state.key_source for name in secrets)
    assert not any(value in said for value in secrets.values())
    if state.requested == "auto":
        passed = [step.provider for step in state.passed_over]
        assert [*passed, state.provider][: len(STEPS)] == STEPS[: len(passed) + 1]
        assert all(step.reason for step in state.passed_over)
        assert state.provider in (*STEPS, "builtin")
