"""Written values become typed ones, strictly; what does not fit is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from annotated_types import Ge
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from engine.config.declaring import as_written
from engine.config.expectation import expected_words
from engine.config.key import taken_apart
from engine.config.key_table import OWN_FILE
from engine.config.mending import Mended, Refused, mend
from engine.config.own_settings import OwnSettings
from engine.config.schema import ExtraCollection, MemorySearch, Remote, SecretRef
from engine.config.schema_agent import Compaction, ContextLimits
from engine.config.schema_memory import Memory, ScopeMatch, ScopeRule
from engine.config.sections import SECTIONS
from tests.engine.config.examples import FEW
from tests.engine.config.json5_texts import json_values
from tests.engine.config.test_any_value import a_desk, tree_of

MODELS = (MemorySearch, OwnSettings, Memory, Compaction, ContextLimits)
KEYS = OWN_FILE.keys | SECTIONS["memory"][1].keys


def survives(made: Any) -> bool:
    """True when a group is what its own declaration takes: types, choices and ranges."""
    judge = TypeAdapter(type(made))
    return bool(judge.validate_json(judge.dump_json(made), strict=True) == made)


@pytest.mark.parametrize("model", MODELS)
def test_the_defaults_are_of_the_declared_types(model: Any) -> None:
    assert survives(model())


@FEW
@given(st.dictionaries(st.sampled_from(list(OWN_FILE.keys)), json_values()))
def test_what_resolves_is_of_the_declared_types(written: dict[str, Any]) -> None:
    with a_desk() as desk:
        desk.user_file(tree_of(written))
        desk.state.mkdir()
        config = desk.resolve(state_dir=desk.state)
    assert survives(config.memory_search)
    assert survives(config.own)


@pytest.mark.parametrize(
    ("name", "raw", "taken"),
    [
        ("remote.apiKey", {"source": "env", "id": "K"}, SecretRef("env", "K")),
        ("remote.headers", {"a": {"source": "env", "id": "K"}}, {"a": SecretRef("env", "K")}),
        ("qmd.extraCollections", [{"path": "x"}], (ExtraCollection("x"),)),
        (
            "qmd.scope.rules",
            [{"action": "deny", "match": {"chatType": "group"}}],
            (ScopeRule("deny", ScopeMatch(chat_type="group")),),
        ),
        ("sources", ["sessions"], ("sessions",)),
        ("local.contextSize", "auto", "auto"),
        ("local.contextSize", 8192, 8192),
        ("query.maxResults", 3.0, 3),
        ("query.minScore", 1, 1.0),
        ("remote.baseUrl", "  ", None),
        ("remote.baseUrl", None, None),
        ("qmd.update.interval", "1h30m", 5_400_000),
    ],
)
def test_values_that_fit(name: str, raw: Any, taken: Any) -> None:
    result = mend(KEYS[name], raw)
    assert result == Mended(taken)
    assert isinstance(result, Mended)
    assert type(result.value) is type(taken)


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("query.maxResults", "3"),
        ("query.maxResults", True),
        ("query.maxResults", float("nan")),
        ("query.minScore", "0.5"),
        ("query.minScore", False),
        ("query.minScore", float("inf")),
        ("query.hybrid.enabled", 1),
        ("query.hybrid.enabled", "true"),
        ("provider", 7),
        ("provider", None),
        ("provider", "a\0b"),
        ("store.driver", "SQLite"),
        ("extraPaths", "notes"),
        ("local.contextSize", "all"),
        ("qmd.update.interval", "soon"),
        ("qmd.update.interval", True),
    ],
)
def test_nothing_is_converted(name: str, raw: Any) -> None:
    result = mend(KEYS[name], raw)
    assert isinstance(result, Refused)
    assert result.reason.startswith(f"expected {expected_words(KEYS[name])}, found ")


@pytest.mark.parametrize(
    ("name", "raw", "part"),
    [
        ("qmd.extraCollections", [{"path": "x"}, {"name": "y"}], "entry 2"),
        ("qmd.extraCollections", [{"path": "x", "bogus": 1}], "entry 1"),
        ("qmd.scope.rules", [{"action": "allow", "match": {"chat_type": "x"}}], "entry 1"),
        ("remote.headers", {"a": "b", "c": 1}, '"c"'),
        ("remote.headers", {"a": "b", "c": {"source": "env"}}, '"c"'),
        ("remote.apiKey", {"source": "env", "idd": "K"}, '"idd"'),
        ("remote.apiKey", {"source": "env"}, '"id"'),
        ("remote.apiKey", {"source": "env", "id": "\0"}, '"id"'),
        ("sources", ["memory", "notes"], "entry 2"),
        ("extraPaths", ["a", "\0"], "entry 2"),
    ],
)
def test_a_refusal_names_the_part_that_does_not_fit(name: str, raw: Any, part: str) -> None:
    assert f"whose {part} does not fit" in getattr(mend(KEYS[name], raw), "reason", "")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("query.maxResults", "a whole number of at least 1"),
        ("query.hybrid.candidateMultiplier", "a whole number from 1 to 20"),
        ("query.minScore", "a number from 0 to 1"),
        ("query.hybrid.enabled", "true or false"),
        ("store.driver", '"sqlite"'),
        ("store.fts.tokenizer", '"unicode61" or "trigram"'),
        ("local.contextSize", 'a whole number of at least 1 or "auto"'),
        ("extraPaths", "a list of texts"),
        ("sources", 'a list of "memory" or "sessions"'),
        ("remote.apiKey", "text or {source, id, provider}"),
        ("remote.headers", "an object of text or {source, id, provider}"),
        ("qmd.scope.rules", "a list of {action, match}"),
        ("qmd.update.interval", 'a duration such as "5m", or minutes'),
    ],
)
def test_what_a_key_takes_in_words(name: str, words: str) -> None:
    assert expected_words(KEYS[name]) == words


def test_a_declared_type_is_taken_apart() -> None:
    multiplier = KEYS["query.hybrid.candidateMultiplier"]
    assert (multiplier.low, multiplier.high, multiplier.kinds) == (1, 20, (int,))
    kinds, notes = taken_apart(KEYS["cache.maxEntries"].type)
    assert kinds == (int, type(None))
    assert Ge(1) in notes


def test_names_and_values_as_files_write_them() -> None:
    written = as_written(MemorySearch(extra_paths=("a",), remote=Remote(api_key="k")))
    assert json.loads(json.dumps(written))["extraPaths"] == ["a"]
    assert written["query"]["hybrid"]["mmr"] == {"enabled": False, "lambda": 0.7}
    assert "outputDimensionality" not in written
    assert written["remote"]["apiKey"] == "k"
