"""The stage of each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.screens.stage import Stage, stage


@pytest.fixture
def on_stage(tmp_path: Path) -> Stage:
    """Folders of this test alone and a clock that stands still."""
    return stage(tmp_path)
