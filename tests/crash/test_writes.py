"""A process that dies in the middle of a write, and disks that are full or broken.

The named stages lie between the transactions' statements; here the kill comes inside
SQLite, half of a page or of a log record written.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.crash.dying_disk import Fault
from tests.crash.kills import Killer, spread
from tests.crash.nursery import REFUSED, WORDS

KILLS = 6
SITUATIONS = [
    "first index",
    "update",
    "rebuild",
    "other chunk sizes",
    "another provider",
    "file of version 1",
    "left by a kill at batch-committed 2",
]


@pytest.mark.parametrize("name", SITUATIONS)
def test_killed_in_the_middle_of_a_write(
    name: str, killer: Killer, capsys: pytest.CaptureFixture[str]
) -> None:
    writes = killer.writes(name)
    after: Counter[str] = Counter()
    for at in spread(KILLS, writes):
        bench, death = killer.strike(name, Fault("kill", at))
        assert death.killed
        killer.check(name, bench)
        after[death.stages[-1] if death.stages else "opening"] += 1
    with capsys.disabled():
        stages = ", ".join(f"{stage} {times}" for stage, times in after.items())
        print(f"\n{name}: {after.total()} kills in {writes} writes, after {stages}", end="")
    assert after.total() >= min(KILLS, writes)


@pytest.mark.parametrize(
    ("kind", "title"),
    [("full", "Disk full: There was no room"), ("broken", "Index cannot be read or written: ")],
)
@pytest.mark.parametrize("name", ["first index", "update", "rebuild", "another provider"])
def test_a_failing_disk_is_told_and_undone(
    name: str, kind: str, title: str, killer: Killer
) -> None:
    refused = 0
    for at in spread(KILLS, killer.writes(name)):
        bench, death = killer.strike(name, Fault("full" if kind == "full" else "broken", at))
        assert death.code in (0, REFUSED), (at, death)
        if death.code == REFUSED:
            refused += 1
            assert (bench.folder / WORDS).read_text("utf-8").startswith(title)
        killer.check(name, bench)
    assert refused >= KILLS // 2
