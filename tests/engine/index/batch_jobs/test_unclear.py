"""Jobs of which nobody can say yet whether they exist."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest

from tests.engine.index.batch_jobs.house import NOTES, House, assert_right
from tests.fakes.answers import Answer, as_json


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.mark.parametrize("made", [True, False])
def test_its_texts_are_not_sent_until_it_is_known(house: House, made: bool) -> None:
    broken = as_json({"error": {"message": "list broken"}}, 500)
    with house.host() as host:
        host.unclear = Answer(hang_up=True), made
        host.instead["list"] = deque([broken] * 99)
        house.configure(host, wait=False)
        with house.open() as engine:
            report = engine.sync("demand")
            assert (report.submitted, report.embedded) == (NOTES, 0)
            (job,) = engine.status().batch.jobs
            assert (job.job, job.phase) == ("", "uploaded")
        assert host.asked("embeddings") == 0
        house.pass_time(86_400.0)
        with house.open() as engine:
            assert engine.sync("start").embedded == 0
        assert "cannot be looked at" in house.notices
        assert (host.asked("embeddings"), len(host.machine.jobs)) == (0, int(made))
        host.instead["list"].clear()
        with house.open() as engine:
            engine.sync("start")
            house.pass_time(86_400.0)
            engine.sync("start")
            assert_right(engine)
        assert (len(host.machine.jobs), host.asked("embeddings")) == (1, 0)
        assert host.asked("create") == (1 if made else 2)


def test_new_notes_are_embedded_meanwhile(house: House) -> None:
    broken = as_json({"error": {"message": "list broken"}}, 500)
    with house.host() as host:
        host.unclear = Answer(hang_up=True), True
        host.instead["list"] = deque([broken] * 99)
        house.configure(host, wait=False)
        with house.open() as engine:
            engine.sync("demand")
            house.home.write("memory/new.md", "a heron came")
            report = engine.sync("watch")
            assert (report.embedded, report.embedding_error) == (1, None)
        assert host.plain_texts == ["a heron came"]
