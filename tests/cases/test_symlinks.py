"""Case symlinks: links are skipped with their cause, and no read goes through one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.errors import PathError
from engine.sources.found import SourceRoots
from engine.sources.reading import read_found, read_range
from engine.sources.scan import scan
from tests.cases.inputs import DATA, case_copy


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """The case with the links that links.txt asks for."""
    folder = case_copy("symlinks", tmp_path)
    for line in (folder / "links.txt").read_text("utf-8").splitlines():
        if " -> " in line and not line.startswith("#"):
            name, target = line.split(" -> ")
            (folder / name).symlink_to(target)
    return folder


def _roots(case: Path) -> SourceRoots:
    config = json.loads((case / "config.json").read_text("utf-8"))
    extra = config["agents"]["defaults"]["memorySearch"]["extraPaths"]
    return SourceRoots(case / "workspace", tuple(extra))


def test_only_the_real_file_is_memory(case: Path) -> None:
    found = scan(_roots(case))
    assert [file.path for file in found.files] == ["memory/real.md"]
    text, _ = read_found(found.files[0])
    assert "foxglove" in text
    assert "marigold" not in text


def test_every_link_is_listed_with_its_cause(case: Path) -> None:
    skipped = {entry.path: entry.reason for entry in scan(_roots(case)).skipped}
    assert skipped == {
        "memory/linked.md": "Links are not followed; this one leads to a file.",
        "memory/dir": "Links are not followed; this one leads to a folder.",
        "memory/loop": "Links are not followed; this one leads back to a folder that contains it.",
        "memory/dead.md": "Links are not followed; this one leads nowhere.",
        "vault": "Links are not followed; this one leads to a folder.",
    }


@pytest.mark.parametrize(
    "path", json.loads((DATA / "symlinks/get_requests.json").read_text("utf-8"))
)
def test_only_the_real_file_can_be_read(case: Path, path: str) -> None:
    asked = path.replace("<ABSOLUTE PATH OF outside/secret.md>", str(case / "outside/secret.md"))
    if asked == "memory/real.md":
        assert "foxglove" in read_range(_roots(case), asked).text
        return
    with pytest.raises(PathError) as refused:
        read_range(_roots(case), asked)
    secret = (case / "outside/secret.md").read_text("utf-8").strip()
    assert secret not in f"{refused.value} {refused.value.hint}"
