"""Themes: one TOML file each, ours and the person's in the same format.

A file that cannot be used is reported and left out; it never stops the application.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import Theme

import themes

THEME_FOLDER = Path(themes.__file__).parent
BASE_STYLES = THEME_FOLDER / "base.tcss"
DEFAULT_THEME = "midnight"
COLORS = (
    "primary",
    "secondary",
    "accent",
    "warning",
    "error",
    "success",
    "foreground",
    "background",
    "surface",
    "panel",
)
FALLBACK_VARIABLES = {
    "score-vector": "#7fb4ff",
    "score-text": "#f2b866",
    "score-lost": "#808890",
    "hit-background": "#5a4a1c",
}
"""What our style sheets need beyond Textual's own names, for themes that lack them."""


@dataclass(frozen=True, slots=True)
class NamedTheme:
    """A theme with the title that people choose it by."""

    title: str
    theme: Theme


@dataclass(frozen=True, slots=True)
class ThemeProblem:
    """A theme file that was left out, and why in one sentence."""

    file: str
    reason: str


class ThemeError(ValueError):
    """A theme file that does not follow the format; the text says what to mend."""


def load_themes(*folders: Path) -> tuple[list[NamedTheme], list[ThemeProblem]]:
    """All themes of the folders in order of name; a later folder replaces equal names."""
    found: dict[str, NamedTheme] = {}
    problems: list[ThemeProblem] = []
    for file in _files(folders):
        try:
            found[file.stem] = read_theme(file)
        except (ThemeError, OSError, UnicodeDecodeError) as error:
            problems.append(ThemeProblem(file.name, str(error)))
    return list(found.values()), problems


def read_theme(file: Path) -> NamedTheme:
    """The theme of one file; raises ThemeError, OSError, UnicodeDecodeError."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ThemeError(f"not TOML: {error}") from error
    _refuse_unknown(table, ("title", "dark", "colors", "variables"), "")
    colors = _colors(table.get("colors"), "colors")
    _refuse_unknown(colors, COLORS, "colors.")
    if "primary" not in colors:
        raise ThemeError("colors.primary is missing")
    dark = table.get("dark", True)
    if not isinstance(dark, bool):
        raise ThemeError("dark must be true or false")
    variables = _colors(table.get("variables", {}), "variables")
    if "foreground" in colors and "background" in colors:
        variables.setdefault("text-muted", _muted(colors))
    return NamedTheme(
        title=str(table.get("title") or file.stem),
        theme=Theme(name=file.stem, dark=dark, variables=variables, **colors),
    )


def _muted(colors: Mapping[str, str]) -> str:
    """The colour of labels: between text and background, a quarter of the way."""
    return Color.parse(colors["foreground"]).blend(Color.parse(colors["background"]), 0.26).hex


def next_theme(names: Iterable[str], current: str) -> str:
    """The name after the current one, around the end; the first when it is not among them."""
    ring = list(names)
    if current not in ring:
        return ring[0]
    return ring[(ring.index(current) + 1) % len(ring)]


def _files(folders: Iterable[Path]) -> Iterable[Path]:
    for folder in folders:
        if folder.is_dir():
            yield from sorted(folder.glob("*.toml"))


def _colors(table: Any, where: str) -> dict[str, Any]:
    if not isinstance(table, Mapping):
        raise ThemeError(f"[{where}] is missing or not a table")
    for key, value in table.items():
        try:
            Color.parse(value)
        except (ColorParseError, TypeError, AttributeError) as error:
            raise ThemeError(f"{where}.{key} is not a colour: {value!r}") from error
    return dict(table)


def _refuse_unknown(table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    unknown = sorted(set(table) - set(known))
    if unknown:
        raise ThemeError(f"unknown key {where}{unknown[0]}; known are {', '.join(known)}")
