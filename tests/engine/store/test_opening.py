"""What lies at the path decides what opening does."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import apsw
import pytest

from engine.errors import StoreError
from engine.store.asking import rows
from engine.store.schema import APPLICATION_ID, STEPS
from engine.store.suspicion import mark_path
from tests.engine.store.desk import Desk, assert_sound, file_row, look_inside, publish


def test_a_new_index_is_ours_and_set_up(desk: Desk) -> None:
    store = desk.open()

    connection = look_inside(desk.path)
    assert connection.pragma("application_id") == APPLICATION_ID
    assert connection.pragma("user_version") == len(STEPS)
    assert connection.pragma("journal_mode") == "wal"
    assert connection.pragma("auto_vacuum") == 2
    assert store.mode == "read-write"
    assert store.reader.revision() == 0
    assert store.identity() is None
    assert store.reader.files() == []
    assert desk.path.stat().st_mode & 0o077 == 0, "private text is nobody else's to read"
    connection.close()


def test_opening_again_finds_what_was_written(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()

    again = desk.open()

    assert [file.path for file in again.reader.files()] == ["a.md"]
    assert again.reader.revision() == 1


def test_a_file_that_is_not_sqlite_is_left_alone(desk: Desk) -> None:
    desk.path.parent.mkdir()
    desk.path.write_text("my shopping list")

    with pytest.raises(StoreError) as caught:
        desk.open()

    assert "no SQLite file" in caught.value.message
    assert "--store" in caught.value.hint
    assert desk.path.read_text() == "my shopping list"


def test_an_empty_file_becomes_an_index(desk: Desk) -> None:
    desk.path.parent.mkdir(parents=True, exist_ok=True)
    desk.path.touch()
    publish(desk.open(), {"a.md": ["apples"]})
    assert [row.path for row in desk.open().reader.files()] == ["a.md"]


def test_the_database_of_another_program_is_left_alone(desk: Desk) -> None:
    desk.path.parent.mkdir()
    other = sqlite3.connect(desk.path)
    other.execute("create table bookmarks(url)")
    other.commit()
    other.close()
    before = desk.path.read_bytes()

    with pytest.raises(StoreError) as caught:
        desk.open()

    assert "another program" in caught.value.message
    assert desk.path.read_bytes() == before
    assert sorted(p.name for p in desk.path.parent.iterdir()) == [desk.path.name]


def test_a_folder_at_the_path_is_refused(desk: Desk) -> None:
    desk.path.mkdir(parents=True)
    with pytest.raises(StoreError, match="is a folder"):
        desk.open()


def test_an_index_of_a_newer_version_is_refused_kindly(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    connection = look_inside(desk.path)
    connection.pragma("user_version", 99)
    connection.close()
    before = desk.path.read_bytes()

    with pytest.raises(StoreError) as caught:
        desk.open()

    assert "format 99" in caught.value.message
    assert "Update memlens" in caught.value.hint
    assert desk.path.read_bytes() == before


def test_a_newer_version_that_takes_over_a_running_process_is_noticed(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["apples"]})
    connection = look_inside(desk.path)
    connection.pragma("user_version", 99)

    with pytest.raises(StoreError, match="format 99"), store.write() as writer:
        writer.delete(["a.md"])

    assert [file.path for file in store.reader.files()] == ["a.md"]
    connection.close()


def test_an_index_damaged_twice_in_one_moment_keeps_both_copies(desk: Desk) -> None:
    for label in ("first", "second"):
        publish(desk.open(), {"a.md": [f"{label} " * 2000]})
        desk.close()
        whole = desk.path.read_bytes()
        desk.path.write_bytes(whole[: len(whole) // 2])
        desk.open()
        desk.close()

    assert len(list(desk.path.parent.glob("*.damaged-*"))) == 2
    assert len(desk.notices) == 2


def test_a_cut_off_index_is_moved_aside_and_a_fresh_one_begun(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples " * 2000]})
    desk.close()
    whole = desk.path.read_bytes()
    desk.path.write_bytes(whole[: len(whole) // 2])

    store = desk.open()

    assert store.identity() is None
    [notice] = desk.notices
    assert "moved to" in notice
    aside = next(p for p in desk.path.parent.iterdir() if "damaged" in p.name)
    assert aside.name in notice
    assert aside.read_bytes() == whole[: len(whole) // 2]
    publish(store, {"a.md": ["pears"]})
    assert_sound(desk.path)


def test_an_index_with_overwritten_tables_is_moved_aside(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    with desk.path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 8000)

    assert desk.open().identity() is None
    assert len(desk.notices) == 1


def test_damage_found_while_searching_is_looked_into_at_the_next_start(desk: Desk) -> None:
    store = desk.open()
    publish(store, {f"{n}.md": [f"apples {n} " * 300] for n in range(40)})
    generation = assert_sound(desk.path)
    assert generation is not None
    desk.close()
    _spoil_table(desk.path, f"{generation.tuned}_data")

    store = desk.open()
    with pytest.raises(StoreError) as caught:
        for n in range(40):
            store.reader.keyword("tuned", f'"{n}" OR "apples"', 10)
    assert caught.value.title == "Index damaged"
    assert mark_path(desk.path).exists()
    assert desk.notices == []
    desk.close()

    assert desk.open().identity() is None
    assert len(desk.notices) == 1
    assert not mark_path(desk.path).exists()


def test_keyword_tables_that_are_wrong_are_made_anew_not_moved_aside(desk: Desk) -> None:
    publish(desk.open(), {f"{n}.md": [f"apples {n}"] for n in range(3)})
    desk.close()
    connection = look_inside(desk.path)
    connection.execute("delete from tuned_g1_docsize where id = 2")
    connection.close()
    mark_path(desk.path).touch()

    store = desk.open()

    assert len(store.reader.keyword("tuned", '"apples"', 10)) == 3
    assert store.check().sound
    assert desk.notices == [f"{desk.path}: its keyword tables were wrong and are made anew."]
    assert not mark_path(desk.path).exists()
    assert not list(desk.path.parent.glob("*.damaged-*"))


def test_a_suspected_index_that_is_sound_stays(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    mark_path(desk.path).touch()

    assert desk.open().identity() is not None
    assert desk.notices == []
    assert not mark_path(desk.path).exists()


def test_an_index_removed_beneath_us_is_not_written_into_the_void(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["apples"]})
    desk.path.unlink()

    with pytest.raises(StoreError, match="removed or replaced"), store.write() as writer:
        writer.delete(["a.md"])


def test_a_second_store_of_one_process_keeps_its_locks(desk: Desk) -> None:
    """Looking at the file's header must not drop the locks of an open connection."""
    first = desk.open()
    publish(first, {"a.md": ["apples"]})
    with first.write() as writer:
        writer.upsert(file_row("b.md"), [])
        desk.open().close()
        outsider = look_inside(desk.path)
        with pytest.raises(apsw.BusyError):
            outsider.execute("begin immediate")
        outsider.close()
    assert len(first.reader.files()) == 2


def test_closing_twice_is_fine_and_a_closed_store_says_so(desk: Desk) -> None:
    store = desk.open()
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.reader.files()
    with pytest.raises(StoreError, match="closed"), store.write():
        pass


def test_no_place_for_an_index_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match="could not be made"):
        Desk(blocked / "main.sqlite").open()


def _spoil_table(path: Path, table: str) -> None:
    """Overwrite the leaf pages of one table with rubbish."""
    connection = apsw.Connection(str(path))
    size = int(connection.pragma("page_size"))
    pages = rows(
        connection, "select pageno from dbstat where name = ? and pagetype = 'leaf'", (table,)
    )
    connection.close()
    assert pages
    handle = os.open(path, os.O_WRONLY)
    for (page,) in pages:
        os.pwrite(handle, b"\x5a" * size, (page - 1) * size)
    os.close(handle)
