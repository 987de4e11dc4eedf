"""The desk on which the tests of the indexer work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.index.desk import Desk, make_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk with an empty workspace, closed afterwards."""
    desk = make_desk(tmp_path)
    yield desk
    desk.close()
