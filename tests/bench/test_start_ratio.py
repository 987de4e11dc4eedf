"""The first frame of the application, as a ratio to the import of Textual alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.tui.test_start import FIRST_FRAME, python


@pytest.mark.bench
def test_the_first_frame_costs_at_most_twice_the_import_of_textual(tmp_path: Path) -> None:
    """CPU of whole processes, the best of three each, so that neighbours do not count."""
    alone = "import time, textual.app; print([time.process_time()])"
    best = [
        min(ast.literal_eval(python(code, str(tmp_path)).stdout)[-1] for _ in range(3))
        for code in (FIRST_FRAME, alone)
    ]
    assert best[0] <= 2 * best[1]
