from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.config.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A machine without any agent."""
    made = Desk(tmp_path)
    made.home.mkdir()
    return made
