"""Configuration as two releases of the original resolved it (golden/openclaw/resolve.json).

Deliberate deviations, each checked where it applies:
- the provider's own default model is filled in where the provider is made, not here;
- ``remote`` always exists here, where the original leaves it out for some providers;
- the index file is ours, named after the agent's and beside it, never the agent's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.config.declaring import as_written
from engine.config.resolved import ResolvedConfig
from tests.engine.config.desk import Desk
from tests.golden.vectors import vectors

pytestmark = pytest.mark.golden

ERAS = {"2026.2.26": "2026.2", "2026.3.13": "2026.3"}
DEFAULT_MODELS = {
    "gemini": "gemini-embedding-001",
    "voyage": "voyage-4-large",
    "mistral": "mistral-embed",
    "ollama": "nomic-embed-text",
}


CASES = [
    pytest.param(case, release, id=f"{case['id']}-{release}")
    for case in vectors("resolve.json")["cases"]
    for release in ERAS
]


@pytest.mark.parametrize(("case", "release"), CASES)
def test_resolved_as_the_original_does(case: Any, release: str, tmp_path: Path) -> None:
    config = resolved(case["config"], release, tmp_path)
    measured = case["expected"]
    expected = measured.get(release, measured)["resolved"]
    if expected is None:
        assert not config.memory_search.enabled
        return
    expected = json.loads(json.dumps(expected).replace("<root>", str(tmp_path)))
    check_store(config, Path(expected["store"].pop("path")))
    check_model(config, expected.pop("model"))
    ours = dict(leaves(json.loads(json.dumps(as_written(config.memory_search)))))
    assert {key: ours[key] for key, _ in leaves(expected)} == dict(leaves(expected))


def resolved(content: Any, release: str, root: Path) -> ResolvedConfig:
    environ = {"HOME": str(root / "home"), "OPENCLAW_STATE_DIR": str(root / "state")}
    desk = Desk(root, environ)
    text = json.dumps(content).replace("<root>", str(root))
    desk.write(root / "state" / "openclaw.json", text)
    return desk.resolve(era=ERAS[release])


def check_store(config: ResolvedConfig, agents_file: Path) -> None:
    assert config.store_path == agents_file.with_name(f"{agents_file.stem}.memlens.sqlite")


def check_model(config: ResolvedConfig, model: str) -> None:
    assert config.memory_search.model == ""
    assert model in ("", DEFAULT_MODELS.get(config.memory_search.provider))


def leaves(tree: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
