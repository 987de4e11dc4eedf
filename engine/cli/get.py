"""``memlens get``: a range of a memory file, as ``memory_get`` returns it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engine.cli.output import print_json, write

if TYPE_CHECKING:
    from engine.cli.session import Session


@click.command()
@click.argument("path")
@click.option("--from", "from_", type=int, help="First line, 1-based.")
@click.option("--lines", type=int, help="How many lines.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def get(session: Session, path: str, from_: int | None, lines: int | None, as_json: bool) -> int:
    """Read lines of one memory file; refused outside the memory folders."""
    with session.engine() as engine:
        found = engine.get(path, from_, lines)
    if not as_json:
        write(found.text if found.text.endswith("\n") or not found.text else found.text + "\n")
        return 0
    document: dict[str, object] = {
        "path": found.path,
        "text": found.text,
        "from": found.from_,
        "lines": found.lines,
    }
    if found.truncated:
        document |= {"truncated": True, "nextFrom": found.next_from}
    print_json(document)
    return 0
