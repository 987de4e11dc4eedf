"""Times in which the fallback has answered."""

from __future__ import annotations

from textual.content import Content

from engine.status import FallbackSpell
from tui.text import assemble, plain
from tui.widgets.index_facts import Setting
from tui.widgets.providers.known import Known
from tui.widgets.providers.rows import Row, Section
from tui.wording import ago, sentence, span


def history(known: Known, at: Setting) -> Section:
    """The section, the latest first."""
    spells = known.status.fallback_history
    if not spells:
        return Section("fallback history", (Row("no spells", "", _none(known)),))
    rows = [
        Row(f"spell {spell.since_ms:.0f}", ago(spell.since_ms, at.now_ms), _spell(spell, at))
        for spell in spells
    ]
    return Section("fallback history", rows, str(len(rows)))


def _none(known: Known) -> Content:
    place = known.place("fallback")
    if place is not None and place.value == "none":
        words = "no fallback is set: when the provider fails, nothing is sent anywhere else"
        return plain(words, "$text-muted")
    return plain("the fallback has not answered since memlens was started", "$text-muted")


def _spell(spell: FallbackSpell, at: Setting) -> Content:
    over = spell.until_ms
    lasted = f" for {span((over - spell.since_ms) / 1000)}" if over is not None else ", still now"
    lead = f"{spell.from_} {at.glyphs.arrow} {spell.to}"
    return assemble((lead, "bold"), f"{lasted}: {sentence(spell.reason)}")
