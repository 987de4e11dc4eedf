"""Write transactions on the published generation."""

from __future__ import annotations

import string
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import StoreError
from tests.engine.store.desk import (
    SPACE,
    Desk,
    assert_sound,
    cut,
    digest,
    file_row,
    publish,
    random_vectors,
    texts_found,
)


def test_an_upsert_replaces_a_file_and_all_its_chunks(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["old apples", "old pears"], "b.md": ["plums"]})

    with store.write() as writer:
        assert writer.upsert(file_row("a.md"), cut("new cherries")) == (1, 2)

    assert [chunk.text for chunk in store.reader.chunks("a.md")] == ["new cherries"]
    assert texts_found(store, '"apples"') == []
    assert texts_found(store, '"cherries"') == ["new cherries"]
    assert texts_found(store, '"plums"') == ["plums"]
    assert_sound(desk.path)


def test_a_file_written_twice_in_one_transaction_stands_once(desk: Desk) -> None:
    store = desk.open()
    publish(store, {})

    with store.write() as writer:
        writer.upsert(file_row("a.md"), cut("first", "second"))
        assert writer.upsert(file_row("a.md"), cut("third")) == (1, 2)

    assert [chunk.text for chunk in store.reader.chunks()] == ["third"]
    assert_sound(desk.path)


def test_rows_come_back_as_written(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one", "two"]}, source="sessions")

    assert store.reader.files() == [file_row("a.md", "sessions")]
    first, second = store.reader.chunks("a.md")
    assert (first.path, first.source, first.index, first.text) == ("a.md", "sessions", 0, "one")
    assert (second.start_line, second.end_line, second.hash) == (2, 3, digest("two"))
    assert store.reader.rows([second.rowid, 99]) == {second.rowid: second}


def test_row_numbers_are_never_used_again(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one", "two"]})
    before = {chunk.rowid for chunk in store.reader.chunks()}

    with store.write() as writer:
        writer.delete(["a.md"])
    with store.write() as writer:
        writer.upsert(file_row("a.md"), cut("three"))

    assert before.isdisjoint(chunk.rowid for chunk in store.reader.chunks())


def test_touch_changes_size_and_time_only(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one"]})

    with store.write() as writer:
        writer.touch(replace(file_row("a.md"), size=77, mtime_ms=1234.567))

    [file] = store.reader.files()
    assert (file.size, file.mtime_ms) == (77, 1234.567)
    assert texts_found(store, '"one"') == ["one"]


def test_delete_takes_everything_of_a_file(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one", "two"], "b.md": ["three"]}, random_vectors(["one", "two"]))

    with store.write() as writer:
        assert writer.delete(["a.md", "never-there.md"]) == 2

    assert [file.path for file in store.reader.files()] == ["b.md"]
    assert store.reader.nearest(SPACE, random_vectors(["one"])[digest("one")], 5) == []
    assert_sound(desk.path)


def test_the_revision_counts_changes_and_only_those(desk: Desk) -> None:
    store = desk.open()
    assert publish(store, {"a.md": ["one"]}) == 1
    with store.write():
        pass
    assert store.reader.revision() == 1
    with store.write() as writer:
        writer.delete(["a.md"])
    assert store.reader.revision() == 2


def test_an_error_in_the_block_undoes_all_of_it(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one"]})

    with pytest.raises(ValueError, match="stop"), store.write() as writer:
        writer.upsert(file_row("b.md"), cut("two"))
        writer.delete(["a.md"])
        raise ValueError("stop")

    assert [file.path for file in store.reader.files()] == ["a.md"]
    assert store.reader.revision() == 1
    with store.write() as writer:
        writer.upsert(file_row("b.md"), cut("two"))
    assert len(store.reader.files()) == 2


def test_writing_needs_an_index(desk: Desk) -> None:
    with pytest.raises(StoreError, match="no index yet"), desk.open().write():
        pass


def test_a_write_inside_a_write_is_refused_instead_of_waiting_for_itself(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one"]})
    with store.write() as writer:
        writer.upsert(file_row("b.md"), cut("two"))
        with pytest.raises(RuntimeError, match="middle of another write"), store.write():
            pass
    assert len(store.reader.files()) == 2


def test_names_come_back_byte_for_byte(desk: Desk) -> None:
    names = ["memory/[x].md", "memory/a'b\"c.md", "memory/ü.md", "memory/u\u0308.md", "m/\udcff.md"]
    store = desk.open()
    publish(store, {name: [f"text {at}"] for at, name in enumerate(names)})

    assert {file.path for file in store.reader.files()} == set(names)
    for at, name in enumerate(names):
        [chunk] = store.reader.chunks(name)
        assert (chunk.path, chunk.text) == (name, f"text {at}")
    assert set(store.reader.chunk_counts()) == set(names)
    numbers = [chunk.rowid for chunk in store.reader.chunks()]
    listed = store.reader.listed(numbers).values()
    assert {(chunk.path, chunk.text) for chunk in listed} == {
        (name, f"text {at}") for at, name in enumerate(names)
    }
    assert all(chunk.mtime_ms is not None for chunk in listed)


def test_nul_and_control_bytes_stay_in_the_text(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["before\x00after \x1b[31mred"]})

    assert store.reader.chunks()[0].text == "before\x00after \x1b[31mred"
    assert len(texts_found(store, '"after"')) == 1
    assert_sound(desk.path)


_WORDS = st.sampled_from(
    ["łódź", "straße", "浏览器控制", "機VLAN", "plain", "Ärger", "ｶﾞﾗｽ", "x\x00y"]
)
_TEXT = st.lists(_WORDS, max_size=4).map(" ".join) | st.text(
    alphabet=string.printable + "äßłİı漢字仮名한글ｶﾞ・", max_size=30
)
_TEXTS = st.none() | st.lists(_TEXT, max_size=3)
_STEP = st.tuples(st.sampled_from(["a.md", "b.md", "c.md"]), _TEXTS)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(batches=st.lists(st.lists(_STEP, max_size=4), min_size=1, max_size=4))
def test_any_sequence_of_writes_leaves_tables_that_agree(
    desk: Desk, batches: list[list[tuple[str, list[str] | None]]]
) -> None:
    """Model: a dictionary. None deletes a file, a list of texts replaces it."""
    store = desk.open()
    publish(store, {})
    wanted: dict[str, list[str]] = {}
    for batch in batches:
        with store.write() as writer:
            for path, texts in batch:
                if texts is None:
                    writer.delete([path])
                    wanted.pop(path, None)
                else:
                    writer.put_vectors(SPACE, random_vectors(texts, size=4))
                    writer.upsert(file_row(path), cut(*texts))
                    wanted[path] = texts

    found: dict[str, list[str]] = {file.path: [] for file in store.reader.files()}
    for chunk in store.reader.chunks():
        found[chunk.path].append(chunk.text)
    assert found == wanted
    everything = sum(len(texts) for texts in wanted.values())
    assert len(store.reader.nearest(SPACE, random_vectors(["q"], 4)[digest("q")], 99)) == everything
    assert_sound(desk.path)
    store.close()
