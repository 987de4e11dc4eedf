"""Where the project's shared material lies; tests that need it skip where it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
CASES = Path(__file__).resolve().parent / "cases" / "data"


def shared(*parts: str) -> Path:
    """A path below the shared folder, or a skip with the reason.

    The inputs of cases are invented texts and lie in the repository too.
    """
    path = CASES.joinpath(*parts[1:]) if parts[0] == "cases" else SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs shared/{'/'.join(parts)}, which lies outside the repository")
    return path
