"""What the application does whatever it shows: keys, looks, notices, help, leaving."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.notifications import SeverityLevel

from tui.glyphs import Glyphs
from tui.keymap import APP_BINDINGS
from tui.leaving import Leaving
from tui.looks import Looks
from tui.messages import WentBack
from tui.notices import Notices
from tui.state import StateFile
from tui.text import line
from tui.theming import BASE_STYLES, FALLBACK_VARIABLES
from tui.type_ahead import TypeAhead, Typed, WayFree
from tui.widgets.key_line import KeyLine


class Shell(App[None]):
    """Knows nothing of memories; ``data_dir`` and ``settings_dir`` are the person's folders."""

    TITLE = "memlens"
    CSS_PATH = BASE_STYLES
    BINDINGS: ClassVar[list[BindingType]] = APP_BINDINGS

    def __init__(self, data_dir: Path, settings_dir: Path) -> None:
        super().__init__()
        self.remembered = StateFile(data_dir)
        self.notices = Notices(self)
        self.leaving = Leaving(self, lambda: self.syncing)
        self.looks = Looks(self, self.remembered, settings_dir)
        self.looks.prepare()
        self._typed = TypeAhead(self, self._take_typed)

    @property
    def syncing(self) -> bool:
        """True while something runs that leaving would stop."""
        return False

    @property
    def glyphs(self) -> Glyphs:
        """The set of signs in use."""
        return self.looks.glyphs

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """What our style sheets need and a theme may lack."""
        return FALLBACK_VARIABLES

    def get_key_display(self, binding: Binding) -> str:
        """How a key is shown; spelled out where signs are to be plain ASCII."""
        shown = super().get_key_display(binding)
        return shown if self.glyphs.name == "unicode" or shown.isascii() else binding.key

    # Keys

    async def on_event(self, event: events.Event) -> None:
        """Keys come in one by one, each when those before it have taken effect.

        When the last screen is gone the application is leaving, and nobody is there for input.
        """
        if isinstance(event, events.InputEvent) and not self.screen_stack:
            return
        if isinstance(event, Typed) and not event.is_forwarded:
            await self._typed.take(event)
        else:
            await super().on_event(event)

    @property
    def keys_rest(self) -> bool:
        """True when every key that was typed has taken effect."""
        return self._typed.resting

    async def _take_typed(self, typed: Typed) -> None:
        if not self.screen_stack:
            return
        if isinstance(typed, events.Key):
            self.leaving.key_pressed(typed.key)
        await super().on_event(typed)

    async def on_way_free(self, message: WayFree) -> None:
        """A key has taken effect."""
        await self._typed.came_up(message)

    @on(KeyLine.Pressed)
    def hint_pressed(self, event: KeyLine.Pressed) -> None:
        """A key hint was clicked."""
        self.simulate_key(event.key)

    # Notices

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Tell something in passing: letter for letter, on the last line, covering nothing.

        How long it stays depends on the severity alone.
        """
        self.notices.tell(line(title), line(message), severity)

    def tell(self, title: str, text: str, severity: SeverityLevel = "information") -> None:
        """The same in the order in which it is read."""
        self.notify(text, title=title, severity=severity)

    # What every screen offers

    def action_help(self) -> None:
        """Help for what has the focus."""
        from tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(self.screen))

    def action_command_palette(self) -> None:
        """Every action by name.

        Without the id that Textual gives it: a palette left open in another mode has that.
        """
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette())

    def action_next_theme(self) -> None:
        """Change to the next of our themes."""
        self.looks.next_theme()

    def action_leave(self) -> None:
        """Leave, if nothing speaks against it."""
        self.leaving.leave()

    def action_help_quit(self) -> None:
        """What ctrl+c does not do here."""
        active = self.active_bindings.items()
        keys = [key for key, found in active if found.binding.action == "leave"]
        self.tell("", f"{keys[0] if keys else 'ctrl+q'} leaves memlens.")

    async def on_went_back(self, message: WentBack) -> None:
        """A dialog or a file was left; the screen that it was opened from comes back."""
        self.leaving.went_back()
        if message.to:
            await self.run_action(f"go('{message.to}')")
