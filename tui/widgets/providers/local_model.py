"""The model of the provider "local": its file, and the process that runs it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from tui.text import assemble
from tui.widgets.index_facts import Setting
from tui.widgets.providers.bar import bar
from tui.widgets.providers.rows import Row
from tui.wording import count, sentence, short_path, size

if TYPE_CHECKING:
    from engine.local_status import LocalModelState

HERE = "on this machine; the next text starts its process"
MISSING = "not on this machine; the first indexing, or memlens model pull, downloads it"


def local_model(state: LocalModelState, at: Setting) -> Iterator[Row]:
    """What the file is doing; the rest stands in the dialog."""
    yield Row("model", "model", _phase(state, at), _more(state, at))


def _phase(state: LocalModelState, at: Setting) -> Content:
    glyphs = at.glyphs
    if state.phase == "failed":
        why = sentence(state.error or "no reason was given")
        return assemble((f"{glyphs.failed} failed: ", "bold $text-error"), why)
    if state.phase == "missing":
        return assemble((f"{glyphs.warning} ", "$text-warning"), MISSING)
    if state.phase == "downloading":
        total = state.total_bytes
        whole = "unknown size" if total is None else size(total)
        return assemble(
            (f"{glyphs.running} downloading ", "bold $text-accent"),
            *bar(state.done_bytes, total or 0, glyphs),
            f" {size(state.done_bytes)} of {whole}",
        )
    if state.phase == "loading":
        return assemble((f"{glyphs.running} its process is starting", "bold $text-accent"))
    if state.phase == "stopped":
        return assemble((f"{glyphs.paused} ", "bold"), HERE)
    return assemble((f"{glyphs.clean} loaded", "bold $text-success"), _process(state))


def _process(state: LocalModelState) -> str:
    pid = "" if state.pid is None else f", process {state.pid}"
    return pid + ("" if state.binding is None else f", {state.binding}")


def _more(state: LocalModelState, at: Setting) -> Content:
    place = state.path or state.folder
    window = "not known yet" if state.window is None else f"{count(state.window)} tokens at a time"
    return assemble(
        ("model     ", "$text-muted"),
        f"{state.model}\n",
        ("lies in   ", "$text-muted"),
        f"{short_path(place, at.home) if place else 'not known yet'}\n",
        ("library   ", "$text-muted"),
        f"{state.binding or 'not known until it was loaded'}\n",
        ("reads     ", "$text-muted"),
        window,
    )
