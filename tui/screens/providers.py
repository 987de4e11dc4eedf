"""Providers: which one makes the vectors and why, what it does now, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Resize
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from tui.messages import CallFailed, OpenAgain
from tui.screens.base import MemlensScreen
from tui.screens.providers_asking import (
    about_row,
    confirm_cancel_jobs,
    confirm_open_again,
    confirm_probe,
)
from tui.text import plain, safe
from tui.widgets.index_facts import Setting
from tui.widgets.providers.asking_engine import (
    JobsAsked,
    Learned,
    Probed,
    cancel_jobs,
    learn,
    probe,
)
from tui.widgets.providers.known import Known
from tui.widgets.providers.now import counts_seconds
from tui.widgets.providers.rows import Deed
from tui.widgets.providers.sections import left, right
from tui.widgets.providers.setting_file import edit_setting
from tui.widgets.providers.sheet import Sheet
from tui.wording import told

if TYPE_CHECKING:
    from engine import events
    from engine.errors import EngineError
    from engine.status import EngineStatus

OPENING = "Opening the memory."
TICK_S = 1.0
"""A countdown goes down this often; without one nothing ticks."""


class ProvidersScreen(MemlensScreen):
    """Two sheets of rows where there is room, all rows on a single one elsewhere."""

    NAME = "providers"
    AUTO_FOCUS = "#left-sheet"
    HELP = (
        "Who makes the vectors of this memory, why this one and none of the others, what is "
        "going on with it now, what it has cost, and which vectors the index file holds. "
        "Where a key came from is told; the key itself is never shown."
    )
    DEFAULT_CSS = """
    ProvidersScreen #opening { padding: 1 2; color: $text-muted; }
    ProvidersScreen #sheets { height: 1fr; }
    ProvidersScreen #left-sheet { width: 1fr; }
    ProvidersScreen #right-sheet { width: 1fr; display: none; margin-left: 1; }
    ProvidersScreen.wide #right-sheet { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "p",
            "probe",
            "probe",
            id="providers.probe",
            tooltip="Embed one word with the provider, and see the answer and its time.",
        ),
        Binding(
            "r",
            "retry",
            "retry",
            id="providers.retry",
            tooltip="Ask the provider that failed again, now.",
        ),
        Binding(
            "x",
            "app.cancel_sync",
            "cancel",
            id="providers.cancel",
            tooltip="Stop the running sync and its download.",
        ),
        Binding(
            "c",
            "cancel_jobs",
            "cancel jobs",
            id="providers.cancel_jobs",
            tooltip="Ask the provider to cancel the batch jobs that are out.",
        ),
        Binding(
            "o",
            "open_place",
            "open setting",
            id="providers.open",
            tooltip="Open the place in the configuration where the provider is set.",
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._known: Known | None = None
        self._agreed: set[tuple[object, ...]] = set()
        self._opening = Static(plain(OPENING), id="opening")
        self._sheets = Horizontal(id="sheets")
        self._left = Sheet(id="left-sheet")
        self._right = Sheet(id="right-sheet")
        self._ticking: Timer | None = None

    def compose_body(self) -> Iterable[Widget]:
        """The sheets; a word in their place until something is known."""
        yield self._opening
        with self._sheets:
            yield self._left
            yield self._right

    def on_mount(self) -> None:
        """Nothing is known, and nothing ticks."""
        self._ticking = self.set_interval(TICK_S, self._draw, pause=True)
        self._draw()

    # What is known

    def on_status(self, status: EngineStatus) -> None:
        """Draw everything anew; ask for the rest when memory or index is another one."""
        before, progress = self._known, status.sync.progress
        if before is None or not before.is_of_same_memory(status):
            self._known = Known(status, progress)
        else:
            self._known = replace(before, status=status, progress=progress)
        if before is None or not before.holds_for(status):
            self.bridge.request("learn", learn, lambda learned: learned, self)
        self._draw()

    def on_memory_left(self) -> None:
        """Nothing that was said holds for another memory."""
        super().on_memory_left()
        self._known = None
        self._opening.update(plain(OPENING))
        self._draw()

    def on_open_error(self, error: EngineError) -> None:
        """Say it in place of the sheets too; the dialog over it goes away."""
        self._opening.update(told(error))

    def on_engine_event(self, event: events.EngineEvent) -> None:
        """Follow a running sync and downloads."""
        from engine import events

        if isinstance(event, events.SyncProgress):
            self._learn(lambda known: replace(known, progress=event))
        elif isinstance(event, events.ModelDownload):
            heard_ms = self.bridge.now_ms()
            self._learn(lambda known: known.with_download(event, heard_ms))
        elif isinstance(event, events.SyncFinished | events.SyncFailed | events.SyncCancelled):
            self._learn(lambda known: replace(known, progress=None, arriving=()))

    def on_screen_resume(self) -> None:
        """A download that ended meanwhile was not heard; one that goes on tells again soon."""
        super().on_screen_resume()
        self._learn(lambda known: replace(known, arriving=()))

    @on(Learned)
    def _take_learned(self, message: Learned) -> None:
        self._learn(lambda known: replace(known, spaces=message.spaces, places=message.places))

    def _learn(self, change: Callable[[Known], Known]) -> None:
        if self._known is not None:
            self._known = change(self._known)
            self._draw()

    # What is shown

    def on_resize(self, event: Resize) -> None:
        """The width decides between one sheet and two."""
        super().on_resize(event)
        self._draw()

    def _draw(self) -> None:
        known, wide = self._known, self.has_class("wide")
        self._opening.display = known is None
        self._sheets.display = known is not None
        if known is not None:
            home = str(self.bridge.around.places.home)
            at = Setting(self.bridge.now_ms(), home, self.glyphs, wide)
            chosen, held = left(known, at), right(known, at)
            self._left.show(chosen if wide else [*chosen, *held], airy=wide)
            self._right.show(held if wide else [], airy=wide)
        self._tick(known is not None and counts_seconds(known, self.bridge.now_ms()))
        self.refresh_bindings()

    def _tick(self, needed: bool) -> None:
        if self._ticking is not None:
            (self._ticking.resume if needed else self._ticking.pause)()

    # What can be done

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Actions exist only where they can do something."""
        known = self._known
        if action == "probe":
            return known is not None and known.asked != "none" and not known.probing
        if action == "retry":
            return known is not None and known.failing and not known.probing
        if action == "cancel_jobs":
            return known is not None and known.may_cancel_jobs
        return super().check_action(action, parameters)

    @on(Sheet.Chosen)
    def _tell_all(self, message: Sheet.Chosen) -> None:
        self.app.push_screen(about_row(message.row), self._do)

    async def _do(self, deed: Deed | None) -> None:
        if deed is None:
            return
        if deed.name == "open":
            self._open(deed.target)
        elif deed.name == "cancel":
            await self.run_action("app.cancel_sync")
        elif deed.name == "cancel jobs":
            self.action_cancel_jobs()
        else:
            self.action_probe()

    def action_probe(self) -> None:
        """Embed one word, after the question that a remote provider needs."""
        known = self._known
        if known is None or known.probing:
            return
        destination = known.destination
        if not known.asks_elsewhere or destination in self._agreed:
            self._probe()
            return

        def agreed(yes: bool | None) -> None:
            if yes:
                self._agreed.add(destination)
                self._probe()

        self.app.push_screen(confirm_probe(known.asked, known.failing), agreed)

    def action_retry(self) -> None:
        """Ask the provider that failed; a probe that is answered ends its outage."""
        self.action_probe()

    def _probe(self) -> None:
        self._learn(lambda known: replace(known, probing=True))
        self.bridge.request("probe", probe, lambda probed: probed, self)

    @on(Probed)
    def _take_probe(self, message: Probed) -> None:
        report = message.report
        self._learn(lambda known: replace(known, probing=False, probe=report, arriving=()))
        self.bridge.refresh_status()

    @on(CallFailed)
    def _failed(self, message: CallFailed) -> None:
        if message.group == "probe":
            self._learn(lambda known: replace(known, probing=False, arriving=()))

    def action_cancel_jobs(self) -> None:
        """Ask, and then ask the provider; the engine tells what came of it."""
        if self._known is not None and self._known.may_cancel_jobs:
            question = confirm_cancel_jobs(self._known.status.batch.jobs)
            self.app.push_screen(question, self._cancel_jobs)

    def _cancel_jobs(self, yes: bool | None) -> None:
        if yes:
            self.bridge.request("cancel jobs", cancel_jobs, lambda asked: asked, self)

    @on(JobsAsked)
    def _take_jobs_asked(self) -> None:
        self.bridge.refresh_status()

    # The configuration

    def action_open_place(self) -> None:
        """Open the file that sets the provider, at its line."""
        self._open("provider")

    def _open(self, key: str) -> None:
        place = self._known.place(key) if self._known is not None else None
        around = self.bridge.around
        done = edit_setting(self.app, key, place, around.environ, str(around.places.home))
        if done.trouble:
            self.notify(safe(done.trouble), severity="warning", markup=False)
        elif done.changed:
            self.app.push_screen(confirm_open_again(done.where), self._open_again)

    def _open_again(self, yes: bool | None) -> None:
        if yes:
            self.post_message(OpenAgain())
