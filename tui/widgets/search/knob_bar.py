"""All knobs in one row, one of them in hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from engine.ranking.settings import RankSettings
from tui.glyphs import glyphs_of
from tui.text import assemble, plain, width
from tui.widgets.search.knobs import HYBRID, KNOBS, NAMES, PROFILE, WEIGHTS

LESS, MORE, CHANGED = "-", "+", "*"
_ROOMY = 112
_PLAIN = {ord("×"): "x", ord("λ"): "lambda"}


@dataclass(frozen=True, slots=True)
class KnobFace:
    """What one knob shows: ``-label*+``, where the signs stand only when they apply."""

    name: str
    label: str
    changed: bool
    in_hand: bool

    @property
    def cells(self) -> int:
        """Cells of the face, signs included."""
        return width(self.label) + 3

    def pieces(self) -> list[tuple[str, str]]:
        """The face with its inks."""
        less, more = (LESS, MORE) if self.in_hand else (" ", " ")
        ink = ".knob-bar--hand" if self.in_hand else ".knob-bar--knob"
        if self.changed:
            ink = ".knob-bar--changed-hand" if self.in_hand else ".knob-bar--changed"
        mark = CHANGED if self.changed else " "
        return [
            (less, ".search--key"),
            (self.label, ink),
            (mark, ".search--warning"),
            (more, ".search--key"),
        ]


def faces_of(
    settings: RankSettings, base: RankSettings, mode: str, in_hand: str, room: int
) -> list[KnobFace]:
    """The faces of all knobs, with longer labels where there is room for them.

    With one leg only, as ``mode`` tells, there is nothing to weigh.
    """
    roomy = room >= _ROOMY
    labels = {knob.name: knob.label(settings, roomy) for knob in KNOBS}
    changed = {knob.name for knob in KNOBS if knob.changed(settings, base)}
    if mode != HYBRID:
        labels[WEIGHTS] = f"{mode} only"
    labels[PROFILE] = f"profile {settings.profile}" if roomy else settings.profile
    return [
        KnobFace(name, label, name in changed, name == in_hand) for name, label in labels.items()
    ]


def _end_of_hand(found: Sequence[KnobFace]) -> int:
    """Cells up to the end of the knob in hand."""
    place = next((at for at, face in enumerate(found) if face.in_hand), 0)
    return sum(face.cells for face in found[: place + 1])


class KnobBar(Widget):
    """Draws the knobs; a click takes one in hand, a click on its signs turns it.

    Where the row is too narrow it starts further right, so that the knob in hand is whole.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "knob-bar--knob",
        "knob-bar--hand",
        "knob-bar--changed",
        "knob-bar--changed-hand",
    }
    DEFAULT_CSS = """
    KnobBar {
        height: 1;
        .knob-bar--knob { color: $foreground; }
        .knob-bar--hand { background: $primary 25%; text-style: bold; }
        .knob-bar--changed { color: $warning; }
        .knob-bar--changed-hand { color: $warning; background: $primary 25%; text-style: bold; }
    }
    """

    class Taken(Message):
        """A knob was taken in hand with the mouse."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    class Turned(Message):
        """A knob was turned with the mouse: by so many steps, 0 for its switch."""

        def __init__(self, name: str, steps: int) -> None:
            super().__init__()
            self.name = name
            self.steps = steps

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.in_hand = NAMES[0]
        self._settings: RankSettings | None = None
        self._base: RankSettings | None = None
        self._mode = HYBRID

    def show(self, settings: RankSettings, base: RankSettings, mode: str = HYBRID) -> None:
        """Show these settings; what differs from ``base`` is marked; ``mode`` names the legs."""
        self._settings, self._base, self._mode = settings, base, mode
        self.refresh()

    def take(self, name: str) -> None:
        """Take a knob in hand."""
        self.in_hand = name
        self.refresh()

    def take_next(self, places: int) -> None:
        """Take the next (1) or previous (-1) knob in hand, around the ends."""
        self.take(NAMES[(NAMES.index(self.in_hand) + places) % len(NAMES)])

    def render(self) -> Content:
        """The knobs that fit, the one in hand always among them."""
        shown = self.faces()
        if not shown:
            return plain(" opening the memory", ".search--muted")
        pieces = [piece for face in shown for piece in face.pieces()]
        more = self.size.width - sum(face.cells for face in shown)
        if shown[-1].name != PROFILE and more > 0:
            pieces.append((f"{glyphs_of(self).arrow:>{more}}", ".search--muted"))
        return assemble(*pieces)

    def on_click(self, event: events.Click) -> None:
        """Take the knob under the pointer in hand, or turn it if its sign was hit."""
        hit = self._under(event.x)
        if hit is None:
            return
        face, at = hit
        event.stop()
        if not face.in_hand:
            self.post_message(self.Taken(face.name))
        elif at == 0 or at == face.cells - 1:
            self.post_message(self.Turned(face.name, 1 if at else -1))
        else:
            self.post_message(self.Turned(face.name, 0))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel turns the knob under the pointer."""
        self._turn_under(event.x, 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel turns the knob under the pointer."""
        self._turn_under(event.x, -1)

    def _turn_under(self, x: int, steps: int) -> None:
        hit = self._under(x)
        if hit is not None:
            self.post_message(self.Turned(hit[0].name, steps))

    def faces(self) -> list[KnobFace]:
        """The knobs that the row has room for; it starts where the one in hand is whole."""
        if self._settings is None or self._base is None:
            return []
        found = faces_of(self._settings, self._base, self._mode, self.in_hand, self.size.width)
        if glyphs_of(self).name != "unicode":
            found = [replace(face, label=face.label.translate(_PLAIN)) for face in found]
        while _end_of_hand(found) > self.size.width and not found[0].in_hand:
            found.pop(0)
        ends = accumulate(face.cells for face in found)
        fitting = [face for face, end in zip(found, ends, strict=True) if end <= self.size.width]
        return fitting or found[:1]

    def _under(self, x: int) -> tuple[KnobFace, int] | None:
        start = 0
        for face in self.faces():
            if x < start + face.cells:
                return face, x - start
            start += face.cells
        return None
