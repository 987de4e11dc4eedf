"""What making the index anew costs, and whether to do it: opens at once, counts, then asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from tui.glyphs import glyphs_of
from tui.messages import CallFailed
from tui.screens.dialog import Choice, Dialog
from tui.text import assemble
from tui.widgets.rebuild_cost import Piece, cost_lines
from tui.wording import told

if TYPE_CHECKING:
    from engine.memory import MemoryEngine
    from engine.status import RebuildEstimate
    from tui.bridge import Bridge


class Estimated(Message, bubble=False):
    """The cost, and the changes of settings that the index waits for, if it waits at all."""

    def __init__(self, cost: RebuildEstimate, changes: Sequence[str]) -> None:
        super().__init__()
        self.cost = cost
        self.changes = changes


class Costing(Dialog[bool]):
    """A question whose answer "yes" can be given once its cost is known.

    ``waiting`` says that the index waits for consent: to its first vectors, or to new ones
    after a change of settings. Otherwise a person wants it made anew.
    """

    def __init__(self, bridge: Bridge, *, waiting: bool) -> None:
        yes = Choice("index" if waiting else "rebuild", True, danger=not waiting)
        no = Choice("not now" if waiting else "leave it", False)
        super().__init__(
            "Bring the index up to date?" if waiting else "Rebuild the index", [yes, no]
        )
        self._bridge = bridge
        self._waiting = waiting
        self._shown = Static()
        self.counted = False

    def compose_said(self) -> Iterable[Widget]:
        """What is known so far."""
        self._say([("counting files and texts", "bold"), glyphs_of(self).ellipsis, "\n" * 3])
        self._buttons[0].disabled = True
        yield self._shown

    def on_mount(self) -> None:
        """Ask for the cost; the answer comes to this dialog, or to nobody when it is gone."""
        super().on_mount()
        work = partial(_estimated, waiting=self._waiting)
        self._bridge.request("estimate", work, lambda estimated: estimated, self)

    @on(Estimated)
    def _fill_in(self, message: Estimated) -> None:
        cost, changes = message.cost, message.changes
        self._say(cost_lines(cost, glyphs_of(self)), _reasons(cost, changes))
        if self._waiting and cost.remote:
            self.call_it("Send this memory to a provider?")
            self._buttons[0].label = "send and index"
            self._buttons[0].variant = "error"
        self._buttons[0].disabled = False
        self.counted = True

    @on(CallFailed)
    def _not_counted(self, message: CallFailed) -> None:
        message.stop()
        self.call_it(message.error.title)
        self._shown.update(told(message.error))

    def _say(self, known: list[Piece], reasons: list[Piece] | None = None) -> None:
        lead: list[Piece] = _REBUILDING if not self._waiting else reasons or _WAITING
        end = "\n\nUntil then, search answers from what is there." if self._waiting else ""
        self._shown.update(assemble(*lead, "\n\n", *known, end))


_REBUILDING: list[Piece] = [
    "All files are read and cut anew beside the present index, which answers until the new one is "
    "complete. It can be cancelled at any time with ",
    ("x", "bold"),
    " on the overview.",
]
_WAITING: list[Piece] = ["The index waits for your consent."]


def _reasons(cost: RebuildEstimate, changes: Sequence[str]) -> list[Piece]:
    """What the index waits for."""
    why: list[Piece] = ["This memory has no vectors yet."]
    if changes:
        why = ["The index was made with other settings: ", ("; ".join(changes), "bold"), "."]
    if cost.remote:
        why += [" Making the vectors sends text of memory files to ", (cost.provider, "bold"), "."]
    return why


def _estimated(engine: MemoryEngine, waiting: bool) -> Estimated:
    """Runs on a worker."""
    changes = engine.status().identity.changes if waiting else ()
    return Estimated(engine.estimate_rebuild(), changes)
