"""The person's own keys: ``keys.toml`` in the settings folder, ids of actions to keys.

    "overview.sync" = "f5"
    "app.help" = "f1,question_mark"

The ids are shown beside each key on the help page. A line that cannot be used is
reported and left out.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

FILE_NAME = "keys.toml"


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
