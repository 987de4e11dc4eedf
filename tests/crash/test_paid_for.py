"""A kill in the middle of a paid run: what was paid for is not paid for again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.events import Stage
from tests.crash.bench import AT_ONCE, BATCH_CHUNKS, Bench, provider_called
from tests.crash.kills import Killer
from tests.crash.nursery import Errand
from tests.crash.scenes import SCENES
from tests.fakes.provider_server import FakeProvider

TEXT_BATCHES = 6
"""A first index stores all texts for keywords before the first vector is asked for."""

MOMENTS: list[tuple[Stage, int]] = [
    ("vectors-made", 3),
    ("batch-written", TEXT_BATCHES + 2),
    ("batch-committed", TEXT_BATCHES + 3),
    ("adopt-before", 1),
    ("tokens-booked", 1),
    ("record-before", 1),
]


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as fake:
        yield fake


@pytest.mark.parametrize(("stage", "turn"), MOMENTS)
def test_no_more_than_what_was_under_way_is_sent_twice(
    stage: Stage, turn: int, killer: Killer, fake: FakeProvider, tmp_path: Path
) -> None:
    scene = SCENES["first index with a provider"].with_provider(fake.base_url)
    bench = scene.lay_out(tmp_path)
    death = killer.nursery.send(
        Errand(scene.name, str(tmp_path), stage, turn, provider=fake.base_url)
    )
    assert death.killed
    sent_before = len(fake.texts)
    assert sent_before > 0
    scene.heal(bench)
    times = Counter(fake.texts)
    assert len(times) == chunks(bench)
    assert max(times.values()) <= 2
    under_way = (1 + AT_ONCE) * BATCH_CHUNKS  # in hand, and in requests
    assert sum(count == 2 for count in times.values()) <= under_way
    provider = provider_called(fake.base_url)
    assert provider is not None
    with bench.open() as store:
        assert store.reader.unembedded(provider.identity.key()) == []
        assert store.check().sound


def chunks(bench: Bench) -> int:
    """How many chunks the index holds."""
    with bench.open() as store:
        return store.counts().chunks
