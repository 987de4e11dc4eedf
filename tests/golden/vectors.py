"""The measured vectors of the original programs that lie in this repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

OPENCLAW = Path(__file__).with_name("openclaw")
WORKSPACE = OPENCLAW / "workspace" / "main"


def vectors(name: str) -> Any:
    """One file of measurements, parsed."""
    return json.loads((OPENCLAW / name).read_text("utf-8"))
