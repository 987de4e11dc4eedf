"""Discovery: what counts, what is left out with which reason, and that nothing raises."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.events import SkippedFile
from engine.sources.found import ScanResult, SourceRoots
from engine.sources.scan import scan

NOBODY = 65534


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    top = tmp_path / "ws"
    (top / "memory").mkdir(parents=True)
    return top


def _write(top: Path, *names: str) -> None:
    for name in names:
        file = top / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("text\n", "utf-8")


def _paths(found: ScanResult) -> list[str]:
    return [file.path for file in found.files]


def _reasons(found: ScanResult) -> dict[str, str]:
    return {entry.path: entry.reason for entry in found.skipped}


def test_files_first_then_folders_each_by_name(workspace: Path) -> None:
    _write(workspace, *(f"memory/{name}.md" for name in ("b/x", "a/z", "a/y", "c", "B", "ä")))
    assert _paths(scan(SourceRoots(workspace))) == [
        "memory/B.md",
        "memory/c.md",
        "memory/ä.md",
        "memory/a/y.md",
        "memory/a/z.md",
        "memory/b/x.md",
    ]


def test_size_and_time_are_those_of_the_file(workspace: Path) -> None:
    file = workspace / "memory/a.md"
    file.write_bytes(b"caf\xe9")
    os.utime(file, ns=(0, 1_770_000_000_123_456_789))
    (found,) = scan(SourceRoots(workspace)).files
    assert (found.size, found.source, found.absolute) == (4, "memory", file)
    assert found.mtime_ms == pytest.approx(1_770_000_000_123.456_789, abs=1e-3)


def test_names_that_are_almost_notes_are_listed_with_the_reason(workspace: Path) -> None:
    _write(workspace, *(f"memory/{n}" for n in ("A.MD", "b.markdown", "c.mdx", "d.txt", "e.png")))
    _write(workspace, "Memory.md", "AGENTS.md")
    found = scan(SourceRoots(workspace))
    assert found.files == ()
    assert _reasons(found) == {
        "Memory.md": "At the top, only MEMORY.md and memory.md are memory.",
        "memory/A.MD": "The name must end in .md, in small letters.",
        "memory/b.markdown": "Only files whose names end in .md are memory.",
        "memory/c.mdx": "Only files whose names end in .md are memory.",
        "memory/d.txt": "Only files whose names end in .md are memory.",
    }


USERS_TOO = ("MEMORY.md", "memory.md", "USER.md")


def test_the_files_at_the_top_are_those_of_the_era(workspace: Path) -> None:
    _write(workspace, "MEMORY.md", "USER.md", "AGENTS.md", "memory/USER.md")
    assert _paths(scan(SourceRoots(workspace))) == ["MEMORY.md", "memory/USER.md"]
    later = scan(SourceRoots(workspace, root_files=USERS_TOO))
    assert _paths(later) == ["MEMORY.md", "USER.md", "memory/USER.md"]
    assert later.skipped == ()


def test_a_file_at_the_top_in_other_letters_is_listed_where_it_would_count(workspace: Path) -> None:
    _write(workspace, "User.md")
    assert _reasons(scan(SourceRoots(workspace))) == {}
    reason = "At the top, only MEMORY.md, memory.md and USER.md are memory."
    assert _reasons(scan(SourceRoots(workspace, root_files=USERS_TOO))) == {"User.md": reason}
    (workspace / "USER.md").symlink_to("User.md")
    (link, other) = scan(SourceRoots(workspace, root_files=USERS_TOO)).skipped
    assert (link.path, other) == ("USER.md", SkippedFile("User.md", reason))


def test_pipes_and_sockets_are_no_notes(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(workspace / "memory/pipe.md")
    monkeypatch.chdir(workspace / "memory")  # the path of a socket may only be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.md")
        found = scan(SourceRoots(workspace))
    assert found.files == ()
    assert _reasons(found) == {
        "memory/pipe.md": "It is not a regular file.",
        "memory/socket.md": "It is not a regular file.",
    }


def test_a_folder_may_be_called_like_a_note(workspace: Path) -> None:
    _write(workspace, "memory/folder.md/inner.md")
    assert _paths(scan(SourceRoots(workspace))) == ["memory/folder.md/inner.md"]


def test_files_above_the_stated_size_are_listed(workspace: Path) -> None:
    (workspace / "memory/fits.md").write_bytes(b"x" * 2**20)
    (workspace / "memory/large.md").write_bytes(b"x" * (2**20 + 2**19))
    found = scan(SourceRoots(workspace, max_file_bytes=2**20))
    assert _paths(found) == ["memory/fits.md"]
    reason = "It has 1.5 MiB; files of more than 1.0 MiB are left out."
    assert _reasons(found) == {"memory/large.md": reason}


def test_names_that_are_not_utf8_are_listed_readably(workspace: Path) -> None:
    memory = os.fsencode(workspace / "memory")
    for name in (b"caf\xe9.md", b"dir\xff"):
        if name.endswith(b".md"):
            Path(os.fsdecode(memory + b"/" + name)).write_text("x", "utf-8")
        else:
            Path(os.fsdecode(memory + b"/" + name)).mkdir()
    found = scan(SourceRoots(workspace))
    reason = "Its name is not valid UTF-8."
    assert found.files == ()
    assert _reasons(found) == {"memory/caf\\xe9.md": reason, "memory/dir\\xff/": reason}


def test_a_plain_folder_is_memory_but_for_its_vendor_folders(tmp_path: Path) -> None:
    _write(tmp_path, "a.md", "sub/b.md", ".hidden/c.md", "todo.txt", "old.MD")
    _write(tmp_path, "node_modules/p/README.md", "sub/.git/x.md", "Memory/notes.md")
    found = scan(SourceRoots(tmp_path, plain_folder=True))
    assert _paths(found) == ["a.md", ".hidden/c.md", "Memory/notes.md", "sub/b.md"]
    vendor = "A folder of tools or copies, not of notes."
    assert _reasons(found) == {
        "old.MD": "The name must end in .md, in small letters.",
        "node_modules/": vendor,
        "sub/.git/": vendor,
    }
    assert found.issues == ()


def test_vendor_folders_inside_memory_count_as_the_documents_say(workspace: Path) -> None:
    _write(workspace, "memory/.git/y.md", "memory/node_modules/p/readme.md")
    assert len(scan(SourceRoots(workspace)).files) == 2


def test_of_two_root_spellings_the_unused_stays_out_by_every_way(workspace: Path) -> None:
    _write(workspace, "MEMORY.md", "memory.md")
    for roots in (
        SourceRoots(workspace, (".", "memory.md")),
        SourceRoots(workspace, plain_folder=True),
    ):
        assert _paths(scan(roots)) == ["MEMORY.md"]


def test_a_linked_root_file_leaves_the_other_in_use(workspace: Path) -> None:
    _write(workspace, "memory.md")
    (workspace / "MEMORY.md").symlink_to("memory.md")
    found = scan(SourceRoots(workspace))
    assert _paths(found) == ["memory.md"]
    assert list(_reasons(found)) == ["MEMORY.md"]
    assert found.issues == ()


def test_extra_paths(workspace: Path) -> None:
    _write(workspace, "../out/z.md", "../out/sub/y.md", "docs/x.md", "one.md", "readme.rst")
    extra = ("../out", " docs ", "docs", "one.md", "readme.rst", "missing", "", "../out/sub")
    found = scan(SourceRoots(workspace, extra))
    assert _paths(found) == ["../out/z.md", "../out/sub/y.md", "docs/x.md", "one.md"]
    assert _reasons(found) == {"readme.rst": "Its name does not end in .md."}
    assert found.issues == ("The extra path 'missing' does not exist.",)


def test_an_extra_path_behind_a_link_of_the_workspace_is_skipped(workspace: Path) -> None:
    _write(workspace, "../out/sub/z.md")
    (workspace / "way").symlink_to("../out")
    found = scan(SourceRoots(workspace, ("way/sub",)))
    assert found.files == ()
    assert _reasons(found) == {"way/sub": "Links are not followed; this one leads to a folder."}


def test_an_extra_path_below_a_linked_folder_elsewhere_is_the_persons_choice(
    workspace: Path,
) -> None:
    _write(workspace, "../real/notes/z.md")
    (workspace.parent / "linked").symlink_to("real")
    found = scan(SourceRoots(workspace, ("../linked/notes", "../real/notes")))
    assert _paths(found) == ["../linked/notes/z.md"]


def test_links_in_a_circle(workspace: Path) -> None:
    (workspace / "memory/a.md").symlink_to("b.md")
    (workspace / "memory/b.md").symlink_to("a.md")
    reasons = set(_reasons(scan(SourceRoots(workspace))).values())
    assert reasons == {"Links are not followed; this one leads in a circle."}


@pytest.mark.parametrize("kind", ["missing", "file", "link in a circle"])
def test_a_workspace_that_is_none(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "ws"
    if kind == "file":
        place.write_text("x", "utf-8")
    elif kind != "missing":
        place.symlink_to(place)
    found = scan(SourceRoots(place))
    assert found.files == ()
    assert len(found.issues) == 1
    assert found.issues[0].startswith("The workspace ")


def test_memory_as_a_file_is_told(workspace: Path) -> None:
    (workspace / "memory").rmdir()
    (workspace / "memory").write_text("x", "utf-8")
    expected = {"memory": "It is a file; memory/ must be a folder."}
    assert _reasons(scan(SourceRoots(workspace))) == expected


def test_folders_as_deep_as_the_system_allows(workspace: Path) -> None:
    folder = os.open(workspace / "memory", os.O_RDONLY)
    for _ in range(60):
        os.mkdir("d" * 100, dir_fd=folder)
        inner = os.open("d" * 100, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    _write(workspace, "memory/a.md")
    found = scan(SourceRoots(workspace))
    assert _paths(found) == ["memory/a.md"]
    assert [reason for reason in _reasons(found).values() if "cannot be read" in reason]


def _scan_without_privileges(workspace: Path) -> list[str]:
    """What a scan prints in a process that is not the superuser's."""
    program = (
        "import os, sys; from pathlib import Path\n"
        "from engine.sources.found import SourceRoots\n"
        "from engine.sources.scan import scan\n"
        f"os.getuid() == 0 and os.setuid({NOBODY})\n"
        "found = scan(SourceRoots(Path(sys.argv[1])))\n"
        "print([file.path for file in found.files])\n"
        "print([(entry.path, entry.reason) for entry in found.skipped])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(workspace)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout.splitlines()


def test_folders_that_may_not_be_read_are_listed() -> None:
    with TemporaryDirectory() as name:
        workspace = Path(name)
        workspace.chmod(0o755)
        _write(workspace, "memory/open.md", "memory/shut/secret.md")
        (workspace / "memory/shut").chmod(0)
        printed = _scan_without_privileges(workspace)
        (workspace / "memory/shut").chmod(0o700)
    assert printed == [
        "['memory/open.md']",
        "[('memory/shut/', 'It cannot be read: Permission denied.')]",
    ]


@given(st.lists(st.text(st.sampled_from("ab. ~\0é\udce9\ud83d*[%"), max_size=12), max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_extra_path_raises(workspace: Path, extra: list[str]) -> None:
    _write(workspace, "memory/a.md")
    assert "memory/a.md" in _paths(scan(SourceRoots(workspace, tuple(extra))))
