"""The last line of every screen: the few keys that matter most here; the rest is in help."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.binding import ActiveBinding
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from tui.notices import notices_of
from tui.text import assemble, safe, width

MOST = 6
ALWAYS = ("app.palette", "app.help", "app.quit")


@dataclass(frozen=True, slots=True)
class Hint:
    """A key as it is pressed, as it is shown, and what it does."""

    key: str
    shown: str
    does: str

    @property
    def cells(self) -> int:
        """Cells the hint takes, with the gap behind it."""
        return width(self.shown) + 1 + width(self.does) + 2


def hints(screen: Screen[object], room: int) -> list[Hint]:
    """The hints that fit: up to six of the focused widget and screen, then help."""
    found = list(screen.active_bindings.values())
    fixed = [_hint(screen, active) for active in _firsts(found) if active.binding.id in ALWAYS]
    room -= sum(hint.cells for hint in fixed) + 1
    chosen: list[Hint] = []
    for active in _firsts(found):
        hint = _hint(screen, active)
        fits = hint.cells <= room and len(chosen) < MOST
        if fits and active.enabled and active.binding.id not in ALWAYS:
            chosen.append(hint)
            room -= hint.cells
    return chosen + fixed


def _firsts(found: list[ActiveBinding]) -> list[ActiveBinding]:
    """One binding an action: an action with several keys is shown with its first."""
    seen: dict[str, ActiveBinding] = {}
    for active in found:
        if active.binding.show:
            seen.setdefault(active.binding.action, active)
    return list(seen.values())


def _hint(screen: Screen[object], active: ActiveBinding) -> Hint:
    binding = active.binding
    return Hint(binding.key, screen.app.get_key_display(binding), binding.description)


class KeyLine(Widget):
    """Draws the hints from the bindings in force, so a changed key map shows at once."""

    class Pressed(Message):
        """A hint was clicked; the same as its key."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def on_mount(self) -> None:
        """Draw anew whenever focus or key map changes what keys do; make room for notices."""
        self.screen.bindings_updated_signal.subscribe(self, self._again)
        notices_of(self).changed.subscribe(self, self._give_way)
        self._give_way()

    def _give_way(self, _: None = None) -> None:
        self.display = not notices_of(self).shown

    def _again(self, _screen: Screen[object]) -> None:
        self.refresh()

    def render(self) -> Content:
        """The hints of this moment."""
        pieces: list[str | tuple[str, str]] = [" "]
        for hint in hints(self.screen, self.size.width):
            pieces += [(safe(hint.shown), "bold $accent"), f" {hint.does}  "]
        return assemble(*pieces)

    def on_click(self, event: events.Click) -> None:
        """Do what the hint under the pointer says."""
        at = event.x - 1
        for hint in hints(self.screen, self.size.width):
            at -= hint.cells
            if at < 0:
                self.post_message(self.Pressed(hint.key))
                return
