"""The service over real sockets: what is sent where, and what never is."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from engine.embeddings.batch_jobs.dialect import Caps, JobView
from engine.embeddings.batch_jobs.offer import batch_service
from engine.embeddings.batch_jobs.refusals import (
    BatchUnavailableError,
    JobGoneError,
    JobTooLargeError,
    UnclearError,
)
from engine.embeddings.batch_jobs.request_file import RequestFile, request_file
from engine.embeddings.batch_jobs.service import BatchService, NoLook
from engine.embeddings.remote.settings import RemoteSettings, WireSettings
from engine.errors import ProviderError
from engine.net.client import HttpClient
from engine.net.messages import TransportError, never
from engine.net.secret import Secret
from engine.net.transport import HttpxTransport
from tests.fakes.answers import Answer, as_json
from tests.fakes.openai_batch_host import KEY, OpenAIBatchHost
from tests.fakes.still_time import StillTime

LINES = 100_000


@contextmanager
def served(known: int | None = None) -> Iterator[tuple[BatchService, OpenAIBatchHost]]:
    time = StillTime()
    transport = HttpxTransport({})
    client = HttpClient(transport, time.clock, lambda: 0.0, sleeper=time)
    with OpenAIBatchHost(time.clock) as host:
        settings = RemoteSettings(
            "openai", host.base_url, WireSettings("m"), Secret(KEY), "remote.apiKey"
        )
        service = batch_service(settings, "space", client, transport, lambda space: known)
        assert service is not None
        try:
            yield service, host
        finally:
            client.close()


@contextmanager
def file_of(service: BatchService, *texts: str) -> Iterator[RequestFile]:
    with request_file(Caps()) as file:
        for number, text in enumerate(texts):
            assert file.add(service.line(f"id-{number}", text))
        yield file


def submitted(service: BatchService, *texts: str) -> JobView:
    with file_of(service, *texts) as file:
        return service.create(service.upload(file, "memlens-1", never), "memlens-1", never)


def written(vector: list[float], order: list[int]) -> bytes:
    """A file of results with the same vector for every id."""
    answer = {"data": [{"index": 0, "embedding": vector}]}
    response = {"status_code": 200, "body": answer}
    lines = [json.dumps({"custom_id": str(n), "response": response}) for n in order]
    return "\n".join(lines).encode()


def read(service: BatchService, count: int) -> bytearray:
    """Which ids came with a vector."""
    seen = bytearray(count)
    for result in service.results(JobView("b", "completed", files=("out",)), never):
        assert result.vector is not None
        seen[int(result.id)] += 1
    return seen


def test_a_hundred_thousand_results_come_in_any_order() -> None:
    order = list(range(LINES))
    random.Random(5).shuffle(order)
    with served() as (service, host):
        host.machine.files["out"] = written([1.0, 2.0, 2.0], order)
        assert read(service, LINES) == b"\1" * LINES


def test_results_are_used_while_they_come_and_never_all_in_memory() -> None:
    with served() as (service, host):
        host.machine.files["out"] = written([1.0], [0])
        read(service, 1)  # everything that is needed is loaded now
        host.machine.files["out"] = written([0.123456789] * 1000, list(range(3000)))
        tracemalloc.start()
        assert read(service, 3000) == b"\1" * 3000
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < len(host.machine.files["out"]) / 3


def test_a_redirect_of_results_is_not_followed_with_the_key() -> None:
    with served() as (service, host), served() as (_, elsewhere):
        away = Answer(status=302, headers={"Location": f"{elsewhere.base_url}/files/x/content"})
        host.instead["content"] = deque([away])
        with pytest.raises(ProviderError) as caught:
            list(service.results(JobView("b", "completed", files=("x",)), never))
        assert caught.value.status == 302
        assert elsewhere.requests == []


def test_what_a_service_says_is_told_without_the_key() -> None:
    said = as_json({"error": {"message": f"the key {KEY} may not upload"}}, 403)
    with served() as (service, host), file_of(service, "heron") as file:
        host.instead["upload"] = deque([said])
        with pytest.raises(BatchUnavailableError) as caught:
            service.upload(file, "memlens-1", never)
    assert "may not upload" in caught.value.message
    assert KEY not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize(
    "answer",
    [
        {"id": f"batch-{KEY}", "status": "queued"},
        {"id": "batch-1", "status": "completed", "output_file_id": KEY},
    ],
)
def test_an_id_that_holds_the_key_is_not_taken(answer: dict[str, Any]) -> None:
    with served() as (service, host):
        host.instead["look"] = deque([as_json(answer)])
        seen = service.look("batch_1", never)
        assert isinstance(seen, NoLook)
        assert KEY not in seen.reason
        host.instead["create"] = deque([as_json(answer)] * 3)
        with pytest.raises(ProviderError):
            service.create("file-1", "memlens-1", never)
        host.instead["upload"] = deque([as_json({"id": KEY})])
        with file_of(service, "heron") as file, pytest.raises(ProviderError):
            service.upload(file, "memlens-1", never)


def test_the_words_of_a_job_that_failed_do_not_repeat_the_key() -> None:
    errors = {"data": [{"code": "x", "message": f"no credit for Bearer {KEY}"}]}
    with served() as (service, host):
        failed = {"id": "batch-1", "status": "failed", "errors": errors}
        host.instead["look"] = deque([as_json(failed)])
        view = service.look("batch_1", never)
    assert isinstance(view, JobView)
    assert view.problem.startswith("no credit")
    assert KEY not in view.problem


def test_a_job_is_found_on_a_later_page_by_its_file_or_its_label() -> None:
    with served() as (service, host):
        job = submitted(service, "heron")
        for _ in range(5):
            host.machine.begin("batch_", "file-x", "not ours", {}, [])
        for file, label in (("file-0001", "?"), ("?", "memlens-1")):
            found = service.find(file, label, never)
            assert found is not None
            assert found.job == job.job
        assert service.find("?", "??", never) is None
        assert host.asked("list") == 9


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_service_without_a_list_knows_of_no_job(status: int) -> None:
    with served() as (service, host):
        host.instead["list"] = deque([as_json({}, status)])
        assert service.find("file-1", "memlens-1", never) is None


def test_an_order_is_unclear_when_the_list_cannot_be_had_either() -> None:
    with served() as (service, host):
        host.instead["create"] = deque([Answer(hang_up=True)])
        host.instead["list"] = deque([as_json({}, 500)] * 5)
        with pytest.raises(UnclearError):
            service.create("file-1", "memlens-1", never)
        assert host.asked("create") == 1


def test_an_answer_that_is_no_job_is_looked_up_and_then_asked_for_again() -> None:
    with served() as (service, host):
        host.instead["create"] = deque([as_json({"hello": "world"})] * 3)
        with pytest.raises(ProviderError, match="not what was expected"):
            service.create("file-1", "memlens-1", never)
        assert (host.asked("create"), host.asked("list")) == (3, 3)


def test_no_connection_is_no_job() -> None:
    with served() as (_, host):
        gone = host.base_url
    settings = RemoteSettings("openai", gone, WireSettings("m"), Secret(KEY), "remote.apiKey")
    time, transport = StillTime(), HttpxTransport({})
    client = HttpClient(transport, time.clock, lambda: 0.0, sleeper=time)
    late = batch_service(settings, "space", client, transport, lambda space: None)
    assert late is not None
    with pytest.raises(TransportError, match="No connection"):
        late.create("file-1", "memlens-1", never)
    assert isinstance(late.look("batch_1", never), NoLook)
    late.discard(("file-1",))
    client.close()


def test_what_is_too_large_and_what_is_gone_have_kinds_of_their_own() -> None:
    with served() as (service, host), file_of(service, "heron") as file:
        host.instead["upload"] = deque([Answer(b"<html>too large</html>", 413)])
        with pytest.raises(JobTooLargeError):
            service.upload(file, "memlens-1", never)
        with pytest.raises(JobGoneError):
            service.look("batch_none", never)
        with pytest.raises(JobGoneError):
            list(service.results(JobView("b", "completed", files=("gone",)), never))


def test_all_vectors_of_a_space_have_one_size() -> None:
    with served(known=4) as (service, host):
        body = {"data": [{"index": 0, "embedding": [1.0, 0.0, 0.0]}]}
        line = {"custom_id": "a", "response": {"status_code": 200, "body": body}}
        host.machine.files["out"] = json.dumps(line).encode()
        (result,) = service.results(JobView("b", "completed", files=("out",)), never)
    assert result.vector is None
    assert result.error == "the vector has 3 numbers where 4 were expected"


def test_only_hosts_that_may_have_batch_jobs_are_asked_for_them() -> None:
    time, transport = StillTime(), HttpxTransport({})
    client = HttpClient(transport, time.clock, lambda: 0.0, sleeper=time)

    def offered(adapter: str, *, local: bool = False) -> bool:
        settings = RemoteSettings(
            "p", "http://127.0.0.1:9/v1", WireSettings("m"), adapter=adapter, local=local
        )
        return batch_service(settings, "s", client, transport, lambda space: None) is not None

    assert [offered(name) for name in ("openai", "voyage", "gemini")] == [True] * 3
    assert not any(offered(name) for name in ("mistral", "ollama", "lmstudio", "bedrock"))
    assert not offered("openai", local=True)
    assert batch_service(None, "s", client, transport, lambda space: None) is None
    client.close()
