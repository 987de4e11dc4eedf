"""The signs of the Files screen, for both sets of glyphs."""

from __future__ import annotations

from dataclasses import dataclass

from tui.glyphs import Glyphs


@dataclass(frozen=True, slots=True)
class GutterSigns:
    """What stands between line number and text; each a single cell."""

    chunk: str
    hit: str
    overlap: str
    cut_left: str
    cut_right: str


_UNICODE = GutterSigns(chunk="│", hit="┃", overlap="║", cut_left="‹", cut_right="›")
_ASCII = GutterSigns(chunk="|", hit="#", overlap="=", cut_left="<", cut_right=">")


def gutter_signs(glyphs: Glyphs) -> GutterSigns:
    """The signs that go with a set of glyphs."""
    return _ASCII if glyphs.name == "ascii" else _UNICODE
