"""The fakes themselves: the embedding against its published examples, faults on a wire."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.answers import shuffled, slow, status
from tests.fakes.bow192 import bow_192
from tests.fakes.limits import Limits
from tests.fakes.provider_server import FakeProvider, case_script

GOLDEN = json.loads((Path(__file__).with_name("bow192_examples.json")).read_text("utf-8"))


def post(url: str, texts: list[str]) -> Any:
    body = json.dumps({"model": "m", "input": texts}).encode()
    request = urllib.request.Request(f"{url}/embeddings", body)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


@pytest.mark.parametrize("example", GOLDEN["examples"], ids=lambda e: e["text"][:12] or "empty")
def test_bow_192_gives_the_published_examples(example: dict[str, Any]) -> None:
    found = {str(i): v for i, v in enumerate(bow_192(example["text"])) if v}
    assert found == example["nonzero"]


def test_the_server_embeds_and_keeps_a_journal() -> None:
    with FakeProvider() as fake:
        answer = post(fake.base_url, ["kestrel", "router"])
        assert [item["index"] for item in answer["data"]] == [0, 1]
        assert answer["data"][1]["embedding"] == bow_192("router")
        assert fake.texts == ["kestrel", "router"]


def test_a_script_is_followed_and_then_the_usual_answer() -> None:
    with FakeProvider(script=[status(503, {"error": "busy"}), shuffled]) as fake:
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(fake.base_url, ["a"])
        assert caught.value.code == 503
        caught.value.close()
        assert [d["index"] for d in post(fake.base_url, ["a", "b"])["data"]] == [1, 0]
        assert [d["index"] for d in post(fake.base_url, ["a", "b"])["data"]] == [0, 1]


def test_a_held_answer_is_released_by_its_event_and_by_leaving() -> None:
    event = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        with FakeProvider(script=[slow(event), slow(threading.Event())]) as fake:
            first = pool.submit(post, fake.base_url, ["a"])
            fake.wait_for_requests(1)
            assert not first.done()
            event.set()
            assert first.result(30)["data"]
            second = pool.submit(post, fake.base_url, ["b"])
            fake.wait_for_requests(2)
            assert fake.most_parallel == 1
        assert second.result(30)["data"]


def test_a_limit_answers_with_the_error_of_the_case() -> None:
    case = {"max_inputs": 1, "error": {"status": 413, "body": "Payload Too Large"}}
    with FakeProvider(limits=Limits.from_case(case)) as fake:
        assert post(fake.base_url, ["a"])["data"]
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(fake.base_url, ["a", "b"])
        assert (caught.value.code, caught.value.read()) == (413, b"Payload Too Large")


def test_case_scripts_count_calls_from_one() -> None:
    steps = [{"calls": "1-2", "status": 429}, {"calls": "4-", "status": 500}]
    with FakeProvider(script=case_script(steps, calls=5)) as fake:
        seen = []
        for _ in range(6):
            try:
                post(fake.base_url, ["a"])
                seen.append(200)
            except urllib.error.HTTPError as error:
                seen.append(error.code)
                error.close()
        assert seen == [429, 429, 200, 500, 500, 200]
