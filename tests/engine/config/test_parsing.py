"""Who reads a text: json, then json5, and our own reader only where those two cannot."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import json5
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config.parsing import JSON5_LIMIT, parse
from engine.config.positions import MAX_DEPTH, Json5Error
from tests.engine.config.examples import FEW, MANY
from tests.engine.config.json5_texts import Made, json5_texts, json_values
from tests.engine.config.sameness import mended, same


@MANY
@given(json_values(), st.booleans())
def test_plain_json_is_what_the_json_module_reads(value: Any, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert same(parse(text).value, mended(json.loads(text)))


@FEW
@given(json5_texts())
def test_json5_is_what_the_package_reads_and_every_key_has_its_place(made: Made) -> None:
    text, places = made
    parsed = parse(text)
    assert same(parsed.value, mended(json5.loads(text)))
    assert {path: parsed.position(path) for path in places} == places


@MANY
@given(st.text(max_size=60))
def test_no_text_raises_anything_but_a_place_and_an_expectation(text: str) -> None:
    try:
        parse(text)
    except Json5Error as error:
        assert error.line >= 1
        assert error.expected


def loads_json5(text: str, folder: Path) -> bool:
    """Whether a new process that parses a text has loaded the json5 package afterwards."""
    (folder / "text").write_text(text, "utf-8")
    code = (
        "import sys, pathlib; from engine.config.parsing import parse;"
        "parse(pathlib.Path(sys.argv[1]).read_text('utf-8')); print('json5' in sys.modules)"
    )
    arguments = [sys.executable, "-c", code, str(folder / "text")]
    ran = subprocess.run(arguments, capture_output=True, text=True, check=True)
    return ran.stdout.strip() == "True"


@pytest.mark.parametrize(
    ("text", "loaded"),
    [
        ('{"a": [1, 2.5, null, "x"]}', False),
        ("{a: 1}", True),
        ("{a: 1," + " " * JSON5_LIMIT + "}", False),
    ],
)
def test_the_slow_package_is_loaded_for_json5_of_reasonable_size(
    text: str, loaded: bool, tmp_path: Path
) -> None:
    assert loads_json5(text, tmp_path) == loaded


def test_a_text_too_long_for_the_package_reads_the_same() -> None:
    text = "[" + "{a: 'x', b: [.5, +1, 0x10]}," * 30 + "]"
    long = text + " " * JSON5_LIMIT
    assert same(parse(long).value, parse(text).value)
    assert parse(long).position((29, "b", 2)) == parse(text).position((29, "b", 2))


def test_nesting_too_deep_for_the_package_reads_all_the_same() -> None:
    text = "[" * MAX_DEPTH + "'x'" + "]" * MAX_DEPTH
    with pytest.raises(RecursionError):
        json5.loads(text)
    assert parse(text).value == parse(text.replace("'", '"')).value


@pytest.mark.parametrize("digits", ["9" * 5000, "0x" + "f" * 5000, "[" + "9" * 5000 + ",]"])
@pytest.mark.parametrize("sign", ["", "-"])
def test_a_number_too_long_to_print_becomes_an_infinity(digits: str, sign: str) -> None:
    text = digits.replace("[", "[" + sign) if "[" in digits else sign + digits
    value = parse(text).value
    assert value in (math.inf, -math.inf, [math.inf], [-math.inf])
    assert ("-" in repr(value)) == bool(sign)


def test_surrogates_and_a_byte_order_mark_do_no_harm() -> None:
    for text in ('{"a": "\\ud83d\\ude00 \\ud800"}', "\ufeff{a: '\\ud83d\\ude00 \\ud800'}"):
        assert parse(text).value == {"a": "😀 \ufffd"}
    parsed = parse('{"\\ud800": 1}')
    assert parsed.position(("\ufffd",)) == (1, 2)
