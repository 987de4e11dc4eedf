"""The typed groups, held against pydantic: what resolves is what the annotations promise."""

from __future__ import annotations

import pickle
from dataclasses import MISSING, FrozenInstanceError
from functools import reduce
from operator import or_
from types import UnionType
from typing import Any, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, create_model

from engine.config.declaring import Section, default_of, is_group
from engine.config.key_table import OWN_FILE, Key
from engine.config.mending import Mended, mend
from engine.config.own_settings import OwnSettings
from engine.config.schema import ExtraCollection, MemorySearch, SecretRef
from engine.config.schema_agent import Compaction, ContextLimits
from engine.config.schema_memory import Memory
from tests.engine.config.examples import FEW, MANY
from tests.engine.config.json5_texts import json_values
from tests.engine.config.test_any_value import a_desk, tree_of

MODELS = (MemorySearch, OwnSettings, Memory, Compaction, ContextLimits)
STRUCTURED = [key for key in OWN_FILE.keys.values() if str in key.kinds or key.declared.expects]


def listed(value: Any) -> Any:
    """Tuples as lists and models as objects, all the way down."""
    if isinstance(value, (Section, BaseModel)):
        return listed(value.model_dump())
    if isinstance(value, dict):
        return {name: listed(part) for name, part in value.items()}
    return [listed(part) for part in value] if isinstance(value, (list, tuple)) else value


def twin(group: type[Section]) -> Any:
    """The same group as a pydantic model."""
    fields = {part.name: (as_pydantic(part.type), default_of(part)) for part in group.parts}
    named: dict[str, Any] = {
        name: (kind, ... if default is MISSING else default)
        for name, (kind, default) in fields.items()
    }
    return create_model(group.__name__, **named)


def as_pydantic(kind: Any) -> Any:
    """An annotation with every group in it replaced by its twin."""
    if is_group(kind):
        return twin(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (tuple, dict):
        return origin[tuple(as_pydantic(part) for part in arguments)]
    if origin is UnionType:
        return reduce(or_, (as_pydantic(part) for part in arguments))
    return kind


def judged(made: Section) -> dict[str, Any]:
    """What pydantic makes of the values of a group."""
    found: dict[str, Any] = twin(type(made)).model_validate(made.model_dump()).model_dump()
    return found


@pytest.mark.parametrize("model", MODELS)
def test_the_defaults_are_of_the_declared_types(model: Any) -> None:
    assert listed(judged(model())) == model().model_dump()


@FEW
@given(st.dictionaries(st.sampled_from(list(OWN_FILE.keys)), json_values()))
def test_what_resolves_is_of_the_declared_types(written: dict[str, Any]) -> None:
    with a_desk() as desk:
        desk.user_file(tree_of(written))
        desk.state.mkdir()
        config = desk.resolve(state_dir=desk.state)
    for made in (config.memory_search, config.own):
        assert repr(listed(judged(made))) == repr(made.model_dump())


@MANY
@given(st.sampled_from(STRUCTURED), json_values())
def test_texts_lists_and_objects_are_taken_as_pydantic_takes_them(key: Key, raw: Any) -> None:
    result = mend(key, raw)
    if not isinstance(result, Mended) or result.value is None or result.remark:
        return
    found = TypeAdapter(as_pydantic(key.type)).validate_python(raw)
    assert repr(listed(found)) == repr(listed(result.value))


@pytest.mark.parametrize(
    ("name", "raw", "taken"),
    [
        ("remote.apiKey", {"source": "env", "id": "K"}, SecretRef("env", "K")),
        ("remote.headers", {"a": {"source": "env", "id": "K"}}, {"a": SecretRef("env", "K")}),
        ("qmd.extraCollections", [{"path": "x"}], (ExtraCollection("x"),)),
        ("sources", ["sessions"], ("sessions",)),
        ("local.contextSize", "auto", "auto"),
        ("remote.baseUrl", "  ", None),
    ],
)
def test_structured_values(name: str, raw: Any, taken: Any) -> None:
    assert mend(OWN_FILE.keys[name], raw) == Mended(taken)


@pytest.mark.parametrize(
    ("name", "raw", "part"),
    [
        ("qmd.extraCollections", [{"path": "x"}, {"name": "y"}], "entry 2"),
        ("qmd.extraCollections", [{"path": "x", "bogus": 1}], "entry 1"),
        ("remote.headers", {"a": "b", "c": 1}, '"c"'),
        ("remote.apiKey", {"source": "env", "idd": "K"}, '"idd"'),
        ("remote.apiKey", {"source": "env"}, '"id"'),
        ("sources", ["memory", "notes"], "entry 2"),
    ],
)
def test_a_refusal_names_the_part_that_does_not_fit(name: str, raw: Any, part: str) -> None:
    assert f"whose {part} does not fit" in getattr(mend(OWN_FILE.keys[name], raw), "reason", "")


def test_names_and_values_as_files_write_them() -> None:
    made = MemorySearch(extra_paths=("a",))
    dumped = made.model_dump(by_alias=True)
    assert dumped["extraPaths"] == ["a"]
    assert dumped["query"]["hybrid"]["mmr"] == {"enabled": False, "lambda": 0.7}
    assert made.model_dump()["query"]["hybrid"]["mmr"]["lambda_"] == 0.7


def test_a_group_behaves_as_a_frozen_dataclass() -> None:
    made = SecretRef("env", id="K")
    assert made == SecretRef(source="env", id="K")
    assert made != SecretRef("env", "L")
    assert hash(made) == hash(SecretRef("env", "K"))
    assert repr(made) == "SecretRef(source='env', id='K', provider=None)"
    assert pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(FrozenInstanceError):
        made.__setattr__("id", "L")
    with pytest.raises(FrozenInstanceError):
        made.__delattr__("id")
    for wrong in ({"source": "env"}, {"source": "a", "id": "b", "other": 1}):
        with pytest.raises(TypeError, match="SecretRef"):
            SecretRef(**wrong)
    with pytest.raises(TypeError, match="takes"):
        SecretRef(*"abcd")
