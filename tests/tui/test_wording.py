"""Numbers, ages and verdicts in words; and the status line at any width."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import SyncProgress
from engine.status import EngineStatus, IdentityState
from tests.screens.scripted import CLEAN, dirty_file, running
from tui import wording
from tui.glyphs import ASCII, UNICODE
from tui.text import width
from tui.verdict import verdict
from tui.widgets.status_line import GAP, fit, parts

PROGRESS = SyncProgress("embedding", 3, 9, 30, 20, 10, None)
MISMATCHED = IdentityState("mismatched", ("model: old is now new",))
FAILED = replace(CLEAN.sync, phase="failed", error="Full.", error_hint="Make room.")
WAITING = replace(CLEAN.sync, awaits_consent=True)


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.0, "0%"), (0.001, "1%"), (0.5, "50%"), (0.999, "99%"), (1.0, "100%")],
)
def test_only_none_is_nothing_and_only_all_is_all(share: float, said: str) -> None:
    assert wording.percent(share) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 ms"),
        (0.0123, "12 ms"),
        (1.44, "1.4 s"),
        (41, "41 s"),
        (180, "3 min"),
        (18_000, "5 h"),
        (86_400, "1 day"),
        (200_000, "2 days"),
    ],
)
def test_spans_have_one_unit(seconds: float, said: str) -> None:
    assert wording.span(seconds) == said


def test_ages_counts_and_sizes() -> None:
    assert wording.ago(1_000, 1_900) == "just now"
    assert wording.ago(1_000, 4_100) == "3 s ago"
    assert wording.ago(2_000, 1_000) == "just now"
    assert wording.counted(1, "file") == "1 file"
    assert wording.counted(1204, "file") == "1,204 files"
    assert [wording.size(n) for n in (999, 1_500, 18_400_000)] == ["999 B", "1.5 kB", "18.4 MB"]
    assert wording.short_path("/home/ada/x", "/home/ada/") == "~/x"
    assert wording.short_path("/home/adam/x", "/home/ada") == "/home/adam/x"
    assert wording.sentence("so it is") == "so it is."
    assert wording.sentence("是。") == "是。"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (CLEAN, "✓ clean"),
        (replace(CLEAN, scanned_at_ms=None), "? not looked yet"),
        (replace(CLEAN, dirty=(dirty_file("a.md"),)), "● dirty 1"),
        (replace(CLEAN, identity=IdentityState("missing")), "‖ nothing indexed"),
        (replace(CLEAN, identity=MISMATCHED), "‖ made with other settings"),
        (replace(CLEAN, sync=FAILED), "✗ sync failed"),
        (replace(CLEAN, sync=WAITING), "‖ waits for your consent"),
        (replace(CLEAN, sync=replace(CLEAN.sync, phase="running")), "◐ sync starts"),
        (running(PROGRESS), "◐ sync 3/9"),
    ],
)
def test_the_verdict_names_the_most_important_thing(status: EngineStatus, words: str) -> None:
    progress = status.sync.progress
    assert verdict(status, progress, UNICODE).words == words
    assert verdict(status, progress, ASCII).words.isascii()


@given(st.integers(0, 200), st.text(max_size=40), st.text(max_size=40))
def test_the_status_line_fits_and_begins_with_the_agent(cells: int, agent: str, model: str) -> None:
    state = replace(CLEAN, agent_id=agent, provider=replace(CLEAN.provider, model=model))
    found = parts(state, None, UNICODE)
    chosen = fit(found, cells)
    assert sum(width(text) for text, _ in chosen) + len(GAP) * max(len(chosen) - 1, 0) <= cells
    assert [style for _, style in chosen] == [part.style for part in found][: len(chosen)]


def test_a_wide_line_says_everything_in_full() -> None:
    assert [text for text, _ in fit(parts(CLEAN, None, UNICODE), 200)] == [
        "main",
        "builtin/static-256",
        "hybrid",
        "✓ clean",
        "cache 93%",
    ]
