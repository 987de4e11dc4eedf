"""The times in which the fallback answered, as a text that the index file keeps."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

from engine.status import FallbackSpell

NOTE = "fallbacks"
"""The name under which the index file keeps it."""
MOST = 20


def begun_spell(kept: str | None, spell: FallbackSpell) -> str:
    """The text with a spell that begins now; one that was left open ends with it."""
    before = spells_of(ended_spell(kept, spell.since_ms))
    return _text((spell, *before)[:MOST])


def ended_spell(kept: str | None, now_ms: float) -> str:
    """The text with everything ended that was left open."""
    return _text(
        tuple(
            replace(spell, until_ms=max(now_ms, spell.since_ms))
            if spell.until_ms is None
            else spell
            for spell in spells_of(kept)
        )
    )


def spells_of(kept: str | None) -> tuple[FallbackSpell, ...]:
    """What the text says, newest first."""
    return tuple(FallbackSpell(**each) for each in json.loads(kept or "[]"))


def _text(spells: tuple[FallbackSpell, ...]) -> str:
    return json.dumps([asdict(spell) for spell in spells])
