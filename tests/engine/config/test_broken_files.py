"""A file that cannot be used costs its settings, never the start."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.config.document import MAX_BYTES, read_document
from tests.engine.config.desk import Desk, problem, value


def test_a_broken_file_names_file_line_column_and_what_was_expected(desk: Desk) -> None:
    file = desk.config('{\n  "agents": {\n    "defaults" {}\n  }\n}\n')
    config = desk.resolve()
    (found,) = config.problems
    assert found.message == (
        'openclaw.json, line 3, column 16: expected ":" after the key, found "{". '
        "The file is not used; defaults apply."
    )
    assert (found.file, found.line, found.column) == (file, 3, 16)
    assert found.hint
    assert config.mode == "agent"
    assert config.config_path == file
    assert config.memory_search.query.max_results == 6


def test_a_broken_user_file_leaves_the_agents_settings_alone(desk: Desk) -> None:
    desk.memory_search({"query": {"maxResults": 9}})
    desk.user_file("{ query: { maxResults: }")
    config = desk.resolve()
    assert config.memory_search.query.max_results == 9
    assert "settings.json5, line 1, column 24" in problem(config, "settings.json5").message


@pytest.mark.parametrize("text", ["[1, 2]", '"text"', "7", "null", ""])
def test_something_else_than_an_object(desk: Desk, text: str) -> None:
    desk.config(text)
    (found,) = desk.resolve().problems
    assert "openclaw.json, line 1" in found.message
    assert "expected" in found.message


def test_a_byte_order_mark_is_no_problem(desk: Desk) -> None:
    desk.config('\ufeff{"memory": {"citations": "on"}}')
    config = desk.resolve()
    assert config.citations == "on"
    assert config.problems == ()


def test_bytes_that_are_no_utf8_are_told_with_their_line(desk: Desk) -> None:
    file = desk.config({})
    file.write_bytes(b'{\n"memory": {"citations": "on"}, "x": "caf\xe9"}')
    config = desk.resolve()
    assert config.citations == "on"
    assert problem(config, "UTF-8").line == 2


def test_nul_bytes_in_values_and_between_them(desk: Desk) -> None:
    desk.memory_search({"model": "a\0b", "store": {"path": "/x\0y"}, "extraPaths": ["\0"]})
    config = desk.resolve()
    assert config.memory_search.model == ""
    assert config.store_path == desk.state / "memory" / "main.memlens.sqlite"
    assert len([p for p in config.problems if "NUL" in p.message or "list" in p.message]) == 3
    desk.config("{\0}")
    assert "found U+0000" in desk.resolve().problems[0].message


def test_a_file_too_large_for_a_configuration(desk: Desk) -> None:
    desk.config("{}" + " " * MAX_BYTES)
    assert "1,000,000 bytes" in desk.resolve().problems[0].message


def test_deep_nesting_and_huge_numbers(desk: Desk) -> None:
    desk.config('{"a": ' + "[" * 5000)
    assert "levels of nesting" in desk.resolve().problems[0].message
    desk.config("{agents: {defaults: {memorySearch: {query: {maxResults: " + "9" * 6000 + "}}}}}")
    config = desk.resolve()
    assert config.memory_search.query.max_results == 6
    assert "found inf" in problem(config, "maxResults").message


def test_a_pipe_or_a_folder_in_place_of_the_file_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path):
        document, (found,) = read_document(path)
        assert document.root == {}
        assert "no ordinary file" in found.message


def test_a_file_that_vanished(tmp_path: Path) -> None:
    document, (found,) = read_document(tmp_path / "gone.json")
    assert document.root == {}
    assert "cannot be read (No such file or directory)" in found.message


def test_a_workspace_file_that_is_a_pipe_does_not_block(desk: Desk) -> None:
    desk.config({})
    os.mkfifo(desk.workspace / ".memlens.json5")
    assert desk.resolve().problems == ()


def test_duplicate_keys_count_where_they_stand_last(desk: Desk) -> None:
    desk.config('{memory: {citations: "on",\n citations: "off"}}')
    config = desk.resolve()
    assert config.citations == "off"
    assert value(config, "memory.citations").source.line == 2


def test_thousands_of_wrong_values_make_a_short_list(desk: Desk) -> None:
    desk.memory_search({f"key{number}": 1 for number in range(3000)})
    config = desk.resolve()
    assert len(config.problems) < 50
    assert "2960 further values" in config.problems[-1].message
