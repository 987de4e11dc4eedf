"""What stands in place of the results while no query is typed."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from tui.text import assemble

_KEYS = (
    ("enter", "search with everything, also a remote provider"),
    ("esc", "to the results, without sending anything"),
    ("tab", "the next knob;  h l  turn it, the list follows at once"),
    ("0  u", "a knob back to its profile; take the last change back"),
    ("p", "pin a ranking, to see what each change does to it"),
    ("enter", "on a hit: open its file there; on the line: what was cut"),
)


class EmptyState(Widget):
    """What to type, and the keys that matter afterwards."""

    DEFAULT_CSS = "EmptyState { padding: 1 2; }"

    def render(self) -> Content:
        """The words."""
        lines: list[str | Content | tuple[str, str]] = [
            ("Type a question or a few words. ", "bold"),
            "Results come while you type.\n",
            "Ids, paths and error codes are found letter for letter.\n\n",
        ]
        for keys, does in _KEYS:
            lines += [(f"{keys:>9}", ".search--key"), f"  {does}\n"]
        return assemble(*lines)
