"""Ollama over real sockets: what is sent, both routes, its own refusals, where texts go."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.selection.provider_request import RemoteRequest
from engine.errors import ProviderError
from engine.net.messages import never
from tests.engine.embeddings.selected import Asked, assert_right
from tests.fakes.answers import Answer, Responder, as_json, status
from tests.fakes.ollama import FakeOllama, enveloped, inputs

TEXTS = ("kestrel gateway", "router VLAN 30", "路由器")
NAN = status(500, {"error": "failed to encode response: json: unsupported value: NaN"})


def asked(fake: FakeOllama) -> Asked:
    return Asked("ollama", fake.origin)


def test_all_texts_in_one_request_without_a_key() -> None:
    with FakeOllama() as fake, asked(fake).open() as it:
        batch = it.embed(*TEXTS)
        assert_right(batch, *TEXTS)
        assert (batch.requests, batch.tokens) == (1, 6)
        (received,) = fake.requests
        assert received.path == "/api/embed"
        model = {"model": "nomic-embed-text", "truncate": False}
        assert received.json == {**model, "input": list(TEXTS)}
        assert "authorization" not in received.headers
        assert isinstance(it.choice.settings, RemoteSettings)
        assert (it.choice.settings.concurrency, it.provider.remote) == (1, False)


@pytest.mark.parametrize("spelling", ["", "/", "/v1", "/v1/", "/api"])
def test_addresses_for_other_programs_are_understood(spelling: str) -> None:
    with FakeOllama() as fake, Asked("ollama", fake.origin + spelling).open() as it:
        assert_right(it.embed("kestrel"), "kestrel")


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        ("nomic-embed-text:v1.5", "search_query: router"),
        ("mxbai-embed-large", "Represent this sentence for searching relevant passages: router"),
        ("someone/all-minilm", "router"),
    ],
)
def test_queries_begin_with_what_their_model_wants_and_documents_stay_bare(
    model: str, sent: str
) -> None:
    with FakeOllama(models=[model]) as fake, asked(fake).open(model=model) as it:
        it.provider.embed_query("router")
        it.embed("router")
        assert fake.texts == [sent, "router"]
        assert ("Queries begin with" in it.choice.reason) == (sent != "router")


def test_qwen_queries_carry_an_instruction() -> None:
    model = "qwen3-embedding:0.6b"
    with FakeOllama(models=[model]) as fake, asked(fake).open(model=model) as it:
        it.provider.embed_query("router")
        assert fake.texts[0].startswith("Instruct: ")
        assert fake.texts[0].endswith("\nQuery:router")


def test_dimensions_are_asked_for() -> None:
    with FakeOllama() as fake, asked(fake).open(dimensions=64) as it:
        (vector,) = it.embed("kestrel").vectors
        assert vector is not None
        assert vector.shape == (64,)
        assert fake.requests[0].json["dimensions"] == 64


def test_a_server_that_ignores_dimensions_has_its_vectors_cut() -> None:
    def whole(received: Any) -> Answer:
        return enveloped(received, [received.embed(text) for text in inputs(received)])

    with FakeOllama() as fake, asked(fake).open(dimensions=64) as it:
        fake.otherwise = whole
        (vector,) = it.embed("kestrel gateway of the router").vectors
        assert vector is not None
        assert vector.shape == (64,)
        assert math.isclose(float(np.linalg.norm(vector)), 1.0, rel_tol=1e-5)


def test_an_older_server_is_asked_text_by_text() -> None:
    with FakeOllama(older=True) as fake, asked(fake).open() as it:
        batch = it.embed(*TEXTS)
        assert_right(batch, *TEXTS)
        it.embed("one more")
        paths = [received.path for received in fake.requests]
        assert paths == ["/api/embed", *["/api/embeddings"] * 4]
        assert fake.requests[1].json == {"model": "nomic-embed-text", "prompt": TEXTS[0]}
        assert it.provider.limits.inputs_per_request == 1
        (told,) = it.told
        assert "as an older Ollama" in told


def test_an_older_server_answers_a_query_too() -> None:
    with FakeOllama(older=True) as fake, asked(fake).open() as it:
        assert it.provider.embed_query("router") is not None
        assert [r.path for r in fake.requests] == ["/api/embed", "/api/embeddings"]


def test_a_text_beyond_the_context_is_embedded_in_parts() -> None:
    long = " ".join(f"word{i}" for i in range(1500))
    with FakeOllama(context=512) as fake, asked(fake).open() as it:
        batch = it.embed("kestrel", long)
        assert batch.refusals == ()
        assert all(vector is not None for vector in batch.vectors)
        assert it.provider.limits.bytes_per_input < 8192
        assert all(received.json["truncate"] is False for received in fake.requests)


@pytest.mark.parametrize("older", [False, True])
def test_a_model_that_is_not_there_can_be_fetched(older: bool) -> None:
    with (
        FakeOllama(models=[], older=older) as fake,
        asked(fake).open(model="bge-m3") as it,
        pytest.raises(ProviderError) as caught,
    ):
        it.embed("kestrel")
    assert caught.value.title == "Model not there"
    assert "ollama pull bge-m3" in caught.value.hint


def test_another_server_at_that_address_is_told_apart() -> None:
    with FakeOllama() as fake, Asked("ollama", f"{fake.origin}/else").open() as it:
        with pytest.raises(ProviderError) as caught:
            it.embed("kestrel")
        assert caught.value.title == "No Ollama there"
        assert "11434" in caught.value.hint


def test_a_full_queue_is_waited_for() -> None:
    busy = status(503, {"error": "server busy, please try again.  maximum pending requests"})
    with FakeOllama(script=[busy]) as fake, asked(fake).open() as it:
        assert_right(it.embed("kestrel"), "kestrel")
        assert len(fake.requests) == 2


def test_a_text_whose_vector_is_no_number_is_isolated() -> None:
    def poisoned(received: Any) -> Answer:
        bad = any("poison" in text for text in inputs(received))
        vectors = [received.embed(text) for text in inputs(received)]
        return NAN(received) if bad else enveloped(received, vectors)

    with FakeOllama() as fake, asked(fake).open() as it:
        fake.otherwise = poisoned
        batch = it.embed("kestrel", "poison", "router")
        assert [refusal.index for refusal in batch.refusals] == [1]
        assert "finite numbers" in batch.refusals[0].reason
        assert batch.vectors[0] is not None
        assert batch.vectors[2] is not None


def test_a_null_in_a_vector_is_refused() -> None:
    with FakeOllama() as fake, asked(fake).open() as it:
        fake.otherwise = lambda received: enveloped(received, [[1.0, None]])
        assert "gaps" in it.embed("kestrel").refusals[0].reason


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        (
            status(400, {"error": "this model does not support embeddings"}),
            "Not an embedding model",
        ),
        (status(401, {"error": "unauthorized"}), "Key not accepted"),
        (lambda r: as_json({"embeddings": [[1.0], [2.0]]}), "Answer not understood"),
        (lambda r: as_json({"ok": True}), "Answer not understood"),
    ],
)
def test_other_refusals_have_their_own_words(answer: Responder, title: str) -> None:
    with FakeOllama() as fake, asked(fake).open() as it:
        fake.otherwise = answer
        with pytest.raises(ProviderError) as caught:
            it.embed("kestrel")
        assert caught.value.title == title


def test_a_key_goes_to_its_own_host_only() -> None:
    environ = {"OLLAMA_API_KEY": "ollama-key-8Kd3"}
    with FakeOllama(key="ollama-key-8Kd3") as fake:
        with Asked("ollama", fake.origin, environ).open() as it:
            assert_right(it.embed("kestrel"), "kestrel")
            assert it.choice.key_source == "environment variable OLLAMA_API_KEY"
            assert it.provider.remote
        elsewhere = Asked("ollama", environ=environ)
        with elsewhere.open(remote=RemoteRequest(base_url=fake.origin)) as it:
            with pytest.raises(ProviderError):
                it.provider.embed_documents(["kestrel"], never)
            assert "authorization" not in fake.requests[-1].headers


@pytest.mark.parametrize(
    ("model", "leaves"),
    [
        ("nomic-embed-text", False),
        ("nomic-embed-text:latest", False),
        ("embedder:cloud", True),
        ("embedder:8b-cloud", True),
        ("cloudy:latest", False),
    ],
)
def test_a_model_in_the_cloud_leaves_the_machine(model: str, leaves: bool) -> None:
    choice = Asked("ollama").choose(model=model)
    assert choice.remote is leaves
    assert ("texts leave this one" in choice.reason) is leaves


def test_a_server_elsewhere_leaves_the_machine() -> None:
    elsewhere = RemoteRequest(base_url="http://ollama.example:11434")
    assert Asked("ollama").choose(remote=elsewhere).remote
