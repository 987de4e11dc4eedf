"""The vector spaces of the index file, and what switching to each would cost."""

from __future__ import annotations

from textual.content import Content

from engine.status import VectorSpace
from tui.glyphs import Glyphs
from tui.text import assemble, plain
from tui.widgets.index_facts import Setting
from tui.widgets.providers.bar import bar
from tui.widgets.providers.cost import dollars, token_words
from tui.widgets.providers.in_use import named
from tui.widgets.providers.known import Known
from tui.widgets.providers.rows import Row, Section
from tui.wording import count, counted

ABOUT = (
    "Vectors of two providers, models or sizes are never compared. Each kind has a space of its "
    "own in the index file, so that switching back costs nothing for what was embedded before."
)


def spaces(known: Known, at: Setting) -> Section:
    """The section."""
    if known.spaces is None:
        return Section("vector spaces", (_told("not known yet"),))
    if not known.spaces:
        return Section("vector spaces", (_told("none: nothing has been embedded yet"),))
    rows = [_row(space, at.glyphs) for space in known.spaces]
    return Section("vector spaces", rows, str(len(rows)))


def _told(words: str) -> Row:
    return Row("spaces", "", plain(words, "$text-muted"))


def _row(space: VectorSpace, glyphs: Glyphs) -> Row:
    name = named(space.provider, space.model) if space.provider else "made by nobody on record"
    said = assemble(
        (name, "bold"),
        f" {glyphs.dot} {counted(space.vectors, 'vector')}\n",
        *_coverage(space, glyphs),
        *_lacks(space),
    )
    return Row(f"space {space.key}", space.role, said, _more(space))


def _coverage(space: VectorSpace, glyphs: Glyphs) -> list[str | tuple[str, str]]:
    chunks = space.covered + space.missing
    size = f" {glyphs.dot} {count(space.dimensions)}d" if space.dimensions is not None else ""
    if not chunks:
        return [("the index is empty", "$text-muted"), size]
    covered = f"{count(space.covered)} of" if space.missing else f"{glyphs.clean} all"
    return [
        *bar(space.covered, chunks, glyphs, "$primary"),
        f" {covered} {counted(chunks, 'chunk')}",
        size,
    ]


def _lacks(space: VectorSpace) -> list[str | tuple[str, str]]:
    if not space.missing:
        return []
    lead = {"in use": "still embeds", "fallback": "would embed"}.get(space.role, "switching embeds")
    pieces: list[str | tuple[str, str]] = [
        f"\n{lead} {count(space.missing)}, {token_words(space.missing_tokens, estimated=True)}"
    ]
    if space.remote is False:
        pieces.append(", free here")
    elif space.missing_usd is not None:
        pieces.append(f", {dollars(space.missing_usd)}")
    return pieces


def _more(space: VectorSpace) -> Content:
    filled = f"filling it has cost {counted(space.tokens, 'token')} so far" if space.tokens else ""
    unknown = "nothing is on record about what filling it has cost"
    return assemble(
        ("space     ", "$text-muted"),
        f"{space.key[:12]}\n",
        ("cost      ", "$text-muted"),
        f"{filled or unknown}\n\n{ABOUT}",
    )
