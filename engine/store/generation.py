"""Generations: sets of tables named by number, of which one pointer row names the valid one.

Tables are never renamed: a renamed vec0 table cannot even be dropped any more, and an
FTS5 table loses its content.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass

import apsw

from engine.store.annotated import COLUMNS
from engine.store.asking import row, rows, value
from engine.store.contract import StoredIdentity

VECTORS = "vectors_g"
"""How the name of every vec0 table and its helper tables begins."""

_NAME = re.compile(r"_g(\d+)(?:_|$)")
_KINDS = "order by sql like 'create virtual%' desc, type = 'view' desc"


@dataclass(frozen=True, slots=True)
class Generation:
    """One generation: its number, what it was built with, and its vector table.

    ``space`` is the number of its vector space. ``vec_table`` is None until the first
    vector came; ``vec_sound`` is False once it was written without sqlite-vec.
    """

    number: int
    identity: StoredIdentity
    space: int
    vec_table: str | None
    vec_sound: bool

    @property
    def files(self) -> str:
        """The table of files."""
        return f"files_g{self.number}"

    @property
    def chunks(self) -> str:
        """The table of chunks: text, search copies where they differ, annotations."""
        return f"chunks_g{self.number}"

    @property
    def documented(self) -> str:
        """The keyword table of the documents: the configured tokenizer, the plain text."""
        return f"documented_g{self.number}"

    @property
    def tuned(self) -> str:
        """The keyword table of our own: porter stems, folded letters, CJK pairs."""
        return f"tuned_g{self.number}"

    @property
    def tuned_content(self) -> str:
        """The view that gives the tuned table its content (for rebuild and check)."""
        return f"searched_g{self.number}"


def begin_generation(
    connection: apsw.Connection, identity: StoredIdentity, now_ms: float
) -> Generation:
    """Create the tables of a new generation, inside the caller's transaction."""
    space = space_number(connection, identity.vector_space)
    connection.execute(
        "insert into generations(identity, space, created_ms) values (?, ?, ?)",
        (json.dumps(asdict(identity)), space, now_ms),
    )
    generation = Generation(connection.last_insert_rowid(), identity, space, None, False)
    _create_tables(connection, generation)
    return generation


def load_generation(connection: apsw.Connection, number: int) -> Generation:
    """The generation of that number; it must exist."""
    text, space, vec_table, vec_sound = row(
        connection,
        "select identity, space, vec_table, vec_sound from generations where id = ?",
        (number,),
    )
    return Generation(number, StoredIdentity(**json.loads(text)), space, vec_table, bool(vec_sound))


def pointer(connection: apsw.Connection) -> tuple[int | None, int]:
    """The number of the published generation (None before the first) and the revision."""
    generation, revision = row(connection, "select generation, revision from pointer")
    return generation, revision


def published(connection: apsw.Connection) -> Generation | None:
    """The published generation."""
    number, _ = pointer(connection)
    return None if number is None else load_generation(connection, number)


def all_generations(connection: apsw.Connection) -> list[Generation]:
    """Every generation of the file, published or being built."""
    numbers = rows(connection, "select id from generations order by id")
    return [load_generation(connection, number) for (number,) in numbers]


def bump_revision(connection: apsw.Connection) -> int:
    """Count the revision up, inside the caller's transaction; returns the new one."""
    connection.execute("update pointer set revision = revision + 1")
    return pointer(connection)[1]


def space_number(connection: apsw.Connection, name: str) -> int:
    """The number of a vector space, made on first sight."""
    connection.execute("insert into spaces(name) values (?) on conflict do nothing", (name,))
    return int(value(connection, "select id from spaces where name = ?", (name,)))


def drop_generation(connection: apsw.Connection, number: int) -> None:
    """Drop all tables of a generation, inside the caller's transaction.

    Without sqlite-vec its vector table cannot be dropped; it stays until ``leftovers``
    is swept by a process that has it.
    """
    vec0 = bool(rows(connection, "select 1 from pragma_module_list where name = 'vec0'"))
    for name in _tables_of(connection, number):
        # Its helper tables must stay with it, or it could never be dropped.
        if vec0 or not name.startswith(VECTORS):
            _drop(connection, name)
    connection.execute("delete from generations where id = ?", (number,))


def leftovers(connection: apsw.Connection) -> set[int]:
    """Numbers of generations that the pointer does not name but of which something is there."""
    current, _ = pointer(connection)
    numbers = {number for (number,) in rows(connection, "select id from generations")}
    names = rows(connection, "select name from sqlite_schema")
    numbers |= {int(found[1]) for (name,) in names if (found := _NAME.search(name))}
    return numbers - {current}


def _create_tables(connection: apsw.Connection, generation: Generation) -> None:
    g = generation
    connection.execute(f"""
        create table {g.files}(
            path text primary key, source text not null, hash text not null,
            size integer not null, mtime_ms real not null
        ) without rowid;
        create table {g.chunks}(
            id integer primary key autoincrement,
            path text not null, source text not null, idx integer not null,
            start_line integer not null, end_line integer not null,
            hash text not null, body text not null, folded text, cjk text,
            {", ".join(COLUMNS)}
        );
        create index {g.chunks}_path on {g.chunks}(path, idx);
        create index {g.chunks}_hash on {g.chunks}(hash);
        create view {g.tuned_content} as
            select id, coalesce(folded, body) as body, coalesce(cjk, '') as cjk from {g.chunks};
    """)
    create_tuned(connection, generation)
    create_documented(connection, generation)


def create_tuned(connection: apsw.Connection, generation: Generation) -> None:
    """Create the keyword table of our own, empty."""
    g = generation
    connection.execute(
        f"create virtual table {g.tuned} using fts5("
        f"body, cjk, content='{g.tuned_content}', content_rowid='id', "
        "tokenize='porter unicode61 remove_diacritics 2')"
    )


def create_documented(connection: apsw.Connection, generation: Generation) -> None:
    """Create the documented keyword table, empty, with the tokenizer of the identity."""
    g = generation
    tokenizer = "trigram" if g.identity.tokenizer == "trigram" else "unicode61"
    connection.execute(
        f"create virtual table {g.documented} using fts5("
        f"body, content='{g.chunks}', content_rowid='id', tokenize='{tokenizer}')"
    )


def _tables_of(connection: apsw.Connection, number: int) -> list[str]:
    names = rows(
        connection, f"select name from sqlite_schema where type in ('table', 'view') {_KINDS}"
    )
    return [name for (name,) in names if (m := _NAME.search(name)) and int(m[1]) == number]


def _drop(connection: apsw.Connection, name: str) -> None:
    found = rows(connection, "select type from sqlite_schema where name = ?", (name,))
    if not found:  # a helper table, gone with its virtual table
        return
    connection.execute(f"drop {found[0][0]} {name}")
