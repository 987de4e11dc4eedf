"""Bulk indexing through batch jobs, from the submission to the last vector."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest

from tests.engine.index.batch_jobs.house import NOTES, House, assert_right, text_of
from tests.fakes.answers import Answer, as_json
from tests.fakes.batch_machine import Line, Plan

ONE = (1, 1, 0)
"""Uploads, jobs, plain requests."""


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def sixth(line: Line) -> str | None:
    """An error for every sixth note."""
    number = int(line["body"]["input"][0].split()[1])
    return "the model is overloaded" if number % 6 == 0 else None


def every_line(line: Line) -> str | None:
    return "the model is overloaded"


@pytest.mark.parametrize("provider", ["openai", "voyage", "gemini"])
def test_a_first_index_goes_by_one_job(tmp_path: Path, provider: str) -> None:
    house = House(tmp_path, provider)
    with house.any_host(plan=Plan(twice=7)) as host:
        house.configure(host)
        with house.open() as engine:
            report = engine.sync("demand")
            assert_right(engine)
            assert (report.embedded, report.not_embedded, report.submitted) == (NOTES, 0, 0)
            assert (report.embedding_error, report.batch_tokens) == (None, report.tokens)
            assert report.tokens_estimated == (provider == "gemini")
            assert engine.status().batch.jobs == ()
            assert engine.sync("start").embedded == 0
        assert len(host.batch_texts) == len(set(host.batch_texts)) == NOTES
        assert (host.asked("upload"), host.asked("create"), host.asked("embeddings")) == ONE
        assert host.machine.files == {}, "nothing is left at the provider"
    assert "Batch job" in house.notices


def test_an_older_download_address_is_found(tmp_path: Path) -> None:
    house = House(tmp_path, "gemini")
    with house.any_host(doors=False) as host:
        house.configure(host)
        with house.open() as engine:
            engine.sync("demand")
            assert_right(engine)


def test_every_state_is_told(house: House) -> None:
    with house.host(plan=Plan(finalizing_s=100.0)) as host:
        house.configure(host)
        with house.open() as engine:
            engine.sync("demand")
    first, last = house.progress[0], house.progress[-1]
    assert house.phases() == ["queued", "validating", "in_progress", "finalizing", "completed"]
    assert (first.provider, first.done, first.total) == ("openai", 0, NOTES)
    assert (last.done, last.failed, last.since_ms) == (NOTES, 0, first.since_ms)
    assert last.job == next(iter(host.machine.jobs))[-8:]
    running = [event.done for event in house.progress if event.phase == "in_progress"]
    assert running == sorted(running)
    assert running[-1] > 0


def test_looks_become_seldom(house: House) -> None:
    with house.host(plan=Plan(running_s=3000.0)) as host:
        house.configure(host, pollIntervalMs=4000)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
    assert house.slept[:8] == [4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 300.0]
    assert set(house.slept[8:]) == {300.0}
    assert host.asked("look") == len(house.slept)


def test_few_texts_go_as_plain_requests(tmp_path: Path) -> None:
    house = House(tmp_path, notes=99)
    with house.host() as host:
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == 99
        assert (host.asked("upload"), len(host.plain_texts)) == (0, 99)


def test_it_is_off_unless_it_is_switched_on(house: House) -> None:
    with house.host() as host:
        house.configure(host, enabled=False)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
            batch = engine.status().batch
        assert (batch.enabled, batch.active) == (False, False)
        assert host.asked("upload") == 0


def test_many_new_notes_go_by_a_job_too_and_are_found_by_words_meanwhile(house: House) -> None:
    with house.host() as host:
        house.configure(host)
        with house.open() as engine:
            engine.sync("demand")
            for number in range(200, 320):
                house.home.write(f"memory/{number}.md", text_of(number))
            found: list[int] = []
            reader = engine.store.reader
            house.time.hooks[len(house.slept) + 2] = lambda: found.append(len(reader.files()))
            report = engine.sync("watch")
            assert (report.embedded, report.files_indexed) == (120, 120)
            assert_right(engine, 240)
        assert found == [240]
        assert (host.asked("create"), host.asked("embeddings")) == (2, 0)


# -- what a job leaves over


def test_what_has_an_error_is_sent_again_and_nothing_else(house: House) -> None:
    with house.host(plan=Plan(wrong=sixth)) as host:
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
            assert_right(engine)
        assert sorted(host.plain_texts) == sorted(text_of(n) for n in range(0, NOTES, 6))
        assert (host.asked("create"), host.asked("embeddings")) == (1, 1)
    assert "100 of 120 texts have their vectors, 20 are sent again" in house.notices


def test_what_ran_out_of_time_is_sent_again_and_the_rest_is_kept(tmp_path: Path) -> None:
    house = House(tmp_path, notes=250)
    with house.host() as host:
        host.machine.plans.append(Plan(end="expired", left_out=130))
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == 250
            assert_right(engine, 250)
        jobs = list(host.machine.jobs.values())
        assert [len(job.lines) for job in jobs] == [250, 130]
        assert host.plain_texts == []
    assert "ran out of time: 120 of 250 texts have their vectors" in house.notices


def test_a_job_with_an_error_file_alone_is_a_failure_and_the_second_is_the_last(
    house: House,
) -> None:
    with house.host(plan=Plan(wrong=every_line)) as host:
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
            batch = engine.status().batch
            assert (batch.active, batch.failures, batch.limit) == (False, 2, 2)
            assert "2 batch jobs failed one after the other" in batch.reason
            assert batch.last_provider == "openai"
            house.home.write("memory/more.md", "\n".join(text_of(n) for n in range(900)))
            engine.sync("watch")
        assert host.asked("create") == 2
    assert "Plain requests instead of batch jobs: 2 batch jobs failed" in house.notices


def test_a_new_process_tries_jobs_again(house: House) -> None:
    with house.host(plan=Plan(wrong=every_line)) as host:
        house.configure(host)
        with house.open() as engine:
            engine.sync("demand")
        with house.open() as engine:
            batch = engine.status().batch
            assert (batch.active, batch.failures, batch.last_error) == (True, 0, None)
        assert host.asked("create") == 2


def test_a_job_that_fails_as_a_whole_says_why(house: House) -> None:
    failing = Plan(end="failed", problem="The file is not to our liking.")
    with house.host(plan=failing) as host:
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
            assert "not to our liking" in (engine.status().batch.last_error or "")
        assert host.asked("create") == 2


def test_a_success_forgives_the_failure_before(tmp_path: Path) -> None:
    house = House(tmp_path)
    with house.host() as host:
        host.machine.plans.append(Plan(end="failed"))
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
            batch = engine.status().batch
            assert (batch.active, batch.failures) == (True, 0)
        assert (host.asked("create"), host.plain_texts) == (2, [])


@pytest.mark.parametrize("spoiled", [[1.0] * 191, [0.0] * 192, [1.0, None], "AAAA", None, []])
def test_what_is_no_vector_is_not_kept(house: House, spoiled: object) -> None:
    with house.host() as host:
        host.spoiled = {text_of(7): spoiled}
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
            assert_right(engine)
        assert host.plain_texts == [text_of(7)]


# -- trouble on the way


@pytest.mark.parametrize(
    "trouble",
    [
        as_json({"error": {"message": "slow down"}}, 429, {"Retry-After": "40"}),
        as_json({"error": {"message": "busy"}}, 503),
        as_json({"error": {"message": "conflict"}}, 409),
        Answer(b"<html>Bad gateway</html>", 502),
        Answer(hang_up=True),
        Answer(b"<html>Please wait</html>"),
    ],
)
def test_looks_that_fail_are_repeated(house: House, trouble: Answer) -> None:
    with house.host() as host:
        host.instead["look"] = deque([trouble, trouble, None, trouble])
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
            assert engine.status().batch.failures == 0
        assert (host.asked("create"), host.asked("embeddings")) == (1, 0)
    if trouble.status == 429:
        assert house.slept[1] >= 40.0


def test_a_result_file_that_breaks_off_is_fetched_again(house: House) -> None:
    half = Answer(b'{"custom_id": "' + b"x" * 5000, sent=2000)
    with house.host() as host:
        host.instead["content"] = deque([half, as_json({}, 500)])
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
        assert (host.asked("content"), host.asked("create")) == (3, 1)


def test_a_job_that_is_gone_is_sent_anew(house: House) -> None:
    with house.host() as host:
        host.instead["look"] = deque([None, as_json({}, 404)])
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
        assert (host.asked("create"), host.plain_texts) == (2, [])


@pytest.mark.parametrize("kind", ["upload", "create"])
@pytest.mark.parametrize("code", [400, 403, 404, 405, 501])
def test_a_host_without_batch_jobs_gets_plain_requests_at_once(
    house: House, kind: str, code: int
) -> None:
    with house.host() as host:
        host.instead[kind] = deque([as_json({"error": {"message": "no such thing"}}, code)])
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
            batch = engine.status().batch
            assert (batch.active, batch.failures) == (False, 0)
            assert "takes no batch jobs here" in batch.reason
        assert host.asked(kind) == 1
        assert host.machine.jobs == {}
    assert "Plain requests instead of batch jobs" in house.notices


def test_gemini_without_the_method_is_found_out_at_once(tmp_path: Path) -> None:
    house = House(tmp_path, "gemini")
    with house.any_host() as host:
        host.instead["create"] = deque([as_json({"error": {"status": "NOT_FOUND"}}, 404)])
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
        assert (host.asked("create"), host.machine.files) == (1, {})


def test_two_submissions_that_fail_are_enough(house: House) -> None:
    broken = as_json({"error": {"message": "boom"}}, 500)
    with house.host() as host:
        host.instead["upload"] = deque([broken] * 6)
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
            assert engine.status().batch.failures == 2
        assert (host.asked("upload"), host.asked("create")) == (6, 0)


@pytest.mark.parametrize("answer", [Answer(hang_up=True), as_json({}, 500), as_json({}, 504)])
@pytest.mark.parametrize("made", [True, False])
def test_an_order_without_a_clear_answer_is_never_given_twice(
    house: House, answer: Answer, made: bool
) -> None:
    with house.host() as host:
        host.unclear = answer, made
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
        assert len(host.machine.jobs) == 1
        assert host.asked("create") == (1 if made else 2)


# -- too much at once


@pytest.mark.parametrize("hang_up", [False, True])
def test_what_is_too_large_goes_in_halves(tmp_path: Path, hang_up: bool) -> None:
    house = House(tmp_path, notes=250)
    with house.host() as host:
        if hang_up:
            host.instead["upload"] = deque([Answer(hang_up=True)] * 3)
        else:
            host.most_lines = 130
        house.configure(host, concurrency=3)
        with house.open() as engine:
            assert engine.sync("demand").embedded == 250
            assert_right(engine, 250)
        assert [len(job.lines) for job in host.machine.jobs.values()] == [125, 125]


def test_a_host_that_takes_next_to_nothing_gets_plain_requests(house: House) -> None:
    with house.host() as host:
        host.most_lines = 10
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES
        assert host.asked("create") == 0


def test_an_account_with_a_full_queue_gets_smaller_jobs_one_after_another(tmp_path: Path) -> None:
    house = House(tmp_path, notes=250)
    with house.host() as host:
        host.machine.plans.append(Plan(end="failed", code="token_limit_exceeded"))
        house.configure(host)
        with house.open() as engine:
            assert engine.sync("demand").embedded == 250
            batch = engine.status().batch
            assert (batch.failures, batch.concurrency) == (0, 1)
        first, second, third = host.machine.jobs.values()
        assert [len(job.lines) for job in (first, second, third)] == [250, 125, 125]
        assert third.since_ms >= second.since_ms + 70_000


def test_no_more_jobs_are_out_than_allowed(tmp_path: Path) -> None:
    house = House(tmp_path, notes=400)
    with house.host() as host:
        host.most_lines = 100
        house.configure(host, concurrency=2)
        with house.open() as engine:
            engine.batches.learned.take_fewer(200)
            assert engine.sync("demand").embedded == 400
        begun = sorted(job.since_ms for job in host.machine.jobs.values())
        assert len(begun) == 4
        assert begun[2] >= begun[0] + 70_000


def test_texts_beyond_the_provider_s_limit_go_as_plain_requests(tmp_path: Path) -> None:
    house = House(tmp_path, "gemini")
    house.home.write("memory/long.md", "walrus " * 500)
    with house.any_host() as host:
        house.search_keys(host, {"chunking": {"tokens": 1000, "overlap": 0}})
        with house.open() as engine:
            assert engine.sync("demand").embedded == NOTES + 1
        assert not any("walrus" in text for text in host.batch_texts)
        assert len(host.batch_texts) == NOTES
        assert host.asked("embeddings") == 1
