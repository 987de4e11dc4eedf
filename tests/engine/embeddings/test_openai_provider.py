"""The OpenAI shape over real sockets: what is sent, and what every kind of answer becomes."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from engine.embeddings.contract import EmbeddedBatch
from engine.errors import CancelledError, ProviderError
from engine.net.messages import TransportError, never
from engine.net.secret import Secret
from tests.engine.embeddings.bench import KEY, provider_on
from tests.fakes.answers import (
    Responder,
    as_json,
    doubled,
    envelope,
    hang_up,
    html,
    packed,
    redirect,
    resized,
    short,
    shuffled,
    status,
    truncated,
    with_vector,
)
from tests.fakes.bow192 import bow_192
from tests.fakes.provider_server import FakeProvider
from tests.shared import shared

TEXTS = ["kestrel gateway", "router VLAN 30", "路由器"]


def embed(fake: FakeProvider, *texts: str) -> EmbeddedBatch:
    with provider_on(fake) as provider:
        return provider.embed_documents(texts or TEXTS, never)


def failure(fake: FakeProvider, *texts: str) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        embed(fake, *texts)
    return caught.value


def assert_right(batch: EmbeddedBatch, texts: list[str]) -> None:
    assert batch.refusals == ()
    for text, vector in zip(texts, batch.vectors, strict=True):
        assert vector is not None
        expected = np.array(bow_192(text))
        assert np.allclose(vector, expected / np.linalg.norm(expected), atol=1e-6)
        assert math.isclose(float(np.linalg.norm(vector)), 1.0, rel_tol=1e-6)


def test_one_request_holds_model_texts_and_key_and_nothing_else() -> None:
    with FakeProvider(key=KEY) as fake:
        batch = embed(fake)
        assert_right(batch, TEXTS)
        assert (batch.requests, batch.tokens) == (1, 6)
        received = fake.requests[0]
        assert received.path == "/v1/embeddings"
        assert received.json == {"model": "bow-192", "input": TEXTS}
        assert received.headers["authorization"] == f"Bearer {KEY}"


def test_dimensions_input_types_and_extra_headers_are_sent_where_configured() -> None:
    with FakeProvider(otherwise=resized(64)) as fake:
        changes: dict[str, Any] = {
            "document_input_type": "passage",
            "query_input_type": "query",
            "headers": {"X-Team": "memory", "AUTHORIZATION": "Token other"},
        }
        with provider_on(fake, dimensions=64, **changes) as provider:
            provider.embed_documents(["kestrel"], never)
            provider.embed_query("router")
        first, second = fake.requests
        assert first.json["dimensions"] == 64
        assert (first.json["input_type"], second.json["input_type"]) == ("passage", "query")
        assert first.headers["x-team"] == "memory"
        assert first.headers["authorization"] == "Token other"


def test_without_a_key_no_authorization_is_sent() -> None:
    with FakeProvider() as fake, provider_on(fake, key=None) as provider:
        provider.embed_documents(["kestrel"], never)
        assert "authorization" not in fake.requests[0].headers


def test_base64_is_asked_for_and_read() -> None:
    with FakeProvider() as fake, provider_on(fake, base64=True) as provider:
        assert_right(provider.embed_documents(TEXTS, never), TEXTS)
        assert fake.requests[0].json["encoding_format"] == "base64"


def test_base64_is_read_even_when_it_was_not_asked_for() -> None:
    with FakeProvider(otherwise=with_vector(packed([3.0, 4.0]))) as fake:
        vector = embed(fake, "a").vectors[0]
        assert vector is not None
        assert vector.tolist() == pytest.approx([0.6, 0.8])


def test_vectors_go_to_their_texts_whatever_their_order() -> None:
    with FakeProvider(otherwise=shuffled) as fake:
        assert_right(embed(fake), TEXTS)


@pytest.mark.parametrize(
    ("answer", "refused", "words"),
    [
        (short, [2], "no vector"),
        (doubled, [0, 2], "vector"),
        (with_vector([]), [0, 1, 2], "empty"),
        (with_vector(["poison"]), [0, 1, 2], "no vector"),
        (with_vector([1, None, 0]), [0, 1, 2], "gaps"),
        (with_vector([1.0, math.nan]), [0, 1, 2], "gaps"),
        (with_vector([math.inf, 1.0]), [0, 1, 2], "gaps"),
        (with_vector([0, 0, 0]), [0, 1, 2], "zeros"),
        (with_vector([[1.0], [2.0]]), [0, 1, 2], "empty"),
        (with_vector("no base64!"), [0, 1, 2], "no vector"),
        (with_vector("AAA="), [0, 1, 2], "no vector"),
        (with_vector(None), [0, 1, 2], "empty"),
        (with_vector({"a": 1}), [0, 1, 2], "no vector"),
        (with_vector([10**400]), [0, 1, 2], "no vector"),
    ],
)
def test_unusable_vectors_are_refused_text_by_text(
    answer: Responder, refused: list[int], words: str
) -> None:
    with FakeProvider(otherwise=answer) as fake:
        batch = embed(fake)
        assert [refusal.index for refusal in batch.refusals] == refused
        assert all(words in refusal.reason for refusal in batch.refusals)
        assert [v is None for v in batch.vectors] == [i in refused for i in range(3)]


def test_the_bodies_of_the_case_bad_vectors() -> None:
    for body in json.loads(shared("cases", "bad-vectors", "bodies.json").read_text("utf-8")):
        texts = TEXTS[: body.get("inputs", 1)]
        whole = body["body"]
        answer = html if isinstance(whole, str) else (lambda received, w=whole: as_json(w))
        with FakeProvider(otherwise=answer) as fake:
            if body["name"] in ("not json", "too few"):
                assert "no list of embeddings" in failure(fake, *texts).message
            elif body["name"] == "swapped":
                first, second = embed(fake, *texts).vectors
                assert first is not None
                assert second is not None
                assert (first.tolist(), second.tolist()) == ([1, 0, 0], [0, 1, 0])
            else:
                assert [r.index for r in embed(fake, *texts).refusals] == [0]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (html, "not JSON"),
        (lambda r: as_json([1, 2]), "no JSON object"),
        (lambda r: as_json({"ok": True}), "no list of vectors"),
        (lambda r: as_json({"data": [{"embedding": [1.0]}]}), "1 vectors for 3 texts"),
        (lambda r: envelope(r, [{"index": 7, "embedding": [1.0]}]), "none of the 3 asked for"),
        (lambda r: envelope(r, [{"index": "0", "embedding": [1.0]}]), "none of the 3 asked for"),
        (lambda r: envelope(r, [{"index": True, "embedding": [1.0]}]), "none of the 3 asked for"),
    ],
)
def test_an_answer_of_another_shape_is_an_error(answer: Responder, words: str) -> None:
    with FakeProvider(otherwise=answer) as fake:
        error = failure(fake)
        assert words in error.message
        assert "remote.baseUrl" in error.hint
        assert len(fake.requests) == 1


def test_numbers_without_index_are_taken_in_order() -> None:
    data = [{"embedding": [1.0, 0.0]}, {"embedding": [0.0, 2.0]}]
    with FakeProvider(otherwise=lambda r: as_json({"data": data})) as fake:
        vectors = embed(fake, "a", "b").vectors
        assert [v.tolist() for v in vectors if v is not None] == [[1.0, 0.0], [0.0, 1.0]]


def test_another_size_than_asked_for_stops_before_anything_is_kept() -> None:
    with (
        FakeProvider(otherwise=with_vector([1.0] * 5)) as fake,
        provider_on(fake, dimensions=3) as provider,
        pytest.raises(ProviderError, match="5 numbers where 3 were asked for"),
    ):
        provider.embed_documents(["kestrel"], never)


def test_another_size_than_before_stops() -> None:
    with FakeProvider() as fake, provider_on(fake) as provider:
        provider.embed_documents(["kestrel"], never)
        fake.otherwise = with_vector([1.0] * 64)
        with pytest.raises(ProviderError, match="64 numbers where 192 came before"):
            provider.embed_query("router")


@pytest.mark.parametrize(
    ("code", "body", "title", "hint"),
    [
        (401, {"error": {"message": f"Incorrect API key {KEY}"}}, "Key not accepted", "key"),
        (403, {"error": "forbidden"}, "Key not accepted", "key"),
        (404, {"error": {"code": "model_not_found"}}, "Model or address not found", "/v1"),
        (301, "", "Redirected elsewhere", "baseUrl"),
        (409, "x", "Request refused", "model"),
        (429, {"error": {"type": "insufficient_quota"}}, "Quota used up", "credit"),
        (429, {"error": {"type": "tokens"}}, "Too many requests", "again"),
        (500, "<html>oops</html>", "Provider failed", "later"),
        (400, {"error": {"param": "dimensions", "message": "no"}}, "Request refused", "output"),
    ],
)
def test_each_status_has_its_own_words_and_remedy(
    code: int, body: object, title: str, hint: str
) -> None:
    with FakeProvider(otherwise=status(code, body)) as fake:
        error = failure(fake)
        assert (error.title, error.status) == (title, code)
        assert hint in error.hint
        assert fake.origin in error.message
        assert KEY not in f"{error} {error.hint}"


def test_a_key_problem_names_the_source_and_is_asked_once() -> None:
    with FakeProvider(key="another") as fake:
        assert "the key from remote.apiKey" in failure(fake).message
        assert len(fake.requests) == 1


def test_a_day_of_waiting_is_named_and_not_waited_for() -> None:
    with FakeProvider(otherwise=status(429, {}, {"Retry-After": "86400"})) as fake:
        assert "come back in 24 hours" in failure(fake).message
        assert len(fake.requests) == 1


@pytest.mark.parametrize("answer", [hang_up, truncated])
def test_a_connection_that_is_always_lost_ends_after_few_requests(answer: Responder) -> None:
    with FakeProvider(otherwise=answer) as fake:
        assert isinstance(failure(fake, "a", "b"), TransportError)
        assert len(fake.requests) == 6


def test_a_key_does_not_follow_a_redirect() -> None:
    with FakeProvider() as elsewhere, FakeProvider() as fake:
        fake.otherwise = redirect(f"{elsewhere.base_url}/embeddings")
        assert "another host" in failure(fake).message
        assert elsewhere.requests == []


def test_a_query_is_one_text_and_an_empty_one_sends_nothing() -> None:
    with FakeProvider() as fake, provider_on(fake) as provider:
        vector = provider.embed_query("router VLAN 30")
        assert vector is not None
        assert provider.embed_query(" \n") is None
        assert fake.texts == ["router VLAN 30"]


def test_half_characters_are_mended_on_the_way() -> None:
    with FakeProvider() as fake:
        batch = embed(fake, "half \ud83d face", "whole \U0001f600 face")
        assert batch.refusals == ()
        assert fake.texts == ["half \ufffd face", "whole \U0001f600 face"]


def test_cancelling_sends_nothing_more() -> None:
    with FakeProvider() as fake, provider_on(fake) as provider:
        with pytest.raises(CancelledError):
            provider.embed_documents(TEXTS, lambda: True)
        assert fake.requests == []


def test_the_space_depends_on_address_model_size_and_document_type_but_on_no_secret() -> None:
    with FakeProvider() as fake:
        with provider_on(fake) as provider:
            plain = provider.identity
        assert KEY not in repr(plain)

        def key_of(**changes: Any) -> str:
            with provider_on(fake, **changes) as other:
                return other.identity.key()

        same: list[dict[str, Any]] = [
            {"key": Secret("another")},
            {"headers": {"X-Api-Key": "s"}},
            {"base_url": f"{fake.base_url}?api_key=s"},
            {"query_input_type": "query"},
        ]
        different: list[dict[str, Any]] = [
            {"dimensions": 64},
            {"document_input_type": "passage"},
            {"base_url": f"{fake.origin}/v2"},
            {"headers": {"X-Deployment": "blue"}},
            {"provider": "openai-compatible"},
        ]
        assert {key_of(**changes) for changes in same} == {plain.key()}
        assert len({plain.key(), *(key_of(**c) for c in different)}) == 1 + len(different)
