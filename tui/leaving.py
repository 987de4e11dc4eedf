"""Leaving memlens: at once, but for a sync that runs, or a key that was meant to go back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App


class Leaving:
    """The key that leaves is also the key that goes back from a dialog or a file.

    Who presses it once more than needed must not be out of the application: right behind a
    step back, the first press only says what the next one does.
    """

    def __init__(self, app: App[Any], syncing: Callable[[], bool]) -> None:
        self._app = app
        self._syncing = syncing
        self._key = self._spent = ""
        self._guarded = False

    def key_pressed(self, key: str) -> None:
        """A key comes; only the same one right behind a step back is guarded against."""
        self._guarded = self._spent == key
        self._key, self._spent = key, ""

    def went_back(self) -> None:
        """The key of this moment led back from something."""
        self._spent = self._key

    def leave(self) -> None:
        """Leave, or say or ask first."""
        if self._guarded:
            self._app.notify("That was the last step back: press it again to leave memlens.")
        elif self._syncing():
            from tui.screens.asking import confirm_quit

            self._app.push_screen(confirm_quit(self._syncing), self._decided)
        else:
            self._app.exit()

    def _decided(self, sure: bool | None) -> None:
        if sure:
            self._app.exit()
