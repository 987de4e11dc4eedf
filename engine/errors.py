"""What can go wrong, said so that a person can act on it."""

from __future__ import annotations


class EngineError(Exception):
    """A failure with a title, a sentence on what happened where, and what to do.

    All three are plain text from us; anything quoted from a file, a provider or
    a process inside them is untrusted and must be sanitised where it is shown.
    """

    kind = "engine"

    def __init__(self, title: str, message: str, hint: str = "") -> None:
        super().__init__(f"{title}: {message}")
        self.title = title
        self.message = message
        self.hint = hint


class ConfigError(EngineError):
    """A configuration file or a ``--set`` value that cannot be used."""

    kind = "config"


class PathError(EngineError):
    """A path that the memory rules do not allow, or that cannot be read."""

    kind = "path"


class ProviderError(EngineError):
    """An embedding provider that failed or answered with something unusable."""

    kind = "provider"

    def __init__(
        self, title: str, message: str, hint: str = "", *, status: int | None = None
    ) -> None:
        super().__init__(title, message, hint)
        self.status = status


class StoreError(EngineError):
    """The index file cannot be opened, read or written."""

    kind = "store"


class SyncError(EngineError):
    """Indexing stopped before it was complete; the last published index still answers."""

    kind = "sync"


class SearchUnavailableError(EngineError):
    """Search cannot answer at all (disabled, or the era's rule for a failed provider)."""

    kind = "unavailable"


class CancelledError(EngineError):
    """The person cancelled the work; nothing is half done."""

    kind = "cancelled"

    def __init__(self, what: str) -> None:
        super().__init__("Cancelled", f"{what} was cancelled.", "")
