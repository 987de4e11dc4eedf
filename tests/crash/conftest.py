"""One nursery and one set of prepared scenes for all tests of a session."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.kills import Killer
from tests.crash.victims import Nursery

MEMORY = Path("/dev/shm")
"""A kill leaves what was written in the system's hands, so memory serves as well as a disk."""


@pytest.fixture(scope="session")
def killer() -> Iterator[Killer]:
    """Kills and checks; ended with the session."""
    where = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where) as folder, Nursery() as nursery:
        yield Killer(Path(folder), nursery)
