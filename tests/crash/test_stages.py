"""kill -9 at every named point of every write path: the index answers and heals."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest

from engine.events import Stage
from tests.crash.kills import Killer, spread
from tests.crash.scenes import SCENES

AT_LEAST, AT_MOST = 5, 6
STAGES = [stage for stage in get_args(Stage) if not stage.startswith("job-")]
"""Batch jobs live at a service; whoever is killed beside one is tested with such a service."""


def occasions(killer: Killer, stage: Stage) -> list[tuple[str, int]]:
    """Scenes and turns that pass the stage, chosen over all scenes and further turns."""
    found: list[tuple[int, str, int]] = []
    for name in SCENES:
        times = killer.prepared(name).stages.count(stage)
        turns = sorted({1, times, (times + 1) // 2}) if times else []
        found += [(rank, name, turn) for rank, turn in enumerate(reversed(turns))]
    found.sort(key=lambda each: each[0])
    chosen = spread(AT_MOST, len(found)) if found else []
    return [found[number - 1][1:] for number in chosen]


@pytest.mark.parametrize("stage", STAGES)
def test_killed_at(stage: Stage, killer: Killer, capsys: pytest.CaptureFixture[str]) -> None:
    hits: Counter[str] = Counter()
    for name, turn in occasions(killer, stage):
        bench, death = killer.kill(name, stage, turn)
        assert death.killed
        assert (death.stages[-1], death.stages.count(stage)) == (stage, turn)
        killer.check(name, bench)
        hits[name] += 1
    with capsys.disabled():
        print(f"\n{stage}: {hits.total()} kills in {len(hits)} situations", end="")
    assert hits.total() >= AT_LEAST
