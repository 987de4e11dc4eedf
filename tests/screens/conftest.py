"""The screen-test fixtures: a stage to run on, and the baselines to compare with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.screens.baseline import FOLDER, Baselines
from tests.screens.stage import SIZES, Stage, stage


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    """Each of the three sizes in turn."""
    found: tuple[int, int] = request.param
    return found


@pytest.fixture
def on_stage(tmp_path: Path) -> Stage:
    """Folders of this test alone and a clock that stands still."""
    return stage(tmp_path)


@pytest.fixture
def baselines(request: pytest.FixtureRequest) -> Baselines:
    """The baselines of the test's module."""
    module = Path(str(request.node.path)).stem.removeprefix("test_")
    return Baselines(FOLDER / module, request.config.getoption("--update-screens"))
