"""Fixtures of the store tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.store.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A path for an index in a folder of its own."""
    desk = Desk(tmp_path / "agent" / "main.memlens.sqlite")
    yield desk
    desk.close()
