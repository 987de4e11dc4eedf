"""The vector spaces of the index file, and what switching to each would cost."""

from __future__ import annotations

from textual.content import Content

from engine.status import Price, VectorSpace
from tui.glyphs import Glyphs
from tui.text import assemble, plain
from tui.widgets.index_facts import Setting
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
    price = known.status.cost.price
    rows = [_row(space, price, at.glyphs) for space in known.spaces]
    return Section("vector spaces", rows, str(len(rows)))


def _told(words: str) -> Row:
    return Row("spaces", "", plain(words, "$text-muted"))


def _row(space: VectorSpace, price: Price | None, glyphs: Glyphs) -> Row:
    name = "made by a provider not on record" if space.provider is None else ""
    size = f" {glyphs.dot} {count(space.dimensions)}d" if space.dimensions is not None else ""
    said = assemble(
        (name or named(space.provider or "", space.model), "bold"),
        f"   {counted(space.vectors, 'vector')}{size}\n",
        *_lacks(space, price, glyphs),
    )
    return Row(f"space {space.key}", space.role, said, _more(space))


def _lacks(space: VectorSpace, price: Price | None, glyphs: Glyphs) -> list[str | tuple[str, str]]:
    chunks = space.covered + space.missing
    if not chunks:
        return [("the index is empty", "$text-muted")]
    if not space.missing:
        switch = "complete" if space.role == "in use" else "complete; switching costs nothing"
        return [(f"{glyphs.clean} ", "$text-success"), switch]
    tokens = token_words(space.missing_tokens, estimated=True)
    missing = f"{count(space.missing)} of {counted(chunks, 'chunk')} to embed, {tokens}"
    pieces: list[str | tuple[str, str]] = [(f"{glyphs.dirty} ", "$text-warning"), missing]
    if space.role == "in use" and space.remote and price is not None:
        pieces.append(f", {dollars(space.missing_tokens * price.usd_per_million_tokens / 1e6)}")
    elif space.remote is False:
        pieces.append(", free on this machine")
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
