"""The settings about providers: what is set, and in which file and line."""

from __future__ import annotations

from tui.text import assemble, plain
from tui.widgets.index_facts import Setting
from tui.widgets.providers.in_use import opening, set_in
from tui.widgets.providers.known import Known, Place
from tui.widgets.providers.rows import Row, Section

ABOUT = (
    "memlens reads the configuration when it opens a memory. Where a file sets a value, the file "
    "can be opened there."
)


def settings(known: Known, at: Setting) -> Section:
    """The section."""
    if known.places is None:
        rows = (Row("settings", "", plain("not known yet", "$text-muted")),)
        return Section("settings", rows)
    return Section("settings", [_row(place, at) for place in known.places])


def _row(place: Place, at: Setting) -> Row:
    value = (place.value, "bold" if place.is_set else "")
    said = assemble(value, "   ", set_in(place, at, whole=False))
    more = assemble("set in ", set_in(place, at), f"\n\n{ABOUT}")
    return Row(f"setting {place.key}", place.key, said, more, opening(place))
