"""Help for the widget that has the focus: what it is, its keys, and the keys around it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from tui.screens.dialog import Choice, Dialog
from tui.text import assemble, pad

KEYS_FILE_HINT = (
    "The grey name behind a key is its id. For other keys, write lines such as "
    '"overview.sync" = "f5" into keys.toml in the settings folder.'
)


@dataclass(frozen=True, slots=True)
class KeyHelp:
    """One action: the keys as shown, what it does, and its id for ``keys.toml``."""

    keys: str
    does: str
    action_id: str


def keys_of(screen: Screen[object]) -> list[tuple[str, list[KeyHelp]]]:
    """The keys in force, grouped by the part that answers them, the focused one first.

    Several keys of one action share a line; only actions of ours, which have an id, are listed.
    """
    groups: dict[str, dict[str, KeyHelp]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.system or not binding.description:
            continue
        group = groups.setdefault(_part(active.node, screen), {})
        shown = screen.app.get_key_display(binding)
        known = group.get(binding.action, KeyHelp("", "", ""))
        does = binding.tooltip or known.does or binding.description
        action_id = binding.id or known.action_id
        group[binding.action] = KeyHelp(f"{known.keys} {shown}".strip(), does, action_id)
    return [
        (part, [key for key in actions.values() if key.action_id])
        for part, actions in groups.items()
    ]


def _part(node: DOMNode, screen: Screen[object]) -> str:
    if node is screen:
        return "this screen"
    return "everywhere" if node is screen.app else "this part"


def paragraphs(screen: Screen[object]) -> list[str]:
    """The help texts of the focused widget and of the screen around it."""
    nodes: list[DOMNode | None] = [screen.focused, screen]
    texts = (getattr(node, "HELP", None) for node in nodes if node is not None)
    return [text for text in texts if text]


class HelpScreen(Dialog[None]):
    """Shows it all in one box; the ids are what ``keys.toml`` takes."""

    DEFAULT_CSS = """
    HelpScreen > Vertical { width: 100; }
    """

    def __init__(self, screen: Screen[object]) -> None:
        super().__init__("Help", [Choice("close", None)])
        self._paragraphs = paragraphs(screen)
        self._groups = keys_of(screen)

    def compose_said(self) -> Iterable[Widget]:
        """Paragraphs, then keys by part."""
        yield Static(self.text())

    def text(self) -> Content:
        """The whole page."""
        pieces: list[str | tuple[str, str]] = [f"{text}\n\n" for text in self._paragraphs]
        for part, keys in self._groups:
            if not keys:
                continue
            heading = "Keys everywhere" if part == "everywhere" else f"Keys of {part}"
            pieces.append((f"{heading}\n", "bold $primary"))
            for key in keys:
                pieces += [
                    (pad(key.keys, 14), "bold $accent"),
                    key.does,
                    (f"  {key.action_id}" if key.action_id else "", "$text-muted"),
                    "\n",
                ]
            pieces.append("\n")
        pieces.append((KEYS_FILE_HINT, "$text-muted"))
        return assemble(*pieces)
