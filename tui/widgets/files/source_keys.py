"""The keys of the source view; their ids are the names for the person's own key map."""

from __future__ import annotations

from textual.binding import Binding, BindingType


def _key(
    keys: str, action: str, says: str, name: str, tooltip: str, *, show: bool = False
) -> BindingType:
    return Binding(keys, action, says, id=f"files.{name}", tooltip=tooltip, show=show)


SOURCE_KEYS: list[BindingType] = [
    _key("j,down", "move(1)", "down", "down", "One line down."),
    _key("k,up", "move(-1)", "up", "up", "One line up."),
    _key("shift+down,J", "extend(1)", "more", "extend_down", "Select one more line below."),
    _key("shift+up,K", "extend(-1)", "less", "extend_up", "Select one more line above."),
    _key("g,home", "go_top", "top", "top", "To the first line."),
    _key("G,end", "go_bottom", "bottom", "bottom", "To the last line."),
    _key("space,pagedown", "page(1)", "page on", "page_down", "One page down."),
    _key("b,pageup", "page(-1)", "page back", "page_up", "One page up."),
    _key("ctrl+d", "page(0.5)", "half on", "half_down", "Half a page down."),
    _key("ctrl+u", "page(-0.5)", "half back", "half_up", "Half a page up."),
    _key("z", "centre", "centre", "centre", "Put the line under the cursor into the middle."),
    _key("left_square_bracket", "chunk(-1)", "chunk before", "chunk_before", "Previous chunk."),
    _key("right_square_bracket", "chunk(1)", "chunk", "chunk_next", "Next chunk.", show=True),
    _key("left_curly_bracket", "hit(-1)", "hit before", "hit_before", "Previous line with a hit."),
    _key("right_curly_bracket", "hit(1)", "hit", "hit_next", "Next line with a hit.", show=True),
    _key("n", "again(1)", "next", "find_next", "Next place of what is searched."),
    _key("N", "again(-1)", "previous", "find_previous", "Previous place of what is searched."),
    _key("v", "select", "range", "range", "Begin a range of lines, or end it.", show=True),
    _key("w", "wrap", "wrap", "wrap", "Wrap long lines, or scroll sideways."),
    _key("h,left", "shift(-8)", "left", "left", "Scroll to the left (long lines unwrapped)."),
    _key("l,right", "shift(8)", "right", "right", "Scroll to the right (long lines unwrapped)."),
    _key("0", "shift(-1000000000)", "line start", "line_start", "Scroll to the start of lines."),
]
