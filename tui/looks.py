"""How the application looks: themes, signs and keys, as found and as chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App

from tui.glyphs import SETS, UNICODE, Glyphs
from tui.keymap import load_keymap
from tui.messages import LooksChanged
from tui.state import StateFile
from tui.text import line
from tui.theming import DEFAULT_THEME, THEME_FOLDER, NamedTheme, load_themes, next_theme

if TYPE_CHECKING:
    from tui.commands.actions import Command


class Looks:
    """Registers what is there, applies what was chosen, remembers each choice."""

    def __init__(self, app: App[Any], remembered: StateFile, settings_dir: Path) -> None:
        self._app = app
        self._remembered = remembered
        self._settings_dir = settings_dir
        self._themes: list[NamedTheme] = []
        self.glyphs: Glyphs = SETS.get(remembered.state.glyphs or "", UNICODE)
        self.complaints: list[str] = []

    def prepare(self) -> None:
        """Load themes and keys; what cannot be used becomes a complaint, in one sentence.

        The theme is put in place before the application runs: setting it later would
        make every style be worked out a second time before the first frame.
        """
        self._themes, problems = load_themes(THEME_FOLDER, self._settings_dir / "themes")
        for named in self._themes:
            self._app.register_theme(named.theme)
        if problems:
            files = "; ".join(f"{problem.file}: {problem.reason}" for problem in problems)
            self.complaints.append(f"Theme left out. {files}")
        wanted = self._remembered.state.theme
        known = wanted is not None and wanted in self._app.available_themes
        self.start_with(wanted if wanted is not None and known else DEFAULT_THEME)
        keys, refused = load_keymap(self._settings_dir)
        self._app.set_keymap(keys)
        self.complaints += refused

    def start_with(self, name: str) -> None:
        """Put a theme in place before the application runs."""
        app = self._app
        app.set_reactive(App.theme, name)
        dark = app.current_theme.dark
        app.set_class(dark, "-dark-mode", update=False)
        app.set_class(not dark, "-light-mode", update=False)
        app.stylesheet.set_variables(app.get_css_variables())

    def obey(self, wanted: Mapping[str, str]) -> str:
        """Use the theme and signs of the settings; a sentence when there is no such theme."""
        glyphs, theme = wanted.get("glyphs"), wanted.get("theme")
        if glyphs is not None and glyphs in SETS and glyphs != self.glyphs.name:
            self.choose_glyphs(glyphs)
        if theme is None:
            return ""
        if theme not in self._app.available_themes:
            ours = ", ".join(named.theme.name for named in self._themes)
            return f"The settings ask for the theme {theme!r}, which is not there. Ours: {ours}."
        if theme != self._app.theme:
            self.choose_theme(theme)
        return ""

    def next_theme(self) -> None:
        """Change to the next of our and the person's themes."""
        self.choose_theme(next_theme([named.theme.name for named in self._themes], self._app.theme))

    def choose_theme(self, name: str) -> None:
        """Use a theme and remember it."""
        self._app.theme = name
        self._remembered.choose(theme=name)

    def choose_glyphs(self, name: str) -> None:
        """Use a set of signs and remember it; what is on screen is drawn anew."""
        self.glyphs = SETS[name]
        self._remembered.choose(glyphs=name)
        for screen in self._app.screen_stack:
            screen.post_message(LooksChanged())
            for widget in screen.query("*"):
                widget.refresh(layout=True)

    def commands(self) -> Iterator[Command]:
        """A palette line for each theme and each set of signs."""
        from tui.commands.actions import Command

        for named in self._themes:
            choose = partial(self.choose_theme, named.theme.name)
            yield Command(f"Theme: {line(named.title)}", "", "how memlens looks", choose)
        for name in SETS:
            use = partial(self.choose_glyphs, name)
            yield Command(f"Signs: {name}", "", "how memlens looks", use)
