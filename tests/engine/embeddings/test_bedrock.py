"""Bedrock over real sockets: keys and signatures, six dialects, regions, its error types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.selection.provider_request import RemoteRequest
from engine.errors import ProviderError
from engine.net.messages import TransportError
from tests.engine.embeddings.selected import Asked, assert_right
from tests.fakes.answers import Answer, Received, status
from tests.fakes.bedrock import ACCESS, BEARER, SECRET, FakeBedrock, keys_of, refusal
from tests.fakes.still_time import StillTime

TITAN = "amazon.titan-embed-text-v2:0"
COHERE = "cohere.embed-multilingual-v3"
NOVA = "amazon.nova-2-multimodal-embeddings-v1:0"
MARENGO = "twelvelabs.marengo-embed-3-0-v1:0"
WITH_BEARER = {"AWS_BEARER_TOKEN_BEDROCK": BEARER}


def asked(fake: FakeBedrock, **more: Any) -> Asked:
    return Asked("bedrock", fake.origin, **{"environ": keys_of(), **more})


def failure(fake: FakeBedrock, *texts: str, **more: Any) -> ProviderError:
    request = {"model": more.pop("model")} if "model" in more else {}
    with asked(fake, **more).open(**request) as it, pytest.raises(ProviderError) as caught:
        it.embed(*(texts or ("kestrel",)))
    said = f"{caught.value} {caught.value.hint} {caught.value!r}"
    assert not any(secret in said for secret in (SECRET, BEARER))
    return caught.value


def bodies(fake: FakeBedrock) -> list[dict[str, Any]]:
    return [received.json for received in fake.requests]


# -- what lets in


def test_requests_are_signed_with_the_keys_of_the_environment() -> None:
    time = StillTime()
    with (
        FakeBedrock(now_ms=time.clock.now_ms) as fake,
        asked(fake, time=time).open() as it,
    ):
        assert_right(it.embed("kestrel", "router"), "kestrel", "router")
        assert it.choice.key_source == (
            "environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        )
        (first, second) = fake.requests
        assert first.path == "/model/amazon.titan-embed-text-v2%3A0/invoke"
        assert f"Credential={ACCESS}/20260202/us-east-1/bedrock/" in first.headers["authorization"]
        assert SECRET not in str([first, second])
        assert it.provider.remote


def test_temporary_keys_send_their_token() -> None:
    with FakeBedrock(tokens=["session-1"]) as fake:
        with asked(fake, environ=keys_of("session-1")).open() as it:
            assert_right(it.embed("kestrel"), "kestrel")
        error = failure(fake, environ=keys_of("session-0"))
        assert error.title == "Key not accepted"
        assert "run out" in error.hint
        assert "session-0" not in str(error)


def test_a_bearer_key_comes_before_signatures() -> None:
    with FakeBedrock() as fake, asked(fake, environ={**keys_of(), **WITH_BEARER}).open() as it:
        assert_right(it.embed("kestrel"), "kestrel")
        assert fake.requests[0].headers["authorization"] == f"Bearer {BEARER}"
        assert it.choice.key_source == "environment variable AWS_BEARER_TOKEN_BEDROCK"


def test_the_region_of_the_environment_is_signed_for_where_the_address_names_none() -> None:
    environ = {**keys_of(), "AWS_DEFAULT_REGION": "eu-west-1", "AWS_REGION": "eu-north-1"}
    with FakeBedrock(region="eu-north-1") as fake, asked(fake, environ=environ).open() as it:
        assert_right(it.embed("kestrel"), "kestrel")


def test_a_signature_that_came_too_late_is_made_anew() -> None:
    time = StillTime()
    slow = status(429, {"message": "slow"}, {"Retry-After": "58"})

    def minutes_later(received: Received) -> Answer:
        time.clock.epoch_ms += 300_000.0
        return slow(received)

    with FakeBedrock(now_ms=time.clock.now_ms, script=[minutes_later]) as fake:
        with asked(fake, time=time).open() as it:
            assert_right(it.embed("kestrel"), "kestrel")
        dates = [received.headers["x-amz-date"] for received in fake.requests]
        assert len(dates) == 3
        assert dates[0] == dates[1] < dates[2]


def test_wrong_keys_are_asked_about_once() -> None:
    with FakeBedrock() as fake:
        error = failure(fake, environ={**keys_of(), "AWS_SECRET_ACCESS_KEY": "another"})
        assert error.title == "Key not accepted"
        assert "InvalidSignatureException" in error.message
        assert "AWS_SECRET_ACCESS_KEY" in error.message
        assert "clock" in error.hint
        assert len(fake.requests) == 1
        error = failure(fake, environ={"AWS_BEARER_TOKEN_BEDROCK": "wrong"})
        assert error.title == "Not allowed"
        assert "AWS_BEARER_TOKEN_BEDROCK" in error.message


def test_keys_of_the_environment_stay_with_their_own_hosts() -> None:
    with FakeBedrock() as fake:
        foreign = RemoteRequest(base_url=fake.origin)
        choice = Asked("bedrock", environ=keys_of()).choose(remote=foreign)
        assert choice.settings is None
        assert "belong to another host" in (choice.error or "")
        entry = Asked("mine", fake.origin, keys_of()).choose(
            entries={"mine": RemoteRequest(base_url=fake.origin, api="bedrock")}
        )
        assert entry.settings is None
        with Asked("bedrock", environ=keys_of()).open(
            remote=RemoteRequest(base_url=fake.origin, api_key=BEARER)
        ) as it:
            it.embed("kestrel")
        assert fake.requests[0].headers["authorization"] == f"Bearer {BEARER}"


@pytest.mark.parametrize(
    ("environ", "host"),
    [
        ({}, "bedrock-runtime.us-east-1.amazonaws.com"),
        ({"AWS_DEFAULT_REGION": "eu-west-1"}, "bedrock-runtime.eu-west-1.amazonaws.com"),
        (
            {"AWS_REGION": "cn-north-1", "AWS_DEFAULT_REGION": "eu-west-1"},
            "bedrock-runtime.cn-north-1.amazonaws.com.cn",
        ),
    ],
)
def test_its_own_address_is_that_of_the_region(environ: dict[str, str], host: str) -> None:
    settings = Asked("bedrock", environ={**keys_of(), **environ}).choose().settings
    assert isinstance(settings, RemoteSettings)
    assert settings.base_url == f"https://{host}"


def test_the_address_decides_over_the_environment() -> None:
    base = "https://bedrock-runtime.ap-northeast-1.amazonaws.com"
    choice = Asked("bedrock", environ={**keys_of(), "AWS_REGION": "eu-west-1"}).choose(
        remote=RemoteRequest(base_url=base)
    )
    assert isinstance(choice.settings, RemoteSettings)
    assert choice.settings.base_url == base
    assert "AWS_SECRET_ACCESS_KEY" in choice.settings.variables


def test_a_model_of_another_region_is_refused_before_anything_is_sent() -> None:
    model = "arn:aws:bedrock:eu-west-1::foundation-model/amazon.titan-embed-text-v2:0"
    with Asked("bedrock", environ=keys_of()).open(model=model) as it:
        with pytest.raises(ProviderError, match="Another region") as caught:
            it.embed("kestrel")
        assert not isinstance(caught.value, TransportError)
        assert "AWS_REGION to eu-west-1" in caught.value.hint


def test_an_arn_that_names_no_model_cannot_be_used() -> None:
    arn = "arn:aws:bedrock:us-east-1:1:application-inference-profile/abc123"
    choice = Asked("bedrock", environ=keys_of()).choose(model=arn)
    assert choice.settings is None
    assert "which model it stands for" in (choice.error or "")


# -- dialects


def test_titan_takes_one_text_a_call() -> None:
    with FakeBedrock() as fake, asked(fake).open(dimensions=256) as it:
        batch = it.embed("kestrel", "router VLAN 30")
        assert_right(batch, "kestrel", "router VLAN 30")
        assert (batch.requests, batch.tokens) == (2, 4)
        assert bodies(fake)[0] == {"inputText": "kestrel", "dimensions": 256, "normalize": True}


def test_the_first_titan_takes_nothing_but_the_text() -> None:
    with FakeBedrock() as fake, asked(fake).open(model="amazon.titan-embed-text-v1") as it:
        assert_right(it.embed("kestrel"), "kestrel")
        assert bodies(fake) == [{"inputText": "kestrel"}]


@pytest.mark.parametrize("model", [COHERE, "us.cohere.embed-v4:0"])
def test_cohere_takes_96_texts_and_hears_what_they_are_for(model: str) -> None:
    texts = [f"note {i} about the kestrel" for i in range(100)]
    with FakeBedrock() as fake, asked(fake).open(model=model) as it:
        batch = it.embed(*texts)
        assert_right(batch, *texts)
        assert [len(body["texts"]) for body in bodies(fake)] == [96, 4]
        assert batch.tokens == 500
        query = it.provider.embed_query("kestrel")
        document = it.embed("kestrel").vectors[0]
        assert query is not None
        assert document is not None
        assert 0.5 < float(np.dot(query, document)) < 0.999
        kinds = [body["input_type"] for body in bodies(fake)]
        assert kinds == ["search_document", "search_document", "search_query", "search_document"]
        assert {body["truncate"] for body in bodies(fake)} == {"NONE"}


def test_cohere_4_takes_a_size() -> None:
    with FakeBedrock() as fake, asked(fake).open(model="cohere.embed-v4:0", dimensions=512) as it:
        (vector,) = it.embed("kestrel").vectors
        assert vector is not None
        assert vector.shape == (512,)
        assert bodies(fake)[0]["embedding_types"] == ["float"]


def test_nova_hears_what_a_text_is_for() -> None:
    with FakeBedrock() as fake, asked(fake).open(model=NOVA, dimensions=1024) as it:
        assert_right(it.embed("kestrel"), "kestrel")
        it.provider.embed_query("kestrel")
        index, query = (body["singleEmbeddingParams"] for body in bodies(fake))
        assert index == {
            "embeddingPurpose": "GENERIC_INDEX",
            "embeddingDimension": 1024,
            "text": {"truncationMode": "NONE", "value": "kestrel"},
        }
        assert query["embeddingPurpose"] == "TEXT_RETRIEVAL"


def test_marengo() -> None:
    with FakeBedrock() as fake, asked(fake).open(model=MARENGO) as it:
        assert_right(it.embed("kestrel", "router"), "kestrel", "router")
        assert bodies(fake)[0] == {"inputType": "text", "text": {"inputText": "kestrel"}}


@pytest.mark.parametrize(
    ("model", "words", "longest"),
    [(TITAN, 9000, 8192), (COHERE, 700, 2048), (NOVA, 9000, 8192), (MARENGO, 600, 1024)],
)
def test_a_text_that_is_too_long_is_embedded_in_parts(model: str, words: int, longest: int) -> None:
    long = " ".join("ab" for _ in range(words))
    with FakeBedrock() as fake, asked(fake).open(model=model) as it:
        batch = it.embed(long, "kestrel")
        assert batch.refusals == ()
        assert max(len(text.encode()) for text in fake.texts) <= longest


def test_limits_that_are_narrower_than_known_are_learned() -> None:
    dense = " ".join("a" for _ in range(1000))  # 1,999 bytes, more tokens than Cohere takes
    with FakeBedrock() as fake, asked(fake).open(model=COHERE) as it:
        assert it.embed(dense).refusals == ()
        assert it.provider.limits.bytes_per_input < 2048
        assert len(fake.requests) > 1


def test_other_spellings_of_a_model() -> None:
    arn = f"arn:aws:bedrock:us-east-1:1:inference-profile/us.{TITAN}"
    with FakeBedrock() as fake:
        for model in (f"bedrock/{TITAN}", f"eu.{TITAN}", arn):
            with asked(fake).open(model=model) as it:
                assert_right(it.embed("kestrel"), "kestrel")
        assert "%2Fus.amazon.titan" in fake.requests[-1].path


# -- refusals

INVALID = "The provided model identifier is invalid."
THROUGHPUT = "Invocation of model ID x with on-demand throughput isn\u2019t supported."


@pytest.mark.parametrize(
    ("answer", "title", "hint"),
    [
        (refusal(403, "AccessDeniedException", "no access"), "Not allowed", "InvokeModel"),
        (refusal(404, "ResourceNotFoundException", "gone"), "Model not there", "AWS_REGION"),
        (refusal(400, "ValidationException", INVALID), "Model not there", "AWS_REGION"),
        (refusal(400, "ValidationException", THROUGHPUT), "Model needs a profile", f"us.{TITAN}"),
        (refusal(400, "ServiceQuotaExceededException", "no"), "Quota used up", "AWS"),
        (refusal(424, "ModelErrorException", "broken"), "Request refused", "model"),
        (refusal(500, "InternalServerException", "oops"), "Provider failed", "later"),
    ],
)
def test_error_types_have_words_of_their_own(answer: Answer, title: str, hint: str) -> None:
    with FakeBedrock() as fake:
        fake.otherwise = lambda received: answer
        error = failure(fake, "kestrel", "router")
        assert error.title == title
        assert hint in error.hint


def test_a_size_that_the_model_does_not_know_is_no_fault_of_the_texts() -> None:
    words = "Malformed input request: #/dimensions: 7 is not a valid enum value"
    with FakeBedrock() as fake:
        fake.otherwise = lambda received: refusal(400, "ValidationException", words)
        assert "outputDimensionality" in failure(fake, "kestrel", "router", "tea").hint
        assert len(fake.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        refusal(429, "ThrottlingException", "Too many requests"),
        refusal(429, "ModelNotReadyException", "warming up"),
        refusal(408, "ModelTimeoutException", "slow"),
        refusal(503, "ServiceUnavailableException", "busy"),
    ],
)
def test_passing_troubles_are_waited_for(answer: Answer) -> None:
    with FakeBedrock(script=[lambda received: answer]) as fake, asked(fake).open() as it:
        assert_right(it.embed("kestrel"), "kestrel")
        assert len(fake.requests) == 2


@pytest.mark.parametrize("model", [TITAN, COHERE, "cohere.embed-v4:0", NOVA, MARENGO])
@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"embeddings": 3}', b'{"data": []}', b"<p>"])
def test_answers_of_another_shape_are_errors_or_refusals(model: str, body: bytes) -> None:
    with FakeBedrock() as fake, asked(fake).open(model=model) as it:
        fake.otherwise = lambda received: Answer(body)
        try:
            batch = it.embed("kestrel")
        except ProviderError as error:
            assert error.title == "Answer not understood"
        else:
            assert [refusal.index for refusal in batch.refusals] == [0]
