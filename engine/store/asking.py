"""Answers of a query as plain rows."""

from __future__ import annotations

from typing import Any

import apsw

Row = tuple[Any, ...]
Bound = tuple[Any, ...] | dict[str, Any]


def rows(connection: apsw.Connection, sql: str, bound: Bound = ()) -> list[Row]:
    """All rows."""
    return list(connection.execute(sql, bound))


def row(connection: apsw.Connection, sql: str, bound: Bound = ()) -> Row:
    """The one row that there must be."""
    found: Row = next(connection.execute(sql, bound))
    return found


def value(connection: apsw.Connection, sql: str, bound: Bound = ()) -> Any:
    """The first column of the first row, None without rows."""
    found: Row | None = next(connection.execute(sql, bound), None)
    return None if found is None else found[0]
