"""``memlens files``: every memory file with the state of its index entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engine.cli.output import print_json, print_lines
from engine.errors import PathError

if TYPE_CHECKING:
    from engine.cli.session import Session
    from engine.memory import MemoryEngine
    from engine.status import FileState


@click.command()
@click.argument("path", required=False)
@click.option("--chunks", "with_chunks", is_flag=True, help="List the chunks of each file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def files(session: Session, path: str | None, with_chunks: bool, as_json: bool) -> int:
    """List what is indexed, what is dirty, and what is not indexed and why."""
    with session.engine() as engine:
        states = [state for state in engine.scan() if path is None or state.path == path]
        if path is not None and not states:
            raise PathError(
                "No such memory file",
                f"{path} is neither on disk nor in the index.",
                "`memlens files` lists all paths as they are stored.",
            )
        documents = [_document(engine, state, with_chunks) for state in states]
    if as_json:
        print_json({"files": documents})
    else:
        print_lines(_lines(states, documents, with_chunks))
    return 0


def _document(engine: MemoryEngine, state: FileState, with_chunks: bool) -> dict[str, Any]:
    document: dict[str, Any] = {
        "path": state.path,
        "source": state.source,
        "size": state.size,
        "mtime": state.mtime_ms,
        "hash": state.hash,
        "state": state.state,
        "chunks": state.chunks,
    }
    if state.reason:
        document["reason"] = state.reason
    if with_chunks:
        document["chunks"] = [
            {
                "i": chunk.index,
                "startLine": chunk.start_line,
                "endLine": chunk.end_line,
                "utf16": len(chunk.text.encode("utf-16-le", "surrogatepass")) // 2,
                "hash": chunk.hash,
                "id": engine.chunk_id(chunk),
            }
            for chunk in engine.chunks(state.path)
        ]
    return document


def _lines(
    states: list[FileState], documents: list[dict[str, Any]], with_chunks: bool
) -> list[str]:
    lines = []
    for state, document in zip(states, documents, strict=True):
        why = f"  {state.reason}" if state.reason else ""
        lines.append(f"{state.state:8} {state.chunks:4} chunks  {state.path}{why}")
        if with_chunks:
            lines += [
                f"           {c['i']:3}  L{c['startLine']}-{c['endLine']}  {c['hash'][:12]}"
                for c in document["chunks"]
            ]
    return lines
