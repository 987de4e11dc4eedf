"""The reader of positions against two judges: the json module and the json5 package."""

from __future__ import annotations

import json
import math
from typing import Any

import json5
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.config.positions import MAX_DEPTH, Json5Error, outline
from tests.engine.config.examples import FEW, MANY
from tests.engine.config.json5_texts import Made, json5_texts, json_values
from tests.engine.config.sameness import mended, same

LETTERS = "{}[]:,'\"\\/*-+.019xaeEInfNtrue_$ \n\r\t\u2028\ufeffü中𝒳\u0301"


@MANY
@given(json_values(), st.sampled_from([None, 1, "\t"]), st.booleans())
def test_plain_json_reads_as_the_json_module_reads_it(
    value: Any, indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert same(outline(text).value, mended(json.loads(text)))


@FEW
@given(json5_texts())
def test_json5_reads_as_the_json5_package_reads_it(made: Made) -> None:
    text, _ = made
    assert same(outline(text).value, mended(json5.loads(text)))


@MANY
@given(st.text(LETTERS, max_size=12))
@example("{a\\u0301:1}")
@example("-0x10")
@example("'\\\r\n'")
@example("[1 /**/ , // x\n ]")
@example("{'\\u0061': 1, a: 2}")
def test_what_one_refuses_the_other_refuses_too(text: str) -> None:
    try:
        expected = json5.loads(text)
    except ValueError:
        with pytest.raises(Json5Error):
            outline(text)
    else:
        assert same(outline(text).value, mended(expected))


@MANY
@given(json5_texts())
def test_each_key_is_found_on_its_line_and_column(
    made: Made,
) -> None:
    text, places = made
    found = outline(text)
    assert {path: found.position(path) for path in places} == places


def test_a_repeated_key_counts_where_it_stands_last() -> None:
    found = outline('{"a": {"b": 1},\n "a": {\n"c": 2}}')
    assert found.value == {"a": {"c": 2}}
    assert found.position(("a",)) == (2, 2)
    assert found.position(("a", "c")) == (3, 1)
    assert found.position(("a", "b")) is None


@pytest.mark.parametrize(
    ("text", "line", "column", "expected", "found"),
    [
        ("", 1, 1, "a value", "the end of the file"),
        ('{\n  "a": 1\n  "b": 2\n}', 3, 3, '"," or "}"', '"""'),
        ('{\n  "a" 1\n}', 2, 7, '":" after the key', '"1"'),
        ("{a: 1,\r\n b: nul}", 2, 5, "a value", '"n"'),
        ("[1, 2", 1, 6, '"," or "]"', "the end of the file"),
        ("{a: 'x\ny'}", 1, 5, "a text that ends with its quote on the same line", '"\'"'),
        ("{} {}", 1, 4, "the end of the file", '"{"'),
        ("{}\n/* no end", 2, 1, "*/ somewhere after the start of this comment", '"/"'),
        ("{a: '\\x4'}", 1, 6, "an escape such as \\n, \\x41 or \\u0041", '"\\"'),
        ("{1a: 2}", 1, 2, "a key in quotes, or a name of letters, digits, _ and $", '"1"'),
        ("\x00", 1, 1, "a value", "U+0000"),
        ("[" * 200, 1, 102, "at most 100 levels of nesting", '"["'),
    ],
)
def test_a_broken_text_says_where_and_what_was_expected(
    text: str, line: int, column: int, expected: str, found: str
) -> None:
    with pytest.raises(Json5Error) as caught:
        outline(text)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert (error.expected, error.found) == (expected, found)


@MANY
@given(st.text(max_size=60))
def test_no_text_raises_anything_else(text: str) -> None:
    try:
        outline(text)
    except Json5Error as error:
        assert error.line >= 1
        assert error.column >= 1


@pytest.mark.parametrize("text", ["9" * 5000, "0x" + "f" * 5000, "-" + "9" * 5000])
def test_a_number_too_long_to_print_becomes_an_infinity(text: str) -> None:
    assert outline(text).value == (-math.inf if text.startswith("-") else math.inf)


def test_the_deepest_nesting_that_is_taken() -> None:
    assert outline("[" * MAX_DEPTH + "]" * MAX_DEPTH).value is not None


def test_a_byte_order_mark_and_lone_surrogates_do_no_harm() -> None:
    assert outline('\ufeff{"a": "\\ud83d\\ude00 \\ud800"}').value == {"a": "😀 \ufffd"}
