"""The main screens in the order of their digits: one entry here is all that a screen needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from textual.screen import Screen


@dataclass(frozen=True, slots=True)
class Tab:
    """A main screen: its digit, its name (mode, ``go`` action, key id), its title on the tab
    line, and where its class lies as ``module:Class``; the module is loaded on the first visit.
    """

    key: str
    name: str
    title: str
    home: str

    def make(self) -> Screen[object]:
        """A new screen of this kind."""
        module, name = self.home.split(":")
        return cast("Screen[object]", getattr(import_module(module), name)())


TABS = (
    Tab("1", "overview", "Overview", "tui.screens.overview:OverviewScreen"),
    Tab("2", "search", "Search", "tui.screens.search:SearchScreen"),
    Tab("3", "files", "Files", "tui.screens.files:FilesScreen"),
    Tab("4", "providers", "Providers", "tui.screens.providers:ProvidersScreen"),
)


HOME = TABS[0].name
"""The screen that memlens opens on."""


def modes() -> dict[str, str | Callable[[], Screen[object]]]:
    """The screens as Textual's modes."""
    return {tab.name: tab.make for tab in TABS}
