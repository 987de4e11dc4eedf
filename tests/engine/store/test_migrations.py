"""Steps from version to version."""

from __future__ import annotations

import apsw
import pytest

from engine.events import EngineEvent, StageReached
from engine.store.schema import STEPS, migrate
from tests.engine.store.desk import Desk, look_inside, publish


def _add_table(connection: apsw.Connection) -> None:
    connection.execute("create table extra(x)")


def _fail_half_way(connection: apsw.Connection) -> None:
    connection.execute("create table half(x)")
    raise apsw.SQLError("no")


def test_each_missing_step_is_taken_once(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    connection, seen = look_inside(desk.path), list[EngineEvent]()
    steps = (*STEPS, _add_table)

    migrate(connection, desk.path, seen.append, steps)
    migrate(connection, desk.path, seen.append, steps)

    assert seen == [StageReached("migration-step")]
    assert connection.pragma("user_version") == len(steps)
    assert connection.table_exists("main", "extra")
    connection.close()


def test_a_failing_step_leaves_the_version_before_it(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    connection = look_inside(desk.path)

    with pytest.raises(apsw.SQLError):
        migrate(connection, desk.path, lambda _: None, (*STEPS, _add_table, _fail_half_way))

    assert connection.pragma("user_version") == len(STEPS) + 1
    assert not connection.table_exists("main", "half")
    connection.close()


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_every_older_version_reaches_the_present(desk: Desk, version: int) -> None:
    desk.path.parent.mkdir()
    connection = apsw.Connection(str(desk.path))
    connection.pragma("auto_vacuum", "incremental")
    migrate(connection, desk.path, lambda _: None, STEPS[:version])
    connection.close()

    store = desk.open()

    publish(store, {"a.md": ["apples"]})
    assert [hit.rowid for hit in store.reader.keyword("tuned", '"apples"', 5)] == [1]
