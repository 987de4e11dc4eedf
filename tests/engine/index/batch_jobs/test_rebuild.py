"""A rebuild whose vectors come by jobs: the old index answers until they are there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.errors import CancelledError
from engine.memory import MemoryEngine
from tests.engine.index.batch_jobs.house import House, finds, text_of, vectors_of
from tests.fakes.openai_batch_host import OpenAIBatchHost

FINE = {"chunking": {"tokens": 16, "overlap": 0}}
LONG = "\n".join(text_of(number) for number in range(500, 900))
"""A note that coarse rules cut into a few chunks, and fine ones into some hundred."""


@pytest.fixture
def house(tmp_path: Path) -> House:
    house = House(tmp_path, notes=3)
    house.home.write("memory/long.md", LONG)
    return house


def indexed(house: House, host: OpenAIBatchHost, **batch: Any) -> None:
    """A coarse index, and then a configuration that wants a fine one."""
    house.configure(host, **batch)
    with house.open() as engine:
        engine.sync("demand")
    assert host.asked("create") == 0
    house.search_keys(host, FINE, **batch)


def chunks(engine: MemoryEngine) -> int:
    return len(engine.store.reader.chunks())


def test_the_old_index_answers_until_the_vectors_are_there(house: House) -> None:
    with house.host() as host:
        indexed(house, host)
        plain = len(host.plain_texts)
        with house.open() as engine:
            coarse = chunks(engine)
            house.home.write("memory/new.md", "a heron came")
            seen: list[tuple[int, int]] = []
            house.time.hooks[4] = lambda: seen.append((chunks(engine), finds(engine, "heron")))
            report = engine.sync("demand")
            assert seen == [(coarse + 1, 1)], "old chunks, kept fresh"
            assert chunks(engine) > 100
            assert len(vectors_of(engine)) == len({c.hash for c in engine.store.reader.chunks()})
            assert (report.not_embedded, report.chunks_added) == (0, chunks(engine))
            assert engine.store.jobs.agreed() is None
        assert host.asked("create") == 1
        assert len(host.plain_texts) == plain + 1, "only the new note"


def test_without_waiting_the_rebuild_follows_by_itself(house: House) -> None:
    with house.host() as host:
        indexed(house, host, wait=False)
        with house.open() as engine:
            coarse = chunks(engine)
            report = engine.sync("demand")
            assert report.submitted > 100
            assert chunks(engine) == coarse
            assert not engine.status().sync.awaits_consent
            house.home.write("memory/new.md", "a heron came")
            engine.sync("watch")
            assert (chunks(engine), finds(engine, "heron")) == (coarse + 1, 1)
        house.pass_time(86_400.0)
        with house.open() as engine:
            report = engine.sync("watch")
            assert chunks(engine) > 100
            assert (report.not_embedded, report.submitted) == (0, 0)
            assert engine.status().identity.status == "valid"
            assert engine.store.jobs.agreed() is None
        assert host.asked("create") == 1


def test_vectors_that_no_chunk_uses_yet_are_not_evicted(house: House) -> None:
    with house.host() as host:
        indexed(house, host, wait=False)
        cache = {"cache": {"enabled": False}}
        house.search_keys(host, FINE | cache, wait=False)
        with house.open() as engine:
            engine.sync("demand")
        house.pass_time(86_400.0)
        with house.open() as engine:
            engine.indexer.start("watch")
            engine.sync("demand")
            assert chunks(engine) > 100
        assert host.asked("create") == 1


def test_going_back_to_the_old_rules_ends_the_agreement(house: House) -> None:
    with house.host() as host:
        indexed(house, host, wait=False)
        with house.open() as engine:
            engine.sync("demand")
            assert engine.store.jobs.agreed() is not None
        house.configure(host, wait=False)
        with house.open() as engine:
            engine.sync("watch")
            assert engine.store.jobs.agreed() is None


def test_a_cancel_takes_the_word_back(house: House) -> None:
    with house.host() as host:
        indexed(house, host)
        with house.open() as engine:
            coarse = chunks(engine)
            house.time.hooks[len(house.slept) + 3] = engine.cancel_sync
            with pytest.raises(CancelledError):
                engine.sync("demand")
            assert chunks(engine) == coarse
            assert engine.store.jobs.agreed() is None
            house.pass_time(3600.0)
            engine.sync("watch")
            assert chunks(engine) == coarse
            assert engine.status().sync.awaits_consent
        assert host.asked("create") == 1


def test_a_forced_reindex_without_a_cache_sends_everything_by_a_job(tmp_path: Path) -> None:
    house = House(tmp_path)
    with house.host() as host:
        house.search_keys(host, {"cache": {"enabled": False}})
        with house.open() as engine:
            engine.sync("demand")
            report = engine.sync("demand", force=True)
            assert (report.embedded, report.cached) == (120, 0)
        assert (host.asked("create"), host.asked("embeddings")) == (2, 0)


def test_a_forced_reindex_with_a_cache_sends_nothing(tmp_path: Path) -> None:
    house = House(tmp_path)
    with house.host() as host:
        house.configure(host)
        with house.open() as engine:
            engine.sync("demand")
            report = engine.sync("demand", force=True)
            assert (report.embedded, report.cached) == (0, 120)
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)


def test_another_model_goes_by_a_job(tmp_path: Path) -> None:
    house = House(tmp_path)
    with house.host() as host:
        house.configure(host)
        with house.open() as engine:
            engine.sync("demand")
        with house.open("model=other-model") as engine:
            report = engine.sync("demand")
            assert (report.embedded, report.files_indexed) == (120, 0)
        assert (host.asked("create"), host.asked("embeddings")) == (2, 0)
