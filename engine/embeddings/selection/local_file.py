"""Whether the configured local model is a file that exists, which alone lets auto take it."""

from __future__ import annotations

from pathlib import Path

_SCHEMES = ("hf:", "http:", "https:")


def local_model_problem(model_path: str, workspace: Path, home: Path | None) -> str | None:
    """Why ``local.modelPath`` is no usable file; None when it is one.

    A relative path counts from the workspace, ``~/`` from the home folder.
    """
    path = model_path.strip()
    if not path:
        return "local.modelPath is not set"
    if path.lower().startswith(_SCHEMES):
        return "local.modelPath is an address, not an existing file"
    if path.startswith("~/") and home is not None:
        path = str(home / path[2:])
    try:
        if (workspace / path).is_file():
            return None
    except (OSError, ValueError):
        return "local.modelPath cannot be looked at"
    return "local.modelPath names no existing file"
