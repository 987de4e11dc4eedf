"""Whatever stands in a configuration, the application opens and says what it did not take."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.config.key import Key
from engine.config.key_table import MEMORY_SEARCH, OWN_FILE
from engine.config.mending import Mended, mend
from engine.config.normalise import weights
from engine.config.resolved import ResolvedConfig
from tests.engine.config.desk import Desk
from tests.engine.config.examples import FEW, MANY
from tests.engine.config.json5_texts import json_values

KEYS = list(OWN_FILE.keys.values())
NUMBERS = st.integers() | st.floats() | st.just(10**400)
SECTIONS = (
    ("agents", "defaults", "memorySearch"),
    ("agents", "list"),
    ("agents", "entries", "main"),
    ("memory", "qmd"),
    ("memory", "search"),
    ("agents", "defaults", "compaction", "memoryFlush"),
    ("agents", "defaults", "contextLimits"),
    ("tools", "sessions"),
    ("plugins", "slots"),
    ("models", "providers"),
    ("auth", "order"),
    ("meta", "lastTouchedVersion"),
)


@contextmanager
def a_desk() -> Iterator[Desk]:
    with tempfile.TemporaryDirectory() as root:
        desk = Desk(Path(root))
        desk.home.mkdir()
        yield desk


def nested(path: tuple[str, ...], value: Any) -> Any:
    for step in reversed(path):
        value = {step: value}
    return value


def tree_of(written: dict[str, Any]) -> dict[str, Any]:
    """Dotted keys as nested objects."""
    tree: dict[str, Any] = {}
    for key, value in written.items():
        *groups, last = key.split(".")
        at = tree
        for group in groups:
            at = at.setdefault(group, {})
        at[last] = value
    return tree


def is_sound(config: ResolvedConfig) -> bool:
    """Every promise that the rest of the engine relies on."""
    query, chunking = config.memory_search.query, config.memory_search.chunking
    json.dumps([value.value for value in config.values])
    assert 0 <= query.min_score <= 1
    assert abs(query.hybrid.vector_weight + query.hybrid.text_weight - 1) < 1e-9
    assert 1 <= query.hybrid.candidate_multiplier <= 20
    assert 0 <= chunking.overlap < chunking.tokens
    assert set(config.memory_search.sources) <= {"memory", "sessions"}
    assert config.memory_search.sources
    assert all(problem.message.isprintable() for problem in config.problems)
    return True


@FEW
@given(st.lists(st.tuples(st.sampled_from(SECTIONS), json_values()), min_size=1, max_size=4))
def test_any_value_in_any_part_of_a_configuration(parts: list[tuple[Any, Any]]) -> None:
    with a_desk() as desk:
        for path, value in parts:
            desk.config(json.dumps(nested(path, value)))
            assert is_sound(desk.resolve())


@FEW
@given(st.dictionaries(st.sampled_from(list(MEMORY_SEARCH.keys)), json_values() | NUMBERS))
def test_any_value_for_any_key(written: dict[str, Any]) -> None:
    tree = tree_of(written)
    with a_desk() as desk:
        desk.memory_search(tree)
        desk.user_file(tree)
        desk.workspace_file(tree)
        assert is_sound(desk.resolve())


@FEW
@given(st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes_in_any_file(agent: bytes, user: bytes, workspace: bytes) -> None:
    with a_desk() as desk:
        desk.config({}).write_bytes(agent)
        desk.user_file({}).write_bytes(user)
        desk.workspace_file({}).write_bytes(workspace)
        assert is_sound(desk.resolve())


@MANY
@given(st.sampled_from(KEYS), json_values() | NUMBERS | st.text())
def test_a_mended_number_lies_in_its_range(key: Key, raw: Any) -> None:
    result = mend(key, raw)
    if not isinstance(result, Mended) or not isinstance(result.value, (int, float)):
        return
    assert key.low is None or result.value >= key.low
    assert key.high is None or result.value <= key.high
    unchanged = type(raw) in (int, float, bool) and raw == result.value
    assert bool(result.remark) != unchanged


@MANY
@given(st.floats(0, 1), st.floats(0, 1))
def test_weights_sum_to_one_and_keep_their_proportion(vector: float, text: float) -> None:
    left, right = weights(vector, text)
    assert abs(left + right - 1) < 1e-12
    assert 0 <= left <= 1
    if vector + text > 0:
        assert abs(left * text - right * vector) < 1e-9
    else:
        assert (left, right) == (0.7, 0.3)
