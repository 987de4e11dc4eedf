"""Jobs that outlive the sync or the process that began them."""

from __future__ import annotations

import threading
from collections import deque
from pathlib import Path

import pytest

from engine.events import EngineEvent, IndexChanged, SyncFinished
from engine.memory import MemoryEngine
from tests.engine.index.batch_jobs.house import NOTES, House, assert_right, finds, text_of
from tests.engine.store.desk import Desk
from tests.engine.store.test_salvage import spoil
from tests.fakes.answers import Answer, as_json
from tests.fakes.batch_machine import Plan

WAIT_S = 60.0
A_DAY = 86_400.0


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.mark.parametrize("provider", ["openai", "voyage", "gemini"])
def test_without_waiting_a_later_start_fetches_the_vectors(tmp_path: Path, provider: str) -> None:
    house = House(tmp_path, provider)
    with house.any_host() as host:
        house.configure(host, wait=False)
        with house.open() as engine:
            report = engine.sync("demand")
            assert (report.submitted, report.embedded, report.not_embedded) == (NOTES, 0, NOTES)
            assert report.embedding_error is None
            assert finds(engine, "kestrel") == NOTES
            (job,) = engine.status().batch.jobs
            assert (job.phase, job.total, job.done) == ("queued", NOTES, 0)
            assert not engine.status().sync.awaits_consent
        assert house.slept == []
        house.pass_time(20.0)
        with house.open() as engine:
            engine.sync("start")
            (job,) = engine.status().batch.jobs
            assert job.phase == "in_progress"
            assert job.looked_ms == house.time.clock.epoch_ms
        house.pass_time(A_DAY)
        with house.open() as engine:
            report = engine.sync("start")
            assert (report.submitted, report.embedded) == (0, NOTES)
            assert_right(engine)
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)


def test_what_is_out_is_not_sent_otherwise_and_what_is_new_goes_at_once(house: House) -> None:
    with house.host() as host:
        house.configure(host, wait=False)
        with house.open() as engine:
            engine.sync("demand")
            house.home.write("memory/new.md", "a heron came")
            house.home.write("memory/001.md", text_of(2))
            house.home.write("memory/copy.md", text_of(3))
            report = engine.sync("watch")
            assert (report.embedded, report.submitted) == (1, NOTES)
        assert host.plain_texts == ["a heron came"]
        house.pass_time(A_DAY)
        with house.open() as engine:
            engine.sync("start")
            assert engine.sync("start").not_embedded == 0
        assert host.plain_texts == ["a heron came"]
        assert host.asked("create") == 1


def test_what_a_job_leaves_over_later_is_sent_by_another_one(tmp_path: Path) -> None:
    house = House(tmp_path, notes=250)
    with house.host() as host:
        host.machine.plans.append(Plan(end="expired", left_out=130))
        house.configure(host, wait=False)
        with house.open() as engine:
            engine.sync("demand")
        house.pass_time(A_DAY)
        with house.open() as engine:
            report = engine.sync("start")
            assert (report.embedded, report.submitted) == (120, 130)
        house.pass_time(A_DAY)
        with house.open() as engine:
            assert engine.sync("start").embedded == 130
            assert_right(engine, 250)
        assert host.plain_texts == []


def test_more_than_may_be_out_waits_for_its_turn(tmp_path: Path) -> None:
    house = House(tmp_path, notes=250)
    with house.host() as host:
        house.configure(host, wait=False, concurrency=1)
        with house.open() as engine:
            engine.batches.learned.take_fewer(250)
            report = engine.sync("demand")
            assert (report.submitted, report.embedded, report.not_embedded) == (125, 0, 250)
            assert engine.sync("watch").embedded == 0
            house.pass_time(A_DAY)
            report = engine.sync("watch")
            assert (report.submitted, report.embedded) == (125, 125)
            house.pass_time(A_DAY)
            assert engine.sync("watch").embedded == 125
        assert (host.asked("create"), host.plain_texts) == (2, [])


def test_a_wait_ends_with_its_time_and_the_job_goes_on(house: House) -> None:
    with house.host(plan=Plan(running_s=7200.0)) as host:
        house.configure(host, timeoutMinutes=10)
        with house.open() as engine:
            report = engine.sync("demand")
            assert (report.submitted, report.embedded) == (NOTES, 0)
            assert sum(house.slept) == pytest.approx(600.0)
            assert engine.status().batch.active
        assert "goes on without us" in house.notices
        house.pass_time(7200.0)
        with house.open() as engine:
            assert engine.sync("start").embedded == NOTES
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)


def test_a_job_is_fetched_also_when_batch_jobs_are_switched_off_since(house: House) -> None:
    with house.host() as host:
        house.configure(host, wait=False)
        with house.open() as engine:
            engine.sync("demand")
        house.pass_time(A_DAY)
        house.configure(host, enabled=False)
        with house.open() as engine:
            assert engine.sync("start").embedded == NOTES
        assert host.asked("embeddings") == 0


def test_a_job_of_another_model_stays_until_that_model_is_back(house: House) -> None:
    with house.host() as host:
        house.configure(host, wait=False)
        with house.open() as engine:
            engine.sync("demand")
        house.pass_time(A_DAY)
        with house.open("provider=builtin") as engine:
            assert engine.status().batch.jobs == ()
            engine.sync("demand")
        with house.open() as engine:
            assert len(engine.status().batch.jobs) == 1
            assert engine.sync("demand").embedded == NOTES
            assert_right(engine)
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)


def test_a_key_that_is_no_longer_good_costs_no_job(house: House) -> None:
    refused = as_json({"error": {"message": "bad key"}}, 401)
    with house.host() as host:
        house.configure(host, wait=False)
        with house.open() as engine:
            engine.sync("demand")
        house.pass_time(A_DAY)
        for kind in ("look", "content"):
            host.instead[kind] = deque([refused])
            with house.open() as engine:
                report = engine.sync("start")
                assert (report.embedded, report.submitted) == (0, NOTES)
                assert len(engine.status().batch.jobs) == 1
                assert "bad key" in (engine.status().batch.last_error or "")
        with house.open() as engine:
            assert engine.sync("start").embedded == NOTES
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)


def test_what_another_process_is_submitting_is_not_sent_here(house: House) -> None:
    with house.host() as host:
        house.configure(host)
        with house.open() as other, house.open() as engine:
            with other.store.jobs.submitting() as its_turn:
                assert its_turn
                report = engine.sync("demand")
                assert (report.embedded, report.not_embedded) == (0, NOTES)
            assert host.asked("embeddings") == host.asked("upload") == 0
            assert engine.sync("demand").embedded == NOTES
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)


def test_two_processes_that_look_after_a_job_fetch_it_once(house: House) -> None:
    with house.host() as host:
        house.configure(host, wait=False)
        with house.open() as one, house.open() as two:
            one.sync("demand")
            two.sync("start")
            house.pass_time(A_DAY)
            assert one.sync("watch").embedded + two.sync("watch").embedded == NOTES
            assert_right(two)
        assert (host.asked("create"), host.asked("content")) == (1, 1)
        assert host.asked("embeddings") == 0


def test_a_job_outlives_the_damage_of_the_index(house: House) -> None:
    with house.host() as host:
        house.configure(host, wait=False)
        with house.open() as engine:
            engine.sync("demand")
            path = engine.store.path
        desk = Desk(path)
        spoil(desk, "pointer", 1.0)
        house.pass_time(A_DAY)
        with house.open() as engine:
            engine.sync("demand")
            assert_right(engine)
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)


def test_no_key_lies_in_the_index_or_in_what_was_told(house: House) -> None:
    with house.host() as host:
        house.configure(host, wait=False)
        with house.open() as engine:
            engine.sync("demand")
            told = repr([house.heard, engine.status(), engine.store.jobs.jobs("")])
        files = [file for file in house.home.state.rglob("*") if file.is_file()]
        written = b"".join(file.read_bytes() for file in files if file.name != "openclaw.json")
    assert len(files) > 1
    assert host._key is not None
    assert host._key not in told
    assert host._key.encode() not in written


# -- while the application is open


class Ears:
    """Waits for events of an engine."""

    def __init__(self, engine: MemoryEngine) -> None:
        self._changed = threading.Condition()
        self._heard: list[EngineEvent] = []
        engine.events.subscribe(self._hear)

    def _hear(self, event: EngineEvent) -> None:
        with self._changed:
            self._heard.append(event)
            self._changed.notify_all()

    def wait_for(self, kind: type[EngineEvent]) -> None:
        with self._changed:
            assert self._changed.wait_for(
                lambda: any(isinstance(event, kind) for event in self._heard), WAIT_S
            ), self._heard


def test_an_open_application_fetches_them_by_itself(house: House) -> None:
    with house.host() as host:
        house.configure(host, wait=False)
        with house.open() as engine:
            engine.sync("demand")
        house.pass_time(A_DAY)
        with house.open("sync.watch=false") as engine:
            ears = Ears(engine)
            engine.indexer.start("watch")  # what begins the thread; it looks at the job itself
            ears.wait_for(SyncFinished)
            assert_right(engine)
        assert host.asked("create") == 1


def test_a_job_that_ends_while_nobody_asks_is_fetched(house: House) -> None:
    with house.host() as host:
        house.configure(host, wait=False, pollIntervalMs=10)
        with house.open("sync.watch=false") as engine:
            engine.sync("demand")
            ears = Ears(engine)
            house.pass_time(A_DAY)
            ears.wait_for(IndexChanged)
            ears.wait_for(SyncFinished)
            assert_right(engine)
            assert not engine.status().batch.jobs
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)


def test_trouble_while_nobody_asks_is_told_once(house: House) -> None:
    with house.host() as host:
        house.configure(host, wait=False, pollIntervalMs=10)
        with house.open("sync.watch=false") as engine:
            engine.sync("demand")
            refused = Answer(b'{"error": {"message": "bad key"}}', 401)
            host.instead["look"] = deque([refused] * 3)
            house.pass_time(A_DAY)
            for _ in range(3):
                engine.indexer.start("interval")
                engine.sync("watch")
                house.pass_time(A_DAY)
        assert house.notices.count("cannot be looked at") == 1
