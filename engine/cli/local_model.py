"""What a status line says of the model of the provider ``local``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cli.model_progress import megabytes

if TYPE_CHECKING:
    from engine.local_status import LocalModelState


def local_model_words(local: LocalModelState) -> str:
    """File and process in one sentence."""
    match local.phase:
        case "missing":
            return "not on this machine yet; memlens model pull downloads it, and so does index"
        case "downloading":
            size = "" if local.total_bytes is None else f" of {megabytes(local.total_bytes)}"
            return f"being downloaded, {megabytes(local.done_bytes)}{size}"
        case "failed":
            return f"failed: {local.error}"
        case "loading":
            return f"being loaded from {local.path}"
        case "ready":
            return (
                f"runs in process {local.pid} with {local.binding}, {local.dimensions} "
                f"dimensions, windows of {local.window} tokens"
            )
        case "stopped":
            return f"{local.path}; its process starts with the first text"
