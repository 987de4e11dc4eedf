"""The typed groups, held against pydantic: what resolves is what the annotations promise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

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


@pytest.mark.parametrize("model", MODELS)
def test_the_defaults_are_of_the_declared_types(model: Any) -> None:
    made = model()
    assert TypeAdapter(model).validate_python(made.model_dump()) == made


@FEW
@given(st.dictionaries(st.sampled_from(list(OWN_FILE.keys)), json_values()))
def test_what_resolves_is_of_the_declared_types(written: dict[str, Any]) -> None:
    with a_desk() as desk:
        desk.user_file(tree_of(written))
        desk.state.mkdir()
        config = desk.resolve(state_dir=desk.state)
    for made in (config.memory_search, config.own):
        judged = TypeAdapter(type(made)).validate_python(made.model_dump())
        assert judged == made
        assert repr(judged) == repr(made)


@MANY
@given(st.sampled_from(STRUCTURED), json_values())
def test_texts_lists_and_objects_are_taken_as_pydantic_takes_them(key: Key, raw: Any) -> None:
    result = mend(key, raw)
    try:
        judged = TypeAdapter(key.type).validate_python(raw)
    except ValidationError:
        judged = None
    if isinstance(result, Mended) and result.value is not None and not result.remark:
        assert judged == result.value


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
