"""No path, however it is spelled, reads what the rules do not allow."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import PathError
from engine.sources.access import resolve_memory_path
from engine.sources.found import SourceRoots
from engine.sources.reading import read_range

SECRET = "SECRET"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace among secrets, with links of every kind that lead to them."""
    top = tmp_path / "ws"
    for folder in ("memory/sub", "docs", ".git"):
        (top / folder).mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    for secret in ("../secret.md", "../outside/secret.md", "secret.md", "memory/a.txt"):
        (top / secret).write_text(SECRET, "utf-8")
    for note in ("MEMORY.md", "memory/a.md", "memory/sub/b.md", "docs/c.md"):
        (top / note).write_text("fine", "utf-8")
    (top / ".git/x.md").write_text(SECRET, "utf-8")
    (top / "memory/link.md").symlink_to("../secret.md")
    (top / "memory/linkdir").symlink_to("../../outside")
    (top / "memory/up").symlink_to("../..")
    (top / "docs/link").symlink_to("../../outside")
    (top / "linked").symlink_to("../outside")
    return top


_NAMES = (
    "memory sub .. . a.md b.md secret.md link.md linkdir up docs link linked c.md MEMORY.md ws "
    "outside a.txt \\ memory\\a.md ..\\secret.md é ~ .git x.md"
)
_PARTS = st.sampled_from([*_NAMES.split(), "", " ", "\0", "\ud83d", "x" * 300])


@given(st.lists(_PARTS, max_size=7), st.booleans())
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_secrets_stay_secret(workspace: Path, parts: list[str], absolute: bool) -> None:
    path = "/".join(parts)
    asked = f"{workspace}/{path}" if absolute else path
    for roots in (SourceRoots(workspace), SourceRoots(workspace, ("docs", "linked"))):
        try:
            text = read_range(roots, asked).text
        except PathError as refused:
            text = f"{refused} {refused.hint}"
        assert SECRET not in text


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("", "No path was given"),
        (" \t", "No path was given"),
        ("memory/a.md\0", "no path can have"),
        ("memory/\ud83d.md", "no path can have"),
        ("../secret.md", "outside the memory"),
        ("memory/../secret.md", "outside the memory"),
        ("secret.md", "outside the memory"),
        ("docs/c.md", "outside the memory"),
        ("memory/a.txt", r"does not end in \.md"),
        ("memory/link.md", r"memory/link\.md is a link"),
        ("memory/linkdir/secret.md", "memory/linkdir is a link"),
        ("memory/linkdir/none.md", "memory/linkdir is a link"),
        ("memory/up/ws/memory/a.md", "memory/up is a link"),
    ],
)
def test_refusals_say_why(workspace: Path, path: str, why: str) -> None:
    with pytest.raises(PathError, match=why):
        resolve_memory_path(SourceRoots(workspace), path)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("memory/a.md", "memory/a.md"),
        (" ./memory/sub/../a.md ", "memory/a.md"),
        ("memory/linkdir/../a.md", "memory/a.md"),
        ("memory/new.md", "memory/new.md"),
        ("MEMORY.md", "MEMORY.md"),
    ],
)
def test_allowed_paths_lead_to_their_place(workspace: Path, path: str, place: str) -> None:
    roots = SourceRoots(workspace)
    assert resolve_memory_path(roots, path) == workspace / place
    assert resolve_memory_path(roots, str(workspace / path.strip())) == workspace / place


def test_extra_paths_open_what_they_name_and_no_more(workspace: Path) -> None:
    roots = SourceRoots(workspace, ("docs", "linked", "../outside/secret.md"))
    assert read_range(roots, "docs/c.md").text == "fine"
    assert read_range(roots, "../outside/secret.md").text == SECRET
    for path in ("docs", "docs/link/secret.md", "linked/secret.md", "../outside/other.md"):
        with pytest.raises(PathError):
            read_range(roots, path)


def test_a_plain_folder_opens_its_notes_but_not_vendor_folders(workspace: Path) -> None:
    roots = SourceRoots(workspace, plain_folder=True)
    assert read_range(roots, "docs/c.md").text == "fine"
    for path in (".git/x.md", "../secret.md", "docs/link/secret.md", "memory/link.md"):
        with pytest.raises(PathError):
            read_range(roots, path)


def test_a_workspace_behind_a_link_can_be_read(workspace: Path) -> None:
    link = workspace.parent / "agent"
    link.symlink_to(workspace)
    assert read_range(SourceRoots(link), "memory/a.md").text == "fine"
