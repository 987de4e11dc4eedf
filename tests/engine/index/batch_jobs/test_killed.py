"""kill -9 at every point of a batch job: nothing is submitted twice, nothing paid for is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.index.batch_jobs.house import NOTES, House, assert_right, vectors_of
from tests.engine.store.desk import assert_sound
from tests.fakes.batch_machine import Plan

ROOT = Path(__file__).resolve().parents[4]
PATIENCE_S = 120
AT_ONCE = Plan(validating_s=0.0, running_s=0.0, finalizing_s=0.0)
POINTS = [
    "job-reserved",
    "job-uploaded",
    "job-created",
    "job-known",
    "job-results-stored",
    "job-settled",
]


def run_to_death(house: House, stage: str, turn: int = 1, reason: str = "demand") -> None:
    """A process that must kill itself there."""
    command = [sys.executable, "-P", "-m", "tests.engine.index.batch_jobs.child"]
    done = subprocess.run(
        [*command, str(house.home.root), reason, stage, str(turn)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == -9, (stage, turn, done.stderr.decode())


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.mark.parametrize("stage", POINTS)
def test_a_killed_job_is_taken_up(house: House, stage: str) -> None:
    with house.host(plan=AT_ONCE) as host:
        house.configure(host)
        run_to_death(house, stage)
        with house.open() as engine:
            engine.sync("demand")
            assert_right(engine)
            assert engine.status().batch.jobs == ()
            assert_sound(engine.store.path)
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)
        assert len(host.batch_texts) == NOTES


def test_a_job_of_a_killed_gemini_is_found_by_its_label(tmp_path: Path) -> None:
    house = House(tmp_path, "gemini")
    with house.any_host(plan=AT_ONCE) as host:
        for _ in range(5):  # other jobs of the account, so that the list has pages
            host.machine.begin("batches/other", "files/x", "not ours", {"model": "m"}, [])
        house.configure(host)
        run_to_death(house, "job-created")
        with house.open() as engine:
            engine.sync("demand")
            assert_right(engine)
        assert host.asked("create") == 1


def test_a_start_after_a_kill_fetches_what_was_agreed_to(house: House) -> None:
    with house.host(plan=AT_ONCE) as host:
        house.configure(host)
        run_to_death(house, "job-known")
        with house.open() as engine:
            assert engine.sync("start").embedded == NOTES
            assert_right(engine)
            assert not engine.status().sync.awaits_consent
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)


def test_a_kill_before_the_job_was_made_leaves_the_person_to_be_asked(house: House) -> None:
    with house.host(plan=AT_ONCE) as host:
        house.configure(host)
        run_to_death(house, "job-uploaded")
        with house.open() as engine:
            assert engine.sync("start").embedded == 0
            assert engine.status().sync.awaits_consent
            engine.sync("demand")
            assert_right(engine)
        assert (host.asked("upload"), host.asked("create")) == (1, 1)


def test_killed_while_results_are_stored_everything_is_fetched_once_more(tmp_path: Path) -> None:
    house = House(tmp_path, notes=1100)
    with house.host(plan=AT_ONCE) as host:
        house.configure(host)
        # Three transactions store the texts, then some hundred vectors each.
        run_to_death(house, "batch-committed", 4)
        with house.open() as engine:
            assert 0 < len(vectors_of(engine)) < 1100
            assert len(engine.status().batch.jobs) == 1
            engine.sync("demand")
            assert_right(engine, 1100)
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)
        assert len(host.batch_texts) == len(set(host.batch_texts)) == 1100
