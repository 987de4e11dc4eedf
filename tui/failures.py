"""A failed engine call as something a person can read."""

from __future__ import annotations

import logging
import traceback

from engine.errors import EngineError

log = logging.getLogger("memlens.calls")
log.addHandler(logging.NullHandler())


def in_words(error: Exception, doing: str) -> EngineError:
    """The error as something a person can read; an unexpected one is logged by place only."""
    if isinstance(error, EngineError):
        return error
    places = traceback.extract_tb(error.__traceback__)
    trail = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(places))
    log.error("unexpected %s while %s: %s", type(error).__name__, doing, trail)
    return EngineError(
        "Unexpected failure",
        f"{type(error).__name__} in {places[-1].name if places else 'the engine'} ({doing}).",
        "The application goes on. Please report this with what you did just before.",
    )
