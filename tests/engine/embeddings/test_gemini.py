"""Gemini over a real socket: routes, tasks, prefixes, sizes, keys and Google's refusals."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.selection.spellings import gemini_address
from engine.errors import ProviderError
from engine.net.messages import never
from tests.engine.embeddings.vendors import assert_same, choice_of, vendor
from tests.fakes.answers import as_json
from tests.fakes.asymmetric import as_document, as_query
from tests.fakes.bow192 import bow_192
from tests.fakes.gemini_host import KEY, GeminiHost

TEXTS = ["kestrel gateway", "router VLAN 30", "路由器"]


def failure(fake: GeminiHost, key: str = KEY, **keys: Any) -> ProviderError:
    with (
        vendor("gemini", fake.base_url, key, **keys) as provider,
        pytest.raises(ProviderError) as caught,
    ):
        provider.embed_documents(TEXTS, never)
    return caught.value


def test_documents_go_in_one_batch_and_a_query_alone() -> None:
    with GeminiHost() as fake, vendor("gemini", fake.base_url, KEY) as provider:
        batch = provider.embed_documents(TEXTS, never)
        for text, vector in zip(TEXTS, batch.vectors, strict=True):
            assert_same(vector, as_document(bow_192(text), 3072))
        assert_same(provider.embed_query("router"), as_query(bow_192("router"), 3072))
        documents, query = fake.requests
    route = "/v1beta/models/gemini-embedding-001"
    assert (documents.path, query.path) == (f"{route}:batchEmbedContents", f"{route}:embedContent")
    assert documents.json["requests"][0] == {
        "model": "models/gemini-embedding-001",
        "content": {"parts": [{"text": "kestrel gateway"}]},
        "taskType": "RETRIEVAL_DOCUMENT",
    }
    assert query.json["taskType"] == "RETRIEVAL_QUERY"
    assert (documents.headers["x-goog-api-key"], "authorization" in documents.headers) == (
        KEY,
        False,
    )
    assert (batch.requests, batch.tokens) == (1, None)


@pytest.mark.parametrize("model", ["gemini-embedding-2", "models/gemini-embedding-2"])
def test_embedding_2_is_told_in_words(model: str) -> None:
    with GeminiHost() as fake, vendor("gemini", fake.base_url, KEY, model=model) as provider:
        vector = provider.embed_documents(["kestrel"], never).vectors[0]
        assert_same(vector, as_document(bow_192("kestrel"), 3072))
        assert_same(provider.embed_query("router"), as_query(bow_192("router"), 3072))
        documents, query = fake.requests
        space = provider.identity
    (sent,) = documents.json["requests"]
    assert sent["content"] == {"parts": [{"text": "title: none | text: kestrel"}]}
    assert query.json["content"]["parts"][0]["text"] == "task: search result | query: router"
    assert "taskType" not in sent
    assert "task-prefix" in space.endpoint


def test_the_preview_still_takes_a_field_and_fills_another_space() -> None:
    model = "gemini-embedding-2-preview"
    with GeminiHost() as fake:
        with vendor("gemini", fake.base_url, KEY, model=model) as preview:
            assert_same(preview.embed_query("router"), as_query(bow_192("router"), 3072))
            first = preview.identity.key()
        assert fake.requests[0].json["taskType"] == "RETRIEVAL_QUERY"
        with vendor("gemini", fake.base_url, KEY, model="gemini-embedding-2") as stable:
            assert stable.identity.key() != first


@pytest.mark.parametrize(
    ("task", "query", "document"),
    [
        ("QUESTION_ANSWERING", "task: question answering | query: ", "title: none | text: "),
        ("fact_verification", "task: fact checking | query: ", "title: none | text: "),
        ("CODE_RETRIEVAL_QUERY", "task: code retrieval | query: ", "title: none | text: "),
        ("SEMANTIC_SIMILARITY", *["task: sentence similarity | query: "] * 2),
        ("CLUSTERING", *["task: clustering | query: "] * 2),
        ("CLASSIFICATION", *["task: classification | query: "] * 2),
    ],
)
def test_a_configured_task(task: str, query: str, document: str) -> None:
    types: dict[str, Any] = {"query_input_type": task, "document_input_type": task}
    with GeminiHost() as fake:
        model = "gemini-embedding-2"
        with vendor("gemini", fake.base_url, KEY, model=model, **types) as provider:
            provider.embed_documents(["kestrel"], never)
            provider.embed_query("router")
        first, second = fake.requests
        with vendor("gemini", fake.base_url, KEY, **types) as provider:
            provider.embed_query("router")
        assert fake.requests[-1].json["taskType"] == task.upper()
    assert first.json["requests"][0]["content"]["parts"][0]["text"] == f"{document}kestrel"
    assert second.json["content"]["parts"][0]["text"] == f"{query}router"


def test_a_smaller_size_is_asked_for_and_made_unit_length() -> None:
    with GeminiHost() as fake:
        with vendor("gemini", fake.base_url, KEY, dimensions=768) as provider:
            batch = provider.embed_documents(TEXTS, never)
        for text, vector in zip(TEXTS, batch.vectors, strict=True):
            assert_same(vector, as_document(bow_192(text), 768))
        assert fake.requests[0].json["requests"][0]["outputDimensionality"] == 768


def test_half_characters_are_mended_on_the_way() -> None:
    with GeminiHost() as fake, vendor("gemini", fake.base_url, KEY) as provider:
        assert provider.embed_query("half \ud83d face") is not None
        assert fake.requests[0].json["content"]["parts"] == [{"text": "half \ufffd face"}]


def test_more_texts_than_a_batch_holds() -> None:
    texts = [f"note {i}" for i in range(250)]
    with GeminiHost() as fake, vendor("gemini", fake.base_url, KEY) as provider:
        batch = provider.embed_documents(texts, never)
        assert fake.texts == texts
        assert (batch.requests, batch.refusals) == (3, ())


def test_a_token_in_json_travels_as_a_bearer() -> None:
    blob = json.dumps({"token": "ya29.token-123", "projectId": "p 1"})
    with GeminiHost(token="ya29.token-123") as fake:
        with vendor("gemini", fake.base_url, blob) as provider:
            assert provider.embed_query("router") is not None
        assert fake.requests[0].headers["authorization"] == "Bearer ya29.token-123"
    refused = choice_of("gemini", "", json.dumps({"projectId": "p"}), {})
    assert "no JSON object with a token" in (refused.error or "")


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_bad_key_is_a_key_error_though_it_comes_as_400(wrapped: bool) -> None:
    with GeminiHost(wrapped=wrapped) as fake:
        error = failure(fake, "AIza-another-key-1")
        assert len(fake.requests) == 1
    assert error.title == "Key not accepted"
    assert "the key from remote.apiKey" in error.message
    assert "API key not valid" in error.message
    assert "another" not in repr(error)


@pytest.mark.parametrize(
    ("status", "name", "reason", "title"),
    [
        (403, "PERMISSION_DENIED", "SERVICE_DISABLED", "API switched off"),
        (400, "FAILED_PRECONDITION", "", "Not available for this account"),
        (404, "NOT_FOUND", "", "Model or address not found"),
    ],
)
def test_googles_refusals(status: int, name: str, reason: str, title: str) -> None:
    with GeminiHost() as fake:
        details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}]
        answer = fake.error(status, name, "No.", details if reason else ())
        fake.script(lambda received: answer)
        assert failure(fake).title == title
        assert len(fake.requests) == 1


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_daily_quota_is_not_waited_for_but_one_of_a_minute_is(wrapped: bool) -> None:
    daily = "EmbedContentRequestsPerDayPerProjectPerModel-FreeTier"
    with GeminiHost(wrapped=wrapped) as fake:
        fake.script(fake.exhausted(daily, "22s"))
        error = failure(fake)
        assert len(fake.requests) == 1
        assert error.status == 429
    with GeminiHost(wrapped=wrapped) as fake:
        minute = fake.exhausted("EmbedContentRequestsPerMinutePerProjectPerModel", "10.689924287s")
        fake.script(minute)
        with vendor("gemini", fake.base_url, KEY) as provider:
            assert provider.embed_documents(TEXTS, never).refusals == ()
        assert len(fake.requests) == 2


def test_a_short_answer_is_refused_as_a_whole() -> None:
    with GeminiHost() as fake:
        fake.script(*[lambda received: as_json({"embeddings": [{"values": [1.0, 2.0]}]})] * 9)
        assert "1 vectors for 3 texts" in failure(fake).message


@pytest.mark.parametrize("value", [None, [], "words", {"values": [0.0, 0.0]}, {"values": [None]}])
def test_an_entry_that_is_no_vector_costs_only_its_text(value: Any) -> None:
    with GeminiHost() as fake:
        found = [{"values": [3.0, 4.0]}, value, {"values": [4.0, 3.0]}]
        fake.script(lambda received: as_json({"embeddings": found}))
        with vendor("gemini", fake.base_url, KEY) as provider:
            batch = provider.embed_documents(TEXTS, never)
    assert [refusal.index for refusal in batch.refusals] == [1]
    assert_same(batch.vectors[2], [0.8, 0.6])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://h/v1beta/openai/", "https://h/v1beta"),
        ("https://h/v1beta/", "https://h/v1beta"),
        ("https://h/gemini?team=a", "https://h/gemini?team=a"),
        (
            "https://generativelanguage.googleapis.com",
            "https://generativelanguage.googleapis.com/v1beta",
        ),
        ("http://[broken", "http://[broken"),
    ],
)
def test_spellings_of_the_address(written: str, meant: str) -> None:
    assert gemini_address(written) == meant


def test_googles_entry_of_models_providers_feeds_gemini() -> None:
    from engine.embeddings.selection.provider_request import entries_of

    entries = entries_of(
        {
            "google": {"baseUrl": "https://proxy.example/v1beta/openai", "apiKey": "entry-key-1"},
            "gemini": {"apiKey": "never-key-1"},
        }
    )
    choice = choice_of("gemini", "", None, {"GEMINI_API_KEY": "env-key-123"}, entries=entries)
    assert isinstance(choice.settings, RemoteSettings)
    assert choice.settings.base_url == "https://proxy.example/v1beta"
    assert choice.key_source == "environment variable GEMINI_API_KEY"
    alone = choice_of("gemini", "", None, {}, entries=entries)
    assert alone.key_source == "models.providers.google.apiKey"
