"""Which providers were looked at, in order, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator

from tui.text import assemble
from tui.widgets.index_facts import Setting
from tui.widgets.providers.known import Known
from tui.widgets.providers.rows import Row, Section
from tui.wording import sentence


def considered(known: Known, at: Setting) -> Section:
    """The section: those passed over with their reasons, then the one that was taken."""
    return Section("looked at", tuple(_rows(known, at)))


def _rows(known: Known, at: Setting) -> Iterator[Row]:
    provider = known.status.provider
    for number, other in enumerate(provider.passed_over):
        said = assemble((f"{at.glyphs.failed} ", "$text-error"), sentence(other.reason))
        yield Row(f"passed {number} {other.provider}", other.provider, said)
    sign = (f"{at.glyphs.clean} taken. ", "bold $text-success")
    yield Row(
        "taken", known.asked, assemble(sign, sentence(provider.reason or "no reason was given"))
    )
