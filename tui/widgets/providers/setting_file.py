"""The file of a setting in the person's editor, and whether it was changed there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from textual.app import App

from tui.editor import chosen_editor
from tui.widgets.files.outside import NO_EDITOR, run_editor
from tui.widgets.providers.known import Place
from tui.wording import short_path


@dataclass(frozen=True, slots=True)
class Edited:
    """What came of it: what went wrong, if something did, and whether the file is another."""

    where: str
    trouble: str = ""
    changed: bool = False


def edit_setting(
    app: App[Any], key: str, place: Place | None, environ: Mapping[str, str], home: str
) -> Edited:
    """Give the terminal to the editor, at the line that sets the key, until it ends."""
    if place is None or place.file is None:
        return Edited("", f"No file sets {key}. The settings here say what decides it.")
    where, editor = short_path(str(place.file), home), chosen_editor(environ)
    line = place.line or 1
    if editor is None:
        return Edited(where, f"{where}, line {line}. {NO_EDITOR}")
    before = _stamp(place)
    trouble = run_editor(app, editor, place.file, line, environ)
    return Edited(where, trouble, not trouble and _stamp(place) != before)


def _stamp(place: Place) -> tuple[int, int] | None:
    """What changes when a file is written; None when it cannot be looked at."""
    try:
        found = place.file.stat() if place.file is not None else None
    except OSError:
        return None
    return None if found is None else (found.st_mtime_ns, found.st_size)
