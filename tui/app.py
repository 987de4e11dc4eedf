"""The application: modes, application-wide keys, and the engine's news on their way to screens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message
from textual.screen import Screen

from tui import messages
from tui.bridge import Bridge, OpenEngine
from tui.indexing import Indexing, SyncAsked
from tui.navigation import HOME, modes
from tui.opening import LOOK, Looked, Opening
from tui.shell import Shell
from tui.widgets.tab_line import TabLine

if TYPE_CHECKING:
    from engine.config.request import EngineOptions
    from engine.errors import EngineError
    from engine.memory import Surroundings
    from engine.status import EngineStatus
    from tui.commands.actions import Command

REFRESH_S = 5.0
"""How often the status is read again without any event (another process may index too)."""


def _palette() -> type:
    from tui.commands.actions import Actions

    return Actions


class MemlensApp(Shell):
    """Owns the bridge and the last status; screens do the rest."""

    MODES: ClassVar[dict[str, str | Callable[[], Screen[object]]]] = modes()
    COMMANDS: ClassVar = {_palette}
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        options: EngineOptions,
        around: Surroundings,
        open_engine: OpenEngine | None = None,
    ) -> None:
        super().__init__(around.places.data_dir, around.places.settings_dir)
        self.bridge = Bridge(self, options, around, open_engine)
        self.indexing = Indexing(self, self.bridge)
        self.opening = Opening(self, self.bridge, self.reopen)
        self.status: EngineStatus | None = None
        self.open_error: EngineError | None = None

    def on_mount(self) -> None:
        """Show the first screen; the engine opens after its first frame."""
        self.switch_mode(HOME)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        for complaint in self.looks.complaints:
            self.tell("Settings", complaint, "warning")
        self.bridge.open()
        self.set_interval(REFRESH_S, self.bridge.refresh_status)

    async def on_unmount(self) -> None:
        """Close the engine when the application goes, however it goes."""
        await self.bridge.close()

    def reopen(self, options: EngineOptions) -> None:
        """Leave this memory and open another one."""
        self.status = self.open_error = None
        self._tell_screens(messages.MemoryLeft)
        self.bridge.reopen(options)

    def on_open_again(self) -> None:
        """The configuration has changed."""
        self.reopen(self.bridge.options)

    # The engine's news

    def on_engine_opened(self) -> None:
        """Look what there is."""
        self.open_error = None
        self.indexing.opened()
        self.bridge.refresh_status()
        self.opening.look()

    def on_engine_failed(self, message: messages.EngineFailed) -> None:
        """Say so and offer ways on."""
        self.open_error = message.error
        self._tell_news()
        self.opening.failed(message.error)

    def on_looked(self, message: Looked) -> None:
        """Go on with the memory, or with the first-run screen."""
        self.opening.agents = message.agents
        complaint = self.looks.obey(message.looks)
        if complaint:
            self.tell("Settings", complaint, "warning")
        if message.has_memory:
            self.indexing.start()
        else:
            self.opening.first_run(message)

    def on_status_changed(self, message: messages.StatusChanged) -> None:
        """Keep the status and tell the screens in front."""
        self.status = message.status
        self._tell_news()
        self.indexing.consider(message.status)

    def on_sync_event(self, message: messages.SyncEvent) -> None:
        """Hand progress to the screen in front; anything else changes the status."""
        from engine.events import ModelDownload, SyncFailed, SyncProgress

        event = message.event
        self._tell_screens(partial(messages.IndexerTold, event))
        if not isinstance(event, SyncProgress | ModelDownload):
            self.bridge.refresh_status()
        if isinstance(event, SyncFailed):
            self.tell(event.title, f"{event.message} {event.hint}".strip(), "error")

    def on_index_changed(self) -> None:
        """A new revision shows in the status; screens learn of it from there."""
        self.bridge.refresh_status()

    def on_noticed(self, message: messages.Noticed) -> None:
        """Show the sentence for a while."""
        self.tell("", message.text, message.level if message.level != "info" else "information")

    def on_call_failed(self, message: messages.CallFailed) -> None:
        """What no screen has dealt with is shown as a notice."""
        error = message.error
        if message.group == LOOK:
            self.post_message(messages.EngineFailed(error))
            return
        self.tell(error.title, f"{error.message} {error.hint}".strip(), "error")

    def on_sync_asked(self, message: SyncAsked) -> None:
        """Say when the wish joined a running sync."""
        if not message.started:
            self.tell("", "A sync is running already; this one joins it.")
        self.bridge.refresh_status()

    def on_cancelling(self) -> None:
        """Cancelling takes effect between two batches."""
        self.tell("", "Stopping the sync; the published index goes on answering.")

    # Ways around

    @on(TabLine.Chosen)
    async def tab_chosen(self, event: TabLine.Chosen) -> None:
        """A tab was clicked."""
        await self.action_go(event.name)

    async def on_open_file(self, message: messages.OpenFile) -> None:
        """Bring the Files screen to the front with this file."""
        origin = "" if self.current_mode == "files" else self.current_mode
        await self.action_go("files")
        place = messages.ShowFile(
            message.path, message.line, message.end_line, message.query, origin
        )
        for screen in self.screen_stack[:1]:
            screen.post_message(place)

    async def action_go(self, name: str) -> None:
        """Go to a screen by name; it is composed when this ends, so the next key finds it."""
        if self.screen_stack:
            await self.switch_mode(name)
            self.indexing.consider(self.status)

    def action_sync(self) -> None:
        """Bring the index up to date."""
        self.indexing.sync(self.status)

    def action_cancel_sync(self) -> None:
        """Stop the running sync."""
        self.indexing.cancel()

    def action_rebuild(self) -> None:
        """Show the cost of a rebuild and ask."""
        self.indexing.estimate()

    def action_provider(self) -> None:
        """Show the full reason for the provider."""
        from tui.screens.asking import provider_reasons

        if self.status is not None:
            self.push_screen(provider_reasons(lambda: self.status, self.glyphs))

    def action_agents(self) -> None:
        """Choose another agent of the configuration."""
        self.opening.choose_agent(self.status.agent_id if self.status else "")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Actions exist only where they can do something."""
        if action == "cancel_sync":
            return self.syncing
        if action == "agents":
            return len(self.opening.agents) > 1
        return super().check_action(action, parameters)

    @property
    def syncing(self) -> bool:
        """True while a sync runs."""
        return self.status is not None and self.status.sync.phase == "running"

    def more_commands(self) -> Iterable[Command]:
        """Commands of the palette that have no key here: indexing, themes, signs."""
        from tui.commands.actions import Command

        yield Command(
            "Look at the disk and bring the index up to date", "", "sync", self.action_sync
        )
        yield Command("Build the index anew from all files", "", "rebuild", self.action_rebuild)
        yield Command("Which provider is in use, and why", "", "provider", self.action_provider)
        yield from self.looks.commands()

    def _tell_news(self) -> None:
        self._tell_screens(lambda: messages.NewsWaiting(self.status, self.open_error))

    def _tell_screens(self, news: Callable[[], Message]) -> None:
        """Tell the screen in front and all that lie below it."""
        for screen in self.screen_stack:
            screen.post_message(news())
