"""No answer of a provider raises anything but our own errors."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.embeddings.remote.failures import Endpoint, complaint, failure_of, stated_rows
from engine.embeddings.remote.settings import RemoteSettings, WireSettings
from engine.embeddings.remote.wire import AnswerError
from engine.embeddings.shapes.openai import OpenAIShape, decode_answer
from engine.net.messages import HttpResponse

AT = Endpoint("openai", "m", "https://h:443", "remote.apiKey")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["index", "embedding", "data", "usage", "x"]), inner)
    ),
    max_leaves=12,
)
ITEMS = st.lists(st.fixed_dictionaries({"index": st.integers(-1, 3), "embedding": VALUES}))


@settings(deadline=None)
@given(st.dictionaries(st.just("data"), ITEMS | VALUES) | VALUES, st.integers(1, 3))
def test_any_json_is_vectors_with_reasons_or_an_answer_error(answer: object, count: int) -> None:
    try:
        decoded = decode_answer(json.dumps(answer).encode(), count)
    except AnswerError:
        return
    assert len(decoded.vectors) == count
    for place, vector in enumerate(decoded.vectors):
        assert (vector is None) == (place in decoded.problems)
        if vector is not None:
            assert vector.dtype == np.float32
            assert abs(float(np.linalg.norm(vector)) - 1.0) < 1e-5


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_survived(body: bytes) -> None:
    with pytest.raises(AnswerError):
        decode_answer(body + b"\xff", 1)


@settings(deadline=None)
@given(st.integers(300, 599), VALUES, st.sampled_from(["", "7", "soon"]))
def test_any_error_answer_becomes_words(status: int, body: object, pause: str) -> None:
    response = HttpResponse(status, {"retry-after": pause}, json.dumps(body).encode())
    error = failure_of(response, AT, ["secret-key"], 0.0)
    assert error.status == status
    assert error.title
    assert error.message
    assert error.hint
    assert complaint(response) in (None, "request", "length", "content")
    stated_rows(response)


@settings(deadline=None)
@given(st.lists(st.text(), max_size=5))
def test_any_texts_can_be_encoded(texts: list[str]) -> None:
    shape = OpenAIShape(RemoteSettings("openai", "http://127.0.0.1:1", WireSettings("m")))
    sent = json.loads(shape.encode(texts, "document", "m").body)
    assert len(sent["input"]) == len(texts)


@pytest.mark.parametrize(
    ("message", "about", "rows"),
    [
        ("batch size is invalid, it should not be larger than 10", "request", 10),
        ("at most 100 requests can be in one batch", "request", 100),
        ("input array max 32", "request", 32),
        ("Too many tokens in batch. Max is 16384 got 17555", "request", 16384),
        ("embeddings max length per batch size is 200", "request", 200),
        ("This model's maximum context length is 8192 tokens", "length", 8192),
        ("the input length exceeds the context length", "length", None),
        ("invalid input", "content", None),
    ],
)
def test_complaints_seen_in_the_field(message: str, about: str, rows: int | None) -> None:
    response = HttpResponse(400, {}, json.dumps({"error": {"message": message}}).encode())
    assert complaint(response) == about
    if rows is not None:
        assert stated_rows(response) == rows


@pytest.mark.parametrize("code", ["max_tokens_per_request", "3210"])
def test_codes_that_mean_too_much_at_once(code: str) -> None:
    body = json.dumps({"error": {"message": "no", "type": code, "code": code}}).encode()
    assert complaint(HttpResponse(400, {}, body)) == "request"


def test_a_refused_setting_is_not_blamed_on_the_texts() -> None:
    body = json.dumps({"error": {"message": "too big", "param": "dimensions"}}).encode()
    assert complaint(HttpResponse(400, {}, body)) is None
