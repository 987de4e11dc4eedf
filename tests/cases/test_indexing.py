"""Cases on names, heads, lines, links and size, through the whole of indexing."""

from __future__ import annotations

import json
from pathlib import Path

from engine.embeddings.builtin.provider import BuiltinProvider
from engine.events import Notice
from tests.cases.desk import case_desk, lines_with
from tests.cases.inputs import DATA
from tests.engine.index.desk import by_path


def test_heads_are_text_like_any_other(tmp_path: Path) -> None:
    desk = case_desk("front-matter", tmp_path)
    report = desk.sync(BuiltinProvider())
    assert (report.files_indexed, report.skipped) == (5, ())
    warnings = [notice.text for notice in desk.told(Notice)]
    assert [text.split(":")[0] for text in warnings] == ["memory/bad.md"]
    assert lines_with(desk, "ER605") == [("memory/head.md", 7)]
    assert lines_with(desk, "quince") == [("memory/bom.md", 4)]
    assert lines_with(desk, "medlar") == [("memory/crlf.md", 4)]
    assert lines_with(desk, "damson") == [("memory/bad.md", 5)]
    assert lines_with(desk, "sloe") == [("memory/rule.md", 3)]
    assert ("memory/head.md", 3) in lines_with(desk, "home")
    for file in (DATA / "front-matter/workspace/memory").iterdir():
        assert (desk.workspace / "memory" / file.name).read_bytes() == file.read_bytes()
    desk.close()


def test_odd_names_are_indexed_byte_for_byte(tmp_path: Path) -> None:
    desk = case_desk("odd-names", tmp_path)
    report = desk.sync(BuiltinProvider())
    names = {f"memory/{file.name}" for file in (DATA / "odd-names/workspace/memory").iterdir()}
    assert len(names) == 8
    assert report.files_indexed == 8
    assert {row.path for row in desk.store.reader.files()} == names
    states = by_path(desk.indexer(BuiltinProvider()).scan_now())
    assert {path: state.state for path, state in states.items()} == dict.fromkeys(names, "indexed")
    for row in desk.store.reader.files():
        last_word = (desk.workspace / row.path).read_text("utf-8").split()[-1].strip(".")
        assert row.path in {path for path, _ in lines_with(desk, last_word)}
    desk.close()


def test_a_note_with_many_headings_is_cut_and_found(tmp_path: Path) -> None:
    desk = case_desk("big-note", tmp_path)
    desk.sync(BuiltinProvider())
    lines = (desk.workspace / "memory/big.md").read_text("utf-8").split("\n")
    assert lines_with(desk, "Heading 199") == [("memory/big.md", lines.index("## Heading 199") + 1)]
    desk.close()


def test_lines_are_counted_as_editors_do(tmp_path: Path) -> None:
    desk = case_desk("line-count", tmp_path)
    desk.sync(BuiltinProvider())
    assert lines_with(desk, "tamarind") == [("memory/odd.md", 6)]
    assert lines_with(desk, "sumac") == [("memory/cr.md", 3)]
    desk.close()


def test_links_are_listed_and_nothing_behind_them_is_indexed(tmp_path: Path) -> None:
    config = json.loads((DATA / "symlinks/config.json").read_text("utf-8"))
    extra = config["agents"]["defaults"]["memorySearch"]["extraPaths"]
    desk = case_desk("symlinks", tmp_path, extra_paths=tuple(extra))
    for line in (tmp_path / "symlinks/links.txt").read_text("utf-8").splitlines():
        if " -> " in line and not line.startswith("#"):
            name, target = line.split(" -> ")
            (tmp_path / "symlinks" / name).symlink_to(target)
    report = desk.sync()
    skipped = {"memory/linked.md", "memory/dir", "memory/loop", "memory/dead.md", "vault"}
    assert {skip.path for skip in report.skipped} == skipped
    assert all(skip.reason for skip in report.skipped)
    states = by_path(desk.indexer().scan_now())
    assert {path for path, state in states.items() if state.state == "skipped"} == skipped
    assert lines_with(desk, "foxglove") == [("memory/real.md", 1)]
    assert lines_with(desk, "marigold") == []
    desk.close()
