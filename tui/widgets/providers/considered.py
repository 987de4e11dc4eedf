"""Which providers were looked at, in order, and what became of each."""

from __future__ import annotations

from engine.status import PassedOver
from tui.text import assemble, plain
from tui.widgets.index_facts import Setting
from tui.widgets.providers.known import Known
from tui.widgets.providers.rows import Row, Section
from tui.wording import sentence

ABOUT_PLUGINS = (
    "A plug-in is a provider that another distribution brings. It is used only where a "
    "configuration names it; until then nothing of it is loaded."
)


def considered(known: Known, at: Setting) -> Section:
    """The section: those passed over with their reasons, then the one that was taken."""
    provider = known.status.provider
    others = [other for other in provider.passed_over if other.plugin is None]
    rows = [_passed(number, other, at) for number, other in enumerate(others)]
    sign = (f"{at.glyphs.clean} taken. ", "bold $text-success")
    why = sentence(provider.reason or "no reason was given")
    return Section("looked at", [*rows, Row("taken", known.asked, assemble(sign, why))])


def plugins(known: Known, at: Setting) -> Section:
    """The plug-ins that are installed and not in use, and whether each could be."""
    found = [other for other in known.status.provider.passed_over if other.plugin is not None]
    if not found:
        words = plain("no further ones are installed", "$text-muted")
        return Section("plug-ins", (Row("no plug-ins", "", words, plain(ABOUT_PLUGINS)),))
    rows = [_plugin(number, other, at) for number, other in enumerate(found)]
    return Section("plug-ins", rows, str(len(rows)))


def _passed(number: int, other: PassedOver, at: Setting) -> Row:
    said = assemble((f"{at.glyphs.failed} ", "$text-error"), sentence(other.reason))
    return Row(f"passed {number} {other.provider}", other.provider, said)


def _plugin(number: int, other: PassedOver, at: Setting) -> Row:
    usable = other.plugin == "usable"
    sign = at.glyphs.clean if usable else at.glyphs.failed
    style = "$text-success" if usable else "$text-error"
    said = assemble((f"{sign} ", style), sentence(other.reason))
    return Row(f"plug-in {number} {other.provider}", other.provider, said, plain(ABOUT_PLUGINS))
