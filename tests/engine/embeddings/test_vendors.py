"""OpenAI, Voyage, Mistral and DeepInfra against hosts that refuse what their contract does not."""

from __future__ import annotations

from typing import Any

import pytest

from engine.embeddings.remote.limits import mistral_limits, openai_limits, voyage_limits
from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.selection.provider_request import entries_of
from engine.errors import ProviderError
from engine.net.messages import never
from tests.engine.embeddings.vendors import assert_same, choice_of, vendor
from tests.fakes.asymmetric import as_document, as_query
from tests.fakes.bow192 import bow_192
from tests.fakes.mistral_host import MistralHost
from tests.fakes.openai_host import OpenAIHost
from tests.fakes.strict_host import KEY, StrictHost
from tests.fakes.voyage_host import VoyageHost

TEXTS = ["kestrel gateway", "router VLAN 30", "路由器"]
HOSTS: list[tuple[str, type[StrictHost], int]] = [
    ("openai", OpenAIHost, 192),
    ("voyage", VoyageHost, 1024),
    ("mistral", MistralHost, 1024),
    ("deepinfra", OpenAIHost, 192),
]


@pytest.mark.parametrize(("provider", "host", "size"), HOSTS)
def test_documents_and_queries(provider: str, host: type[StrictHost], size: int) -> None:
    with host() as fake, vendor(provider, fake.base_url, KEY) as made:
        batch = made.embed_documents(TEXTS, never)
        for text, vector in zip(TEXTS, batch.vectors, strict=True):
            assert_same(vector, as_document(bow_192(text), size))
        turned = as_query if host.asymmetric else as_document
        assert_same(made.embed_query("router"), turned(bow_192("router"), size))
        assert (batch.requests, batch.refusals) == (1, ())
        assert batch.tokens is not None


@pytest.mark.parametrize(
    ("provider", "host", "model", "field"),
    [
        ("openai", OpenAIHost, "", "dimensions"),
        ("voyage", VoyageHost, "", "output_dimension"),
        ("mistral", MistralHost, "codestral-embed", "output_dimension"),
    ],
)
def test_a_size_under_the_hosts_own_name(
    provider: str, host: type[StrictHost], model: str, field: str
) -> None:
    with host() as fake, vendor(provider, fake.base_url, KEY, model=model, dimensions=256) as made:
        assert_same(
            made.embed_documents(["kestrel"], never).vectors[0], bow_192("kestrel") + [0.0] * 64
        )
        assert fake.requests[0].json[field] == 256


@pytest.mark.parametrize(("provider", "host", "size"), HOSTS)
def test_a_wrong_key_is_named_by_its_place(
    provider: str, host: type[StrictHost], size: int
) -> None:
    with host() as fake, vendor(provider, fake.base_url, "wrong-key-123456") as made:
        with pytest.raises(ProviderError) as caught:
            made.embed_documents(TEXTS, never)
        assert len(fake.requests) == 1
    assert caught.value.title == "Key not accepted"
    assert "the key from remote.apiKey" in caught.value.message
    assert "wrong-key" not in repr(caught.value)


@pytest.mark.parametrize(("provider", "host", "size"), HOSTS)
def test_many_texts_never_meet_a_limit(provider: str, host: type[StrictHost], size: int) -> None:
    texts = [f"note {i} " + "word " * 300 for i in range(700)]
    with host() as fake, vendor(provider, fake.base_url, KEY) as made:
        batch = made.embed_documents(texts, never)
        assert batch.refusals == ()
        assert sorted(fake.texts) == sorted(texts)
        assert len(fake.requests) == batch.requests


def test_a_host_that_takes_less_than_it_is_known_for() -> None:
    """Voyage's own words for it lead to smaller requests, not to lost texts."""
    texts = [f"note {i} " + "word " * 200 for i in range(40)]
    with VoyageHost() as fake, vendor("voyage", fake.base_url, KEY) as made:
        refusal = fake.error(
            400,
            "Request to model 'voyage-4-large' failed. The max allowed tokens per submitted batch "
            "is 120000. Your batch has 121138 tokens after truncation.",
        )
        fake.script(lambda received: refusal)
        batch = made.embed_documents(texts, never)
        assert batch.refusals == ()
        assert len(fake.requests) == 4
        assert made.limits.bytes_per_request < voyage_limits("voyage-4-large").bytes_per_request


@pytest.mark.parametrize(
    ("provider", "model", "taken"),
    [
        ("voyage", "voyage/voyage-4", "voyage-4"),
        ("mistral", "mistral/mistral-embed", "mistral-embed"),
        ("deepinfra", "deepinfra/BAAI/bge-m3", "BAAI/bge-m3"),
        ("deepinfra", "", "BAAI/bge-m3"),
        ("gemini", "google/gemini-embedding-001", "gemini-embedding-001"),
    ],
)
def test_names_of_models(provider: str, model: str, taken: str) -> None:
    assert choice_of(provider, "", KEY, {}, model=model).model == taken


def test_own_hosts_are_asked_for_base64_and_others_are_not() -> None:
    def asked(provider: str, base_url: str = "") -> bool:
        settings = choice_of(provider, base_url, KEY, {}).settings
        assert isinstance(settings, RemoteSettings)
        return settings.wire.base64

    assert (asked("openai"), asked("voyage"), asked("mistral"), asked("deepinfra")) == (
        True,
        True,
        False,
        False,
    )
    assert not asked("voyage", "http://127.0.0.1:9/v1")


@pytest.mark.parametrize("provider", ["voyage", "mistral", "gemini", "openai"])
def test_an_input_type_that_the_provider_does_not_know_is_told(provider: str) -> None:
    choice = choice_of(provider, "", KEY, {}, document_input_type="passage")
    assert "'passage' is not sent to" in choice.reason
    assert isinstance(choice.settings, RemoteSettings)
    assert choice.settings.document_input_type != "passage"


def test_voyage_takes_the_types_that_it_knows() -> None:
    choice = choice_of("voyage", "", KEY, {}, query_input_type="Document")
    assert isinstance(choice.settings, RemoteSettings)
    assert choice.settings.query_input_type == "document"
    assert "not sent" not in choice.reason


def test_limits_by_model() -> None:
    assert openai_limits("text-embedding-ada-002").bytes_per_input == 8191
    assert [
        voyage_limits(model).bytes_per_request
        for model in ("voyage-4-large", "voyage-4", "voyage-4-lite", "voyage-9")
    ] == [120_000, 320_000, 1_000_000, 120_000]
    assert voyage_limits("voyage-3-lite").bytes_per_input == 16_000
    assert mistral_limits("").inputs_per_request == 512


@pytest.mark.parametrize(
    ("api", "host", "size"),
    [
        ("voyage", VoyageHost, 1024),
        ("mistral", MistralHost, 1024),
        ("openai-completions", OpenAIHost, 192),
        ("openai", OpenAIHost, 192),
        ("openai-compatible", OpenAIHost, 192),
    ],
)
def test_an_entry_may_speak_any_dialect(api: str, host: type[StrictHost], size: int) -> None:
    with host() as fake:
        entry: dict[str, Any] = {
            "api": api,
            "baseUrl": fake.base_url,
            "apiKey": KEY,
            "models": [{"id": "mine-embed"}],
        }
        entries = entries_of({"mine": entry})
        with vendor("mine", "", environ={}, entries=entries, model="mine/mine-embed") as made:
            assert_same(
                made.embed_documents(["kestrel"], never).vectors[0],
                as_document(bow_192("kestrel"), size),
            )
            assert made.identity.provider == "mine"
        assert fake.requests[0].json["model"] == "mine-embed"
