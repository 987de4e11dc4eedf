"""A case as the agent's configuration has it: provider ``fake`` stands for a fake endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.cases.inputs import DATA
from tests.engine.agent_home import AgentHome
from tests.fakes.provider_server import FakeProvider


def case_home(name: str, folder: Path) -> AgentHome:
    """A home with the workspace of a case in it."""
    home = AgentHome(folder)
    workspace = DATA / name / "workspace"
    for file in sorted(workspace.rglob("*.md")):
        home.write(file.relative_to(workspace).as_posix(), file.read_text("utf-8"))
    return home


def configure(
    home: AgentHome, config: Mapping[str, Any], models: Mapping[str, str], **fakes: FakeProvider
) -> None:
    """The case's memorySearch; each fake endpoint is a provider of its name with one model."""
    providers = {
        name: {
            "baseUrl": fake.base_url,
            "api": "openai-completions",
            "models": [{"id": models[name]}],
        }
        for name, fake in fakes.items()
    }
    search = config["agents"]["defaults"]["memorySearch"]
    home.configure(search, models={"providers": providers})


def toy_3(text: str) -> list[float]:
    """Three numbers, none of them zero, that depend on the text."""
    return [1.0, 1.0 + len(text) % 7, 1.0 + text.count("e")]
