"""What is told in passing: each sentence once, counted when told again, gone after a while."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, Protocol, runtime_checkable

from textual.app import App
from textual.dom import DOMNode
from textual.signal import Signal

Severity = Literal["information", "warning", "error"]
LASTING_S: Mapping[Severity, float] = MappingProxyType(
    {"information": 5.0, "warning": 8.0, "error": 12.0}
)
"""How long a notice stays; what somebody may have to act on stays longer."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence or two, with a title where there is one; ``times`` is how often it was told."""

    title: str
    text: str
    severity: Severity
    times: int = 1

    def same(self, other: Notice) -> bool:
        """True when both say the same."""
        return replace(self, times=1) == replace(other, times=1)


class Notices:
    """Holds the notices of this moment, newest first; ``changed`` tells who shows them."""

    def __init__(self, app: App[Any], lasting_s: Mapping[Severity, float] = LASTING_S) -> None:
        self._app = app
        self.lasting_s = lasting_s
        self.changed: Signal[None] = Signal(app, "notices")
        self.shown: tuple[Notice, ...] = ()

    def tell(self, title: str, text: str, severity: Severity) -> None:
        """Show a notice; one that stands there already is counted and stays anew."""
        told = Notice(title, text, severity)
        before = next((notice for notice in self.shown if notice.same(told)), None)
        if before is not None:
            told = replace(before, times=before.times + 1)
        self._show((told, *(notice for notice in self.shown if notice is not before)))
        self._app.set_timer(self.lasting_s[severity], partial(self._end, told))

    def dismiss(self) -> None:
        """Somebody has read them."""
        self._show(())

    def _end(self, ended: Notice) -> None:
        """Take it away, unless it has been told again since."""
        if ended in self.shown:
            self._show(tuple(notice for notice in self.shown if notice != ended))

    def _show(self, notices: tuple[Notice, ...]) -> None:
        if notices != self.shown:
            self.shown = notices
            self.changed.publish(None)


@runtime_checkable
class HasNotices(Protocol):
    """An application that tells things in passing."""

    @property
    def notices(self) -> Notices:
        """What it tells."""
        ...


def notices_of(node: DOMNode) -> Notices:
    """The notices of the application that a widget belongs to."""
    app: object = node.app
    assert isinstance(app, HasNotices)
    return app.notices
