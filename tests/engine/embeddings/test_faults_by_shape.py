"""Every fault that was seen in the field, through every wire shape, over real sockets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from engine.embeddings.selection.provider_request import RemoteRequest
from engine.errors import ProviderError
from engine.net.messages import TransportError
from tests.engine.embeddings.selected import Asked, Selected
from tests.fakes.answers import Responder, hang_up, html, status
from tests.fakes.bedrock import SECRET, FakeBedrock, keys_of
from tests.fakes.copilot import LOGIN, FakeCopilot
from tests.fakes.faults import NOT_NUMBERS, Spoil, cut_in_half, in_each_vector, instead, one_less
from tests.fakes.gemini_host import KEY as GEMINI_KEY
from tests.fakes.gemini_host import GeminiHost
from tests.fakes.lmstudio import FakeLMStudio
from tests.fakes.mistral_host import MistralHost
from tests.fakes.ollama import FakeOllama
from tests.fakes.openai_host import OpenAIHost
from tests.fakes.strict_host import KEY
from tests.fakes.voyage_host import VoyageHost

Fake = (
    OpenAIHost
    | VoyageHost
    | MistralHost
    | GeminiHost
    | FakeOllama
    | FakeLMStudio
    | FakeCopilot
    | FakeBedrock
)
TEXTS = ("kestrel gateway", "router VLAN 30", "heron pond")
SECRETS = (KEY, GEMINI_KEY, LOGIN, SECRET)
HINT_S = 7.0
RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{HINT_S:g}s"}


@dataclass(frozen=True)
class Shape:
    """A wire shape: its fake, how it is asked for, and whether one request holds several texts."""

    provider: str
    fake: Callable[[], Fake]
    key: str | None = None
    environ: Mapping[str, str] = field(default_factory=dict)
    request: Mapping[str, Any] = field(default_factory=dict)
    several: bool = True

    @contextmanager
    def open(self) -> Iterator[tuple[Fake, Asked, Selected]]:
        """The fake, what is asked of it, and the provider on it."""
        with self.fake() as fake:
            base_url = getattr(fake, "base_url", fake.origin)
            asked = Asked(self.provider, "" if self.key else base_url, self.environ)
            remote = RemoteRequest(base_url, api_key=self.key) if self.key else RemoteRequest()
            with asked.open(remote=remote, **self.request) as selected:
                yield fake, asked, selected


COHERE = {"model": "cohere.embed-english-v3"}
SHAPES = {
    "openai": Shape("openai", OpenAIHost, KEY),
    "voyage": Shape("voyage", VoyageHost, KEY, request={"dimensions": 512}),
    "mistral": Shape("mistral", MistralHost, KEY),
    "gemini": Shape("gemini", GeminiHost, GEMINI_KEY, request={"dimensions": 768}),
    "ollama": Shape("ollama", FakeOllama),
    "ollama-older": Shape("ollama", lambda: FakeOllama(older=True), several=False),
    "lmstudio": Shape("lmstudio", FakeLMStudio),
    "copilot": Shape("github-copilot", FakeCopilot, environ={"COPILOT_GITHUB_TOKEN": LOGIN}),
    "titan": Shape("bedrock", FakeBedrock, None, keys_of(), {"dimensions": 256}, several=False),
    "cohere": Shape("bedrock", FakeBedrock, None, keys_of(), COHERE),
}


@pytest.fixture(params=SHAPES)
def shape(request: pytest.FixtureRequest) -> Shape:
    return SHAPES[request.param]


def _same(one: Any, other: Any) -> bool:
    return np.array_equal(one, other)


def failure(selected: Selected) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        selected.embed(*TEXTS)
    told = f"{caught.value} {caught.value.hint} {caught.value!r}"
    assert not [secret for secret in SECRETS if secret in told]
    return caught.value


@pytest.mark.parametrize("fault", NOT_NUMBERS)
def test_what_is_no_vector_is_never_one(shape: Shape, fault: str) -> None:
    with shape.open() as (fake, _, selected):
        fake.otherwise = NOT_NUMBERS[fault](fake.otherwise)
        batch = selected.embed(*TEXTS)
        assert batch.vectors == (None,) * len(TEXTS)
        assert [refusal.index for refusal in batch.refusals] == [0, 1, 2]
        assert all(refusal.reason for refusal in batch.refusals)


def test_another_size_than_before_stops(shape: Shape) -> None:
    with shape.open() as (fake, _, selected):
        (first,) = selected.embed("kestrel").vectors
        assert first is not None
        fake.otherwise = in_each_vector(lambda vector: [1.0] * 32)(fake.otherwise)
        assert "32 numbers where" in failure(selected).message


def test_a_vector_too_few_moves_none_to_another_text(shape: Shape) -> None:
    with shape.open() as (fake, _, selected):
        right = selected.embed(*TEXTS).vectors
        fake.otherwise = one_less()(fake.otherwise)
        try:
            batch = selected.embed(*TEXTS)
        except ProviderError as error:
            assert "2 vectors for 3 texts" in error.message
            return
        kept = [place for place, vector in enumerate(batch.vectors) if vector is not None]
        # Numbered answers lose the one that is missing; single texts have nothing to lose.
        assert len(kept) == (2 if shape.several else 3)
        assert all(_same(batch.vectors[place], right[place]) for place in kept)


@pytest.mark.parametrize(
    ("code", "titles", "attempts"),
    [
        (401, "Key not accepted", 1),
        (403, "Key not accepted, Not allowed", 1),
        (404, "Model or address not found, No Ollama there", 1),
        (409, "Request refused", 1),
        (429, "Too many requests", 5),
        (500, "Provider failed", 3),
        (503, "Provider failed", 3),
    ],
)
def test_each_status_has_its_words_and_its_patience(
    shape: Shape, code: int, titles: str, attempts: int
) -> None:
    with shape.open() as (fake, _, selected):
        selected.embed("kestrel")  # whatever is asked beforehand has been asked
        before = len(fake.requests)
        fake.otherwise = status(code, {"error": {"message": "no"}})
        error = failure(selected)
        assert error.title in titles.split(", ")
        asked = [each for each in fake.requests[before:] if b"kestrel gateway" in each.body]
        # A login is renewed once, an older server is asked by its other route.
        assert attempts <= len(asked) <= attempts + (code in (401, 403, 404))


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ({}, {"Retry-After": f"{HINT_S:g}"}),
        ({}, {"retry-after-ms": f"{HINT_S * 1000:g}"}),
        ({"error": {"code": 429, "message": "slow", "details": [RETRY_INFO]}}, {}),
    ],
    ids=["seconds", "milliseconds", "RetryInfo"],
)
def test_a_stated_pause_is_kept_and_then_all_is_well(
    shape: Shape, body: dict[str, Any], headers: dict[str, str]
) -> None:
    with shape.open() as (fake, asked, selected):
        selected.embed("kestrel")
        fake.script(status(429, body, headers))
        batch = selected.embed(*TEXTS)
        assert all(vector is not None for vector in batch.vectors)
        assert max(asked.time.slept) >= HINT_S


def test_too_much_at_once_is_sent_in_parts(shape: Shape) -> None:
    def narrow(right: Responder) -> Responder:
        def respond(received: Any) -> Any:
            many = sum(json.dumps(text)[1:-1].encode() in received.body for text in TEXTS) > 1
            return status(413, "<html>too large</html>")(received) if many else right(received)

        return respond

    with shape.open() as (fake, _, selected):
        fake.otherwise = narrow(fake.otherwise)
        batch = selected.embed(*TEXTS)
        assert batch.refusals == ()
        assert all(vector is not None for vector in batch.vectors)


def test_a_page_instead_of_json_is_a_sentence(shape: Shape) -> None:
    with shape.open() as (fake, _, selected):
        fake.otherwise = html
        assert "not JSON" in failure(selected).message


@pytest.mark.parametrize("fault", [cut_in_half(), instead(hang_up)], ids=["cut", "hang up"])
def test_a_connection_that_breaks_is_a_sentence(shape: Shape, fault: Spoil) -> None:
    with shape.open() as (fake, _, selected):
        fake.otherwise = fault(fake.otherwise)
        assert isinstance(failure(selected), TransportError)
