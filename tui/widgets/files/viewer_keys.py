"""The keys that work in the whole viewer, over source and rendered page alike."""

from __future__ import annotations

from textual.binding import Binding, BindingType


def _key(
    keys: str, action: str, says: str, name: str, tooltip: str, *, show: bool = False
) -> BindingType:
    return Binding(keys, action, says, id=f"files.{name}", tooltip=tooltip, show=show)


VIEWER_KEYS: list[BindingType] = [
    _key("slash", "find", "find", "find", "Search in the file.", show=True),
    _key("m", "render", "render", "render", "Source, or one section rendered.", show=True),
    _key("y", "cite", "cite", "cite", "Copy the citation of the range or line.", show=True),
    _key("Y", "copy", "copy", "copy", "Copy the text of the range or line as it is in the file."),
    _key("q", "leave", "back", "back", "Back to the files.", show=True),
    _key("o", "edit", "edit", "edit", "Open the file in your editor at this line.", show=True),
    _key("escape", "step_back", "step back", "step_back", "End range, search or page, then back."),
]
