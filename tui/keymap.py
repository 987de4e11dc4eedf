"""The keys that work everywhere, and the person's own in ``keys.toml`` of the settings folder.

    "overview.sync" = "f5"
    "app.help" = "f1,question_mark"

The ids are shown beside each key on the help page. A line that cannot be used is
reported and left out.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from textual.binding import Binding, BindingType

from tui.navigation import TABS

FILE_NAME = "keys.toml"


def _key(keys: str, action: str, name: str, does: str, show: bool = False) -> Binding:
    return Binding(keys, action, name, show=show, id=f"app.{name}", tooltip=does)


APP_BINDINGS: list[BindingType] = [
    *(_key(t.key, f"go('{t.name}')", t.name, f"Go to the {t.title} screen.") for t in TABS),
    _key("colon,ctrl+p", "command_palette", "palette", "Every action by name.", show=True),
    _key("question_mark,f1", "help", "help", "Help for what has the focus.", show=True),
    _key("q", "leave", "quit", "Leave memlens.", show=True),
    _key("T", "next_theme", "theme", "Change to the next theme."),
    _key("a", "agents", "agents", "Choose another agent."),
]
"""The same names serve as key hint, as id for ``keys.toml`` and in help and palette."""


def load_keymap(folder: Path) -> tuple[dict[str, str], list[str]]:
    """The key map of the folder and a sentence for every line that was not taken."""
    file = folder / FILE_NAME
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, []
    except (OSError, ValueError) as error:
        return {}, [f"{FILE_NAME} was not read: {error}"]
    keys = {action: key for action, key in table.items() if isinstance(key, str) and key.strip()}
    refused = [
        f"{FILE_NAME}: {action} needs a key as text, such as "
        '"f5"; write ids with dots in quotation marks.'
        for action in table
        if action not in keys
    ]
    return keys, refused
