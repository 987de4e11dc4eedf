"""The bundled workspace: complete, editable, resettable."""

from __future__ import annotations

from pathlib import Path

from engine.demo.install import demo_folder, install_demo


def test_about_sixty_files_in_several_languages(tmp_path: Path) -> None:
    workspace = install_demo(tmp_path)
    files = sorted(p.relative_to(workspace).as_posix() for p in workspace.rglob("*.md"))
    assert 55 <= len(files) <= 70
    assert "MEMORY.md" in files
    assert "memory/中文笔记.md" in files
    assert any(p.stat().st_size > 9_000 for p in workspace.rglob("*.md"))


def test_edits_stay_until_reset(tmp_path: Path) -> None:
    note = install_demo(tmp_path) / "memory" / "bike.md"
    original = note.read_text("utf-8")
    note.write_text("changed\n", "utf-8")
    assert (install_demo(tmp_path) / "memory" / "bike.md").read_text("utf-8") == "changed\n"
    assert (install_demo(tmp_path, reset=True) / "memory" / "bike.md").read_text(
        "utf-8"
    ) == original


def test_an_interrupted_copy_is_begun_again(tmp_path: Path) -> None:
    half = demo_folder(tmp_path) / "workspace" / "memory"
    half.mkdir(parents=True)
    (half / "leftover.md").write_text("x", "utf-8")
    workspace = install_demo(tmp_path)
    assert not (workspace / "memory" / "leftover.md").exists()
    assert (workspace / "MEMORY.md").exists()
