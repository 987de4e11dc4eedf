"""Themes and the key map: what is shipped is sound, what is broken is named and left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color

from tui.keymap import load_keymap
from tui.theming import (
    DEFAULT_THEME,
    FALLBACK_VARIABLES,
    THEME_FOLDER,
    ThemeError,
    load_themes,
    next_theme,
    read_theme,
)

SHIPPED = sorted(THEME_FOLDER.glob("*.toml"))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2: (L1 + 0.05) / (L2 + 0.05) of relative luminances."""

    def luminance(name: str) -> float:
        parts = (channel / 255 for channel in Color.parse(name).rgb)
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_dark_light_and_high_contrast_themes_are_shipped() -> None:
    named, problems = load_themes(THEME_FOLDER)
    assert not problems
    assert sum(one.theme.dark for one in named) >= 2
    assert sum(not one.theme.dark for one in named) >= 2
    assert {"contrast", DEFAULT_THEME} <= {one.theme.name for one in named}


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_text_is_readable_in_every_shipped_theme(file: Path) -> None:
    theme = read_theme(file).theme
    assert theme.background and theme.foreground and theme.panel
    least = 7.0 if file.stem.startswith("contrast") else 4.5
    for ground in (theme.background, theme.panel):
        assert contrast(theme.foreground, ground) >= least + 2.5
        assert contrast(theme.variables["text-muted"], ground) >= min(least, 4.5)
    for ink in ("score-vector", "score-text"):
        assert contrast(theme.variables[ink], theme.background) >= 3.0
    assert set(FALLBACK_VARIABLES) <= set(theme.variables)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("title = ", "not TOML"),
        ("[colors]\nprimary = 'blueish'", "colors.primary is not a colour"),
        ("[colors]\nprimary = 7", "colors.primary is not a colour"),
        ("[colors]\nsecondary = 'red'", "colors.primary is missing"),
        ("title = 'x'", r"\[colors\] is missing"),
        ("[colors]\nprimary = 'red'\nprimery = 'red'", "unknown key colors.primery"),
        ("dark = 'yes'\n[colors]\nprimary = 'red'", "dark must be true or false"),
        ("[colors]\nprimary = 'red'\n[variables]\nborder = '/]'", "variables.border"),
    ],
)
def test_a_broken_theme_says_what_is_wrong(tmp_path: Path, body: str, reason: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(body, "utf-8")
    with pytest.raises(ThemeError, match=reason):
        read_theme(file)


def test_a_broken_file_is_left_out_and_a_user_file_replaces_a_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "paper.toml").write_text("title = 'Mine'\n[colors]\nprimary = '#123456'", "utf-8")
    named, problems = load_themes(THEME_FOLDER, tmp_path)
    assert [problem.file for problem in problems] == ["bad.toml"]
    assert next(one.title for one in named if one.theme.name == "paper") == "Mine"
    assert len(named) == len(SHIPPED)


def test_themes_follow_each_other_in_a_ring() -> None:
    assert next_theme(["a", "b"], "a") == "b"
    assert next_theme(["a", "b"], "b") == "a"
    assert next_theme(["a", "b"], "elsewhere") == "a"


def test_the_key_map_is_read_and_bad_lines_are_named(tmp_path: Path) -> None:
    assert load_keymap(tmp_path) == ({}, [])
    (tmp_path / "keys.toml").write_text('"app.help" = "f2"\n"app.quit" = 3\n', "utf-8")
    keys, refused = load_keymap(tmp_path)
    assert keys == {"app.help": "f2"}
    assert len(refused) == 1 and "app.quit" in refused[0]
    (tmp_path / "keys.toml").write_text("not toml at all", "utf-8")
    keys, refused = load_keymap(tmp_path)
    assert keys == {} and "was not read" in refused[0]
