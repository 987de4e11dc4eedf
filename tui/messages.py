"""What travels between engine, application and screens: one message per fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from textual.message import Message

if TYPE_CHECKING:
    from engine.errors import EngineError
    from engine.events import EngineEvent
    from engine.status import EngineStatus


class EngineOpened(Message):
    """The engine is open; requests are answered from now on."""


class EngineFailed(Message):
    """The engine could not be opened."""

    def __init__(self, error: EngineError) -> None:
        super().__init__()
        self.error = error


class StatusChanged(Message):
    """A fresh status; the application hands it on to the screens."""

    def __init__(self, status: EngineStatus) -> None:
        super().__init__()
        self.status = status


class SyncEvent(Message):
    """Something the indexer told; progress comes at most 20 times a second."""

    def __init__(self, event: EngineEvent) -> None:
        super().__init__()
        self.event = event


class IndexChanged(Message):
    """The published index has a new revision; results on screen may be old."""

    def __init__(self, revision: int) -> None:
        super().__init__()
        self.revision = revision


class Noticed(Message):
    """A sentence for a passing notice."""

    def __init__(self, level: Literal["info", "warning", "error"], text: str) -> None:
        super().__init__()
        self.level = level
        self.text = text


class CallFailed(Message):
    """An engine call of ``Bridge.request`` failed; shown as a notice unless somebody stops it."""

    def __init__(self, group: str, error: EngineError) -> None:
        super().__init__()
        self.group = group
        self.error = error


class OpenFile(Message):
    """Asks the application to show a file on the Files screen, at a line if one is given.

    Lines are 1-based and inclusive; ``query`` is what to mark as hits.
    """

    def __init__(
        self, path: str, line: int | None = None, end_line: int | None = None, query: str = ""
    ) -> None:
        super().__init__()
        self.path = path
        self.line = line
        self.end_line = end_line
        self.query = query


class ShowFile(Message, bubble=False):
    """Handed to the Files screen once it is in front: show this file there.

    ``origin`` is the screen that asked for it; leaving the file leads back there.
    """

    def __init__(
        self, path: str, line: int | None, end_line: int | None, query: str, origin: str = ""
    ) -> None:
        super().__init__()
        self.origin = origin
        self.path = path
        self.line = line
        self.end_line = end_line
        self.query = query


class WentBack(Message):
    """A key that means "back" was spent on a dialog, a file or another inner thing.

    ``to`` names the main screen that comes to the front again, if it is another.
    """

    def __init__(self, to: str = "") -> None:
        super().__init__()
        self.to = to


class NewsWaiting(Message, bubble=False):
    """Told to a screen: the status of this moment, and why the memory is not open, if so.

    News reach screens only as messages: a screen takes its messages one by one after it has
    been composed, so nothing is ever told to a screen that is only half there.
    """

    def __init__(self, status: EngineStatus | None, error: EngineError | None) -> None:
        super().__init__()
        self.status = status
        self.error = error

    def can_replace(self, message: Message) -> bool:
        """The last of several that wait says it all."""
        return isinstance(message, NewsWaiting)


class IndexerTold(Message, bubble=False):
    """Told to a screen: progress and other news of the indexer."""

    def __init__(self, event: EngineEvent) -> None:
        super().__init__()
        self.event = event


class MemoryLeft(Message, bubble=False):
    """Told to a screen: another memory is being opened; nothing that was said holds for it."""


class OpenAgain(Message):
    """Asks the application to open the same memory anew, with its configuration as it is now."""


class LooksChanged(Message, bubble=False):
    """Another set of signs is in use; what a screen has drawn is to be drawn anew."""
