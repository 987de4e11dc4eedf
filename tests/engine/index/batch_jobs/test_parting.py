"""Giving jobs up, leaving them, and making way for other work while one is out."""

from __future__ import annotations

import threading
from collections import deque
from pathlib import Path

import pytest

from engine.errors import CancelledError
from engine.events import SyncCancelled, SyncFinished
from engine.memory import MemoryEngine
from tests.engine.index.batch_jobs.house import NOTES, House, assert_right, finds
from tests.fakes.answers import as_json
from tests.fakes.batch_machine import Plan

WAIT_S = 60.0


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.mark.parametrize("provider", ["openai", "gemini"])
def test_a_cancel_cancels_at_the_provider_and_what_is_done_is_fetched(
    tmp_path: Path, provider: str
) -> None:
    house = House(tmp_path, provider)
    with house.any_host() as host:
        house.configure(host)
        with house.open() as engine:
            house.time.hooks[5] = engine.cancel_sync
            with pytest.raises(CancelledError):
                engine.sync("demand")
            assert host.asked("cancel") == 1
            (job,) = engine.status().batch.jobs
            assert job.phase == "cancelling"
            done = job.done
            assert 0 < done < NOTES
            assert f"is being cancelled ({done} of {NOTES} were done)" in house.notices
        assert any(isinstance(event, SyncCancelled) for event in house.heard)
        house.pass_time(60.0)
        with house.open() as engine:
            report = engine.sync("start")
            assert report.embedded >= done, "what was paid for is fetched without asking"
            assert engine.status().sync.awaits_consent, "but nothing more is sent"
            assert host.asked("create") == 1
            engine.sync("demand")
            assert_right(engine)
        assert len(host.batch_texts) == len(set(host.batch_texts))


def test_a_wait_ends_at_once_when_it_is_cancelled(tmp_path: Path) -> None:
    """With a real clock: the pause is five minutes long."""
    from engine.clock import SystemClock
    from engine.config.request import EngineOptions, Places
    from engine.events import BatchProgress
    from engine.memory import Surroundings

    house = House(tmp_path)
    with house.host() as host:
        house.configure(host, pollIntervalMs=300_000)
        home = house.home.root / "home"
        around = Surroundings(
            {"HOME": str(home), "OPENCLAW_STATE_DIR": str(house.home.state)},
            Places(home, tmp_path / "data", tmp_path / "settings"),
            SystemClock(),
            inline_indexing=True,
        )
        engine = MemoryEngine.open(EngineOptions(), around)
        submitted, cancelled = threading.Event(), threading.Event()

        def hear(event: object) -> None:
            if isinstance(event, BatchProgress):
                submitted.set()
            if isinstance(event, SyncCancelled):
                cancelled.set()

        engine.events.subscribe(hear)
        try:
            engine.start_sync("demand")
            assert submitted.wait(WAIT_S)
            engine.cancel_sync()
            assert cancelled.wait(WAIT_S)
            assert host.asked("cancel") == 1
        finally:
            engine.close()


def test_a_provider_that_cannot_be_asked_to_cancel_is_told_of(house: House) -> None:
    with house.host() as host:
        host.instead["cancel"] = deque([as_json({"error": {"message": "no"}}, 500)])
        house.configure(host)
        with house.open() as engine:
            house.time.hooks[3] = engine.cancel_sync
            with pytest.raises(CancelledError):
                engine.sync("demand")
            assert len(engine.status().batch.jobs) == 1
    assert "could not be cancelled" in house.notices


def test_closing_leaves_the_job_alone_and_the_next_start_goes_on(house: House) -> None:
    with house.host() as host:
        house.configure(host)
        with house.open() as engine:
            closing = threading.Thread(target=engine.close)
            house.time.hooks[3] = closing.start
            house.time.stands_from = 3
            with pytest.raises(CancelledError):
                engine.sync("demand")
            closing.join(WAIT_S)
        assert host.asked("cancel") == 0
        assert "goes on without us" in house.notices
        house.time.stands_from = None
        house.pass_time(3600.0)
        with house.open() as engine:
            assert engine.sync("start").embedded == NOTES
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)


def test_jobs_that_nobody_waits_for_can_be_cancelled(house: House) -> None:
    with house.host() as host:
        house.configure(host, wait=False)
        with house.open() as engine:
            engine.sync("demand")
            house.pass_time(30.0)
            assert engine.cancel_batch_jobs() == 1
            assert engine.status().batch.jobs[0].phase == "cancelling"
            house.pass_time(60.0)
            assert engine.sync("watch").embedded == NOTES
        assert host.asked("cancel") == 1
        assert 0 < len(host.plain_texts) < NOTES


# -- making way


def test_another_sync_does_not_wait_for_the_job(house: House) -> None:
    with house.host(plan=Plan(running_s=600.0)) as host:
        house.configure(host)
        with house.open() as engine:
            seen: list[int] = []

            def note() -> None:
                house.home.write("memory/new.md", "a heron came")
                engine.start_sync("watch")

            house.time.hooks[3] = note
            house.time.hooks[5] = lambda: seen.append(finds(engine, "heron"))
            report = engine.sync("demand")
            assert seen == [1], "the new note is found while the job is out"
            assert (report.submitted, report.not_embedded) == (0, 0)
            assert finds(engine, "kestrel") == NOTES
        finished = [e.report for e in house.heard if isinstance(e, SyncFinished)]
        assert [(r.reason, r.submitted) for r in finished] == [("demand", NOTES), ("demand", 0)]
        assert host.asked("create") == 1
        assert host.plain_texts == ["a heron came"]


def test_a_rebuild_that_made_way_is_done_all_the_same(house: House) -> None:
    with house.host(plan=Plan(running_s=600.0)) as host:
        house.configure(host)
        with house.open() as engine:
            engine.sync("demand")
        house.search_keys(host, {"chunking": {"tokens": 8, "overlap": 0}})
        with house.open() as engine:
            at = len(house.slept)
            house.home.write("memory/new.md", "a heron came")
            house.time.hooks[at + 3] = lambda: engine.start_sync("watch")
            engine.sync("demand")
            identity = engine.store.reader.identity()
            assert identity is not None
            assert identity.chunking.endswith(":8/0")
            assert engine.status().identity.status == "valid"
