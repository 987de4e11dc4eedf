"""LM Studio over real sockets: finding, loading and losing a model, and its own error strings."""

from __future__ import annotations

from typing import Any

import pytest

from engine.embeddings.selection.provider_request import RemoteRequest
from engine.embeddings.ways_in.lmstudio_models import listed_models, named
from engine.errors import ProviderError
from engine.net.messages import TransportError
from tests.engine.embeddings.selected import Asked, assert_right
from tests.fakes.answers import Answer, Responder, as_json, status
from tests.fakes.lmstudio import MODEL, FakeLMStudio

LIST, LOAD, EMBED = "GET /api/v1/models", "POST /api/v1/models/load", "POST /v1/embeddings"


def asked(fake: FakeLMStudio, path: str = "/v1", **environ: str) -> Asked:
    return Asked("lmstudio", fake.origin + path, environ)


def failure(fake: FakeLMStudio, **request: Any) -> ProviderError:
    with asked(fake).open(**request) as it, pytest.raises(ProviderError) as caught:
        it.embed("kestrel")
    return caught.value


def test_a_model_is_loaded_once_and_called_by_its_instance() -> None:
    with FakeLMStudio() as fake, asked(fake).open() as it:
        assert_right(it.embed("kestrel", "router"), "kestrel", "router")
        it.provider.embed_query("gateway")
        assert fake.calls == [LIST, LOAD, EMBED, EMBED]
        assert fake.requests[1].json == {"model": MODEL}
        assert fake.requests[2].json == {"model": f"{MODEL}:1", "input": ["kestrel", "router"]}
        assert fake.requests[3].json["input"] == ["gateway"]
        assert it.told == []
        assert it.embed("kestrel").tokens is None
        assert not it.provider.remote


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/api/v1"])
def test_every_spelling_of_its_address_is_understood(path: str) -> None:
    with FakeLMStudio(loaded=["mine"]) as fake, asked(fake, path).open() as it:
        assert_right(it.embed("kestrel"), "kestrel")
        assert fake.calls == [LIST, EMBED]
        assert fake.requests[1].json["model"] == "mine"


def test_a_model_is_found_without_its_publisher_too() -> None:
    with FakeLMStudio() as fake, asked(fake).open(model=f"lmstudio/nomic-ai/{MODEL}") as it:
        it.embed("kestrel")
        assert fake.requests[1].json == {"model": MODEL}


def test_the_index_does_not_depend_on_the_instance() -> None:
    with FakeLMStudio() as fake, asked(fake).open() as it:
        before = it.provider.identity
        it.embed("kestrel")
        assert it.provider.identity == before
        assert before.model == MODEL


def test_a_model_that_was_unloaded_meanwhile_is_loaded_again() -> None:
    with FakeLMStudio() as fake, asked(fake).open() as it:
        it.embed("kestrel")
        fake.loaded.clear()
        assert_right(it.embed("router"), "router")
        assert fake.calls == [LIST, LOAD, EMBED, EMBED, LIST, LOAD, EMBED]


def test_a_server_from_before_the_list_loads_on_demand() -> None:
    with FakeLMStudio(lists=False) as fake, asked(fake).open() as it:
        assert_right(it.embed("kestrel"), "kestrel")
        assert fake.calls == [LIST, EMBED]
        assert fake.requests[1].json["model"] == MODEL
        assert it.told == []


def test_a_failing_load_is_a_warning_and_the_refusal_an_error() -> None:
    with FakeLMStudio(loads=False) as fake, asked(fake).open() as it:
        with pytest.raises(ProviderError) as caught:
            it.embed("kestrel")
        assert caught.value.title == "Model not loaded"
        assert "No models loaded" in caught.value.message
        assert f"lms load {MODEL}" in caught.value.hint
        assert "not enough memory" in it.told[0]
        assert "all the same" in it.told[0]


@pytest.mark.parametrize(
    "listing",
    [status(500, {"error": "oops"}), lambda r: as_json([1]), lambda r: Answer(b"<p>")],
)
def test_a_list_that_fails_is_a_warning(listing: Responder) -> None:
    with FakeLMStudio(loaded=[MODEL], listing=listing) as fake, asked(fake).open() as it:
        assert_right(it.embed("kestrel"), "kestrel")
        assert "It is asked for" in it.told[0]


def test_a_model_of_another_kind_is_asked_for_with_a_warning() -> None:
    with FakeLMStudio(kind="llm") as fake, asked(fake).open() as it:
        assert_right(it.embed("kestrel"), "kestrel")
        assert "'llm', not as embedding model" in it.told[0]


def test_a_model_that_is_not_listed_is_told() -> None:
    with FakeLMStudio(loaded=["mine"]) as fake, asked(fake).open(model="bge-m3") as it:
        with pytest.raises(ProviderError) as caught:
            it.embed("kestrel")
        assert "lms load bge-m3" in caught.value.hint
        assert "lists no model 'bge-m3'" in it.told[0]


def test_a_server_that_is_off_is_told_apart_from_one_without_a_list() -> None:
    with Asked("lmstudio", "http://127.0.0.1:9/v1").open() as it:
        with pytest.raises(TransportError, match="cannot be reached"):
            it.embed("kestrel")
        assert it.told == []


def test_a_key_is_needed_only_where_one_is_set() -> None:
    with FakeLMStudio(key="lm-key-7Hq2", loaded=[MODEL]) as fake:
        assert failure(fake).title == "Key not accepted"
        remote = RemoteRequest(base_url=fake.base_url, api_key="lm-key-7Hq2")
        with asked(fake).open(remote=remote) as it:
            assert_right(it.embed("kestrel"), "kestrel")
            assert it.choice.key_source == "remote.apiKey"
            assert it.provider.remote


def test_names_of_models() -> None:
    body = b"""{"models": [{"key": "a/x", "type": "embedding", "loaded_instances": [{"id": "i"}]},
        {"key": "b/x", "loaded_instances": [7, {"id": 1}]}, 5, {"key": "c/y"}]}"""
    models = listed_models(body)
    assert [model.key for model in models] == ["a/x", "b/x", "c/y"]
    found = [named(models, name) for name in ("a/x", "i", "x", "y", "z")]
    assert [model and model.key for model in found] == ["a/x", "a/x", None, "c/y", None]
    for other in (b"[]", b"{}", b"no", b'{"models": 1}', b"[" * 100_000):
        with pytest.raises(ValueError):
            listed_models(other)
