"""Whatever Ollama, Bedrock, LM Studio or Copilot answer, only our own errors come of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.embeddings.remote.access import Access
from engine.embeddings.remote.settings import RemoteSettings, WireSettings
from engine.embeddings.remote.wire import AnswerError, WireShape
from engine.embeddings.shapes.bedrock.models import FAMILIES
from engine.embeddings.shapes.bedrock.shape import BedrockShape
from engine.embeddings.shapes.ollama import OllamaRoute, OllamaShape
from engine.embeddings.ways_in.bedrock import SignedBedrockAccess
from engine.embeddings.ways_in.copilot import CopilotAccess
from engine.embeddings.ways_in.copilot_models import offered_models
from engine.embeddings.ways_in.lmstudio import LMStudioAccess
from engine.embeddings.ways_in.lmstudio_models import listed_models, named
from engine.embeddings.ways_in.ollama import OllamaAccess
from engine.net.messages import HttpResponse

NAMES = [
    *("embeddings", "embedding", "float", "data", "embeddingType", "inputTextTokenCount"),
    *("prompt_eval_count", "error", "message", "__type", "code", "models", "key", "id"),
    *("loaded_instances", "supported_endpoints"),
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)
ANSWERS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5) | VALUES


def settings_for(model: str) -> RemoteSettings:
    return RemoteSettings("p", "http://127.0.0.1:1", WireSettings(model, 2))


SHAPES: list[WireShape] = [
    OllamaShape(settings_for("nomic-embed-text"), OllamaRoute()),
    *(BedrockShape(settings_for(family.names[0])) for family in FAMILIES),
]


def accesses() -> list[Access]:
    return [
        OllamaAccess(settings_for("nomic-embed-text"), OllamaRoute()),
        LMStudioAccess(settings_for("m"), lambda sentence: None),
        CopilotAccess(settings_for("m")),
        SignedBedrockAccess(settings_for(FAMILIES[0].names[0])),
    ]


@settings(deadline=None)
@given(ANSWERS, st.integers(1, 3), st.sampled_from(SHAPES))
def test_any_json_is_vectors_with_reasons_or_an_answer_error(
    answer: object, count: int, shape: WireShape
) -> None:
    try:
        decoded = shape.decode(json.dumps(answer).encode(), count)
    except AnswerError:
        return
    assert len(decoded.vectors) == count
    for place, vector in enumerate(decoded.vectors):
        assert (vector is None) == (place in decoded.problems)


@pytest.mark.parametrize("body", [b"", b"\xff", b"[" * 100_000, b"null", b'"embeddings"'])
@pytest.mark.parametrize("shape", SHAPES)
def test_bodies_that_are_no_objects(shape: WireShape, body: bytes) -> None:
    with pytest.raises(AnswerError):
        shape.decode(body, 1)


@settings(deadline=None)
@given(st.integers(300, 599), ANSWERS, st.text(max_size=20))
def test_any_refusal_is_explained_or_left_to_its_status(
    status: int, body: object, kind: str
) -> None:
    for access in accesses():
        response = HttpResponse(status, {"x-amzn-errortype": kind}, json.dumps(body).encode())
        explained = access.explained(response)
        if explained is not None:
            assert explained.title
            assert explained.message
            assert explained.hint or explained.about
        assert access.forget(response) in (True, False)


@settings(deadline=None)
@given(ANSWERS)
def test_any_list_of_models_is_read(answer: object) -> None:
    offered = offered_models(answer if isinstance(answer, dict) else {})
    assert len(set(offered)) == len(offered)
    try:
        models = listed_models(json.dumps(answer).encode())
    except ValueError:
        return
    assert named(models, "x") is None or models
