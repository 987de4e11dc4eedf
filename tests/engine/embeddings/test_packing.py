"""Packing, halving, isolating, cutting: no text is lost because of its neighbours."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chunking.chunk import ChunkingRules
from engine.chunking.chunker import chunk_text
from engine.embeddings.contract import ProviderLimits
from engine.embeddings.remote.splitting import joined_vector, split_by_bytes, utf8_length
from engine.errors import CancelledError, ProviderError
from engine.net.messages import never
from tests.engine.embeddings.bench import ROOMY, provider_on
from tests.fakes.answers import Answer, Received, hang_up, slow, status, vectors
from tests.fakes.bow192 import bow_192
from tests.fakes.limits import Limits
from tests.fakes.provider_server import FakeProvider, case_script
from tests.fakes.still_time import StillTime
from tests.shared import shared

NOTES = [f"note {n} about kestrel and router {n}" for n in range(40)]


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(4, 60))
def test_parts_fit_and_lose_nothing(text: str, most: int) -> None:
    parts = split_by_bytes(text, most)
    assert "".join(parts) == text
    assert all(utf8_length(part) <= most for part in parts)
    if text:
        assert all(parts)


def test_parts_are_about_equal() -> None:
    sizes = [utf8_length(part) for part in split_by_bytes("x" * 8193, 8192)]
    assert max(sizes) - min(sizes) <= 4


def test_a_joined_vector_is_the_weighted_mean_of_unit_length() -> None:
    x, y = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
    joined = joined_vector([(x, 300), (y, 400)])
    assert joined is not None
    assert joined.tolist() == pytest.approx([0.6, 0.8])
    assert joined_vector([(x, 1), (-x, 1)]) is None


def test_requests_hold_no_more_than_the_limits() -> None:
    limits = ProviderLimits(inputs_per_request=7, bytes_per_request=200, bytes_per_input=100)
    with FakeProvider() as fake, provider_on(fake, limits=limits) as provider:
        batch = provider.embed_documents(NOTES, never)
        assert batch.refusals == ()
        assert fake.texts == NOTES
        for received in fake.requests:
            assert len(received.inputs) <= 7
            assert sum(map(utf8_length, received.inputs)) <= 200
        assert batch.requests == len(fake.requests)


def test_a_text_over_the_limit_is_sent_in_parts_and_gets_their_mean() -> None:
    limits = ProviderLimits(100, 10_000, 64)
    text = "kestrel gateway router " * 8
    with FakeProvider() as fake, provider_on(fake, limits=limits) as provider:
        batch = provider.embed_documents(["short", text], never)
        parts = fake.texts[1:]
        assert "".join(parts) == text
        assert len(parts) > 2
        weighted = np.zeros(192)
        for part in parts:
            vector = np.array(bow_192(part))
            weighted += vector / np.linalg.norm(vector) * utf8_length(part)
        found = batch.vectors[1]
        assert found is not None
        assert np.allclose(found, weighted / np.linalg.norm(weighted), atol=1e-5)


def test_empty_texts_are_refused_without_being_sent() -> None:
    with FakeProvider() as fake, provider_on(fake) as provider:
        batch = provider.embed_documents(["", " \n", "kestrel"], never)
        assert [r.index for r in batch.refusals] == [0, 1]
        assert fake.texts == ["kestrel"]


def refuse_poison(received: Received) -> Answer:
    if any("poison" in text for text in received.inputs):
        return status(400, {"error": {"message": "invalid input"}})(received)
    return vectors(received)


def test_one_bad_text_is_isolated_and_the_rest_is_kept() -> None:
    texts = [*NOTES[:20], "poison", *NOTES[20:]]
    with FakeProvider(otherwise=refuse_poison) as fake, provider_on(fake) as provider:
        batch = provider.embed_documents(texts, never)
        assert [(r.index, "invalid input" in r.reason) for r in batch.refusals] == [(20, True)]
        assert len(fake.requests) <= 14


def test_settings_that_no_text_can_pass_with_end_the_work_early() -> None:
    with FakeProvider(otherwise=status(400, {"error": "unsupported"})) as fake:
        with provider_on(fake) as provider, pytest.raises(ProviderError, match="unsupported"):
            provider.embed_documents(NOTES, never)
        assert len(fake.requests) <= 8


def test_a_single_text_that_nothing_ever_passed_before_is_an_error() -> None:
    with (
        FakeProvider(otherwise=status(400, {"error": "unsupported"})) as fake,
        provider_on(fake) as provider,
        pytest.raises(ProviderError, match="unsupported"),
    ):
        provider.embed_documents(["kestrel"], never)


def test_a_text_over_an_unknown_length_limit_is_cut_until_it_fits() -> None:
    error = {"error": {"message": "the input length exceeds the context length"}}
    limits = Limits(words_per_input=40, error_status=400, error_body=error)
    texts = [*NOTES, "kestrel gateway " * 150]
    with FakeProvider(limits=limits) as fake, provider_on(fake) as provider:
        batch = provider.embed_documents(texts, never)
        assert batch.refusals == ()
        assert len(fake.requests) <= 24
        assert provider.limits.bytes_per_input < 640
        before = len(fake.requests)
        provider.embed_documents(texts, never)
        assert len(fake.requests) - before == 1


@pytest.mark.parametrize("name", ["rows", "total", "413", "words"])
def test_the_limits_of_the_case_batch_limits(name: str) -> None:
    case = json.loads(shared("cases", "batch-limits", f"provider_{name}.json").read_text("utf-8"))
    folder = shared("cases", "batch-limits", "workspace", "memory")
    files = [path.read_text("utf-8") for path in sorted(folder.iterdir())]
    rules = ChunkingRules(tokens=40, overlap=0)
    texts = [chunk.text for text in files for chunk in chunk_text(text, rules)]
    with FakeProvider(limits=Limits.from_case(case)) as fake, provider_on(fake) as provider:
        batch = provider.embed_documents(texts, never)
        assert batch.refusals == ()
        assert len(fake.requests) <= 4 * best_possible(case, texts)
        before = len(fake.requests)
        provider.embed_documents(texts, never)
        assert len(fake.requests) - before <= 2 * best_possible(case, texts)


def best_possible(case: dict[str, int], texts: list[str]) -> int:
    """A lower bound for the number of requests that the endpoint would take."""
    words = sum(len(text.split()) for text in texts)
    size = sum(map(utf8_length, texts))
    return max(
        1,
        -(-len(texts) // case.get("max_inputs", len(texts))),
        -(-words // case.get("max_words_per_call", words)),
        -(-size // case.get("max_body_bytes", size)),
    )


def test_a_learned_limit_is_shown_and_used_by_the_next_call() -> None:
    error = {"error": {"message": "batch size is invalid, it should not be larger than 10"}}
    limits = Limits(inputs=10, error_status=400, error_body=error)
    with FakeProvider(limits=limits) as fake, provider_on(fake) as provider:
        assert provider.limits.inputs_per_request == ROOMY.inputs_per_request
        provider.embed_documents(NOTES, never)
        assert provider.limits.inputs_per_request == 10
        before = len(fake.requests)
        provider.embed_documents(NOTES, never)
        assert len(fake.requests) - before == 4


def test_a_failure_in_the_middle_keeps_what_was_paid_for() -> None:
    limits = ProviderLimits(10, 10_000, 1000)
    with (
        FakeProvider(script=[vectors, vectors], otherwise=status(503)) as fake,
        provider_on(fake, limits=limits) as provider,
    ):
        batch = provider.embed_documents(NOTES, never)
        assert [v is not None for v in batch.vectors] == [True] * 20 + [False] * 20
        assert batch.refusals == ()
        assert isinstance(batch.ended_by, ProviderError)
        assert "503" in batch.ended_by.message
        with pytest.raises(ProviderError):
            provider.embed_documents(NOTES[20:], never)


def test_a_text_of_which_a_part_failed_has_no_half_vector() -> None:
    limits = ProviderLimits(2, 10_000, 64)
    long = "kestrel gateway router " * 8
    with (
        FakeProvider(script=[vectors, vectors], otherwise=status(503)) as fake,
        provider_on(fake, limits=limits) as provider,
    ):
        batch = provider.embed_documents(["short", long], never)
        assert [v is not None for v in batch.vectors] == [True, False]
        assert batch.refusals == ()


def test_a_cancel_in_the_middle_keeps_what_was_paid_for() -> None:
    limits = ProviderLimits(10, 10_000, 1000)
    stop = threading.Event()

    def then_stop(received: Received) -> Answer:
        stop.set()
        return vectors(received)

    with FakeProvider(script=[then_stop]) as fake, provider_on(fake, limits=limits) as provider:
        # The first answer may still come or not: either way nothing is sent after it.
        try:
            batch = provider.embed_documents(NOTES, stop.is_set)
            assert sum(v is not None for v in batch.vectors) == 10
            assert batch.refusals == ()
            assert isinstance(batch.ended_by, CancelledError)
        except CancelledError:
            pass
        assert len(fake.requests) == 1


def test_a_dropped_pack_is_halved() -> None:
    def drop_large(received: Received) -> Answer:
        return hang_up(received) if len(received.inputs) > 10 else vectors(received)

    with FakeProvider(otherwise=drop_large) as fake, provider_on(fake) as provider:
        assert provider.embed_documents(NOTES, never).refusals == ()


def test_the_configured_time_limit_holds_for_each_request_and_is_met_twice_at_most() -> None:
    hold = threading.Event()
    with FakeProvider(otherwise=slow(hold)) as fake:
        with (
            provider_on(fake, index_seconds=0.3) as provider,
            pytest.raises(ProviderError, match=r"no complete answer within 0\.3 s"),
        ):
            provider.embed_documents(NOTES[:3], never)
        assert len(fake.requests) == 2
        hold.set()


def test_the_case_rate_limit_wait() -> None:
    case = json.loads(shared("cases", "rate-limit", "provider_wait.json").read_text("utf-8"))
    time = StillTime()
    with FakeProvider(script=case_script(case["script"])) as fake:
        with provider_on(fake, time=time) as provider:
            assert provider.embed_documents(NOTES[:12], never).refusals == ()
        assert len(fake.requests) == 3
        assert all(seconds >= 2.0 for seconds in time.slept)


@pytest.mark.parametrize(("name", "words"), [("quota", "Quota used up"), ("long", "24 hours")])
def test_the_cases_rate_limit_quota_and_long(name: str, words: str) -> None:
    case = json.loads(shared("cases", "rate-limit", f"provider_{name}.json").read_text("utf-8"))
    time = StillTime()
    with FakeProvider(script=case_script(case["script"])) as fake:
        with provider_on(fake, time=time) as provider, pytest.raises(ProviderError) as caught:
            provider.embed_documents(NOTES[:12], never)
        assert words in f"{caught.value.title} {caught.value.message}"
        assert len(fake.requests) == 1
        assert time.slept == []
