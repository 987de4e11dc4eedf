"""What the command line says of batch jobs at the provider."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Command
from tests.engine.index.batch_jobs.house import NOTES, House
from tests.fakes.batch_machine import Plan

AT_ONCE = Plan(validating_s=0.0, running_s=0.0, finalizing_s=0.0)


def test_status_lists_the_jobs_that_are_out(tmp_path: Path, memlens: Command) -> None:
    house = House(tmp_path)
    with house.host() as host:
        house.configure(host, wait=False, pollIntervalMs=3000)
        with house.open() as engine:
            engine.sync("demand")
        at = ("--config", house.home.config_file, "--state-dir", house.home.state)
        (report,) = memlens(*at, "status", "--json").json
        said = memlens(*at, "status").out
        (job,) = host.machine.jobs
    batch = report["status"]["batch"]
    (shown,) = batch.pop("jobs")
    assert batch == {
        "enabled": True,
        "active": True,
        "reason": "",
        "wait": False,
        "concurrency": 2,
        "pollIntervalMs": 3000,
        "timeoutMs": 3_600_000,
        "failures": 0,
        "limit": 2,
        "lastError": None,
        "lastProvider": None,
    }
    assert (shown["job"], shown["phase"], shown["total"]) == (job[-8:], "queued", NOTES)
    assert f"...{job[-8:]} queued, 0 of {NOTES} done" in said


def test_without_batch_jobs_nothing_is_said_of_them(memlens: Command, notes: Path) -> None:
    (report,) = memlens("--workspace", notes, "status", "--json").json
    batch = report["status"]["batch"]
    assert (batch["enabled"], batch["failures"], batch["limit"]) == (False, 0, 2)
    assert "Batch jobs" not in memlens("--workspace", notes, "status").out


def test_index_submits_and_a_later_index_fetches(tmp_path: Path, memlens: Command) -> None:
    house = House(tmp_path)
    with house.host(plan=AT_ONCE) as host:
        house.configure(host, wait=False)
        at = ("--config", house.home.config_file, "--state-dir", house.home.state)
        first = memlens(*at, "index", "--json")
        assert (first.code, first.json["submitted"], first.json["embedded"]) == (0, NOTES, 0)
        assert "goes on without us" in first.err
        second = memlens(*at, "index")
        assert second.code == 0
        assert f"{NOTES} embedded" in second.out
        assert host.asked("create") == 1
