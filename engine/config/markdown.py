"""Keys as a Markdown table, for README: ``python -m engine.config.markdown`` prints ours."""

from __future__ import annotations

import json
from typing import Any

from engine.config.expectation import expected_words
from engine.config.key import Key
from engine.config.key_table import OWN, KeyTable

_HEAD = "| key | takes | default | meaning |\n| --- | --- | --- | --- |\n"


def markdown(table: KeyTable) -> str:
    """A row for each key of a table, in its order; ends with a newline."""
    return _HEAD + "".join(map(_row, table.keys.values()))


def _row(key: Key) -> str:
    cells = (f"`{key.name}`", _quoted(expected_words(key)), _default(key.default), key.about)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _quoted(words: str) -> str:
    """Choices as code: ``"and" or "or"`` in backticks instead of quotes."""
    return words.replace('"', "`")


def _default(value: Any) -> str:
    return "unset" if value is None else f"`{json.dumps(value)}`"


if __name__ == "__main__":
    print(markdown(OWN), end="")
