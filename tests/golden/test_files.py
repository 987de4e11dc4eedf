"""The files of the original index: path, source, size and hash, as ours holds them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.store.contract import FileRow
from tests.engine.agent_home import AgentHome
from tests.golden.vectors import WORKSPACE, vectors

pytestmark = pytest.mark.golden

LISTS = ("files-400-80.json", "files-extra.json")
EXTRA: dict[str, list[str]] = {
    "files-400-80.json": [],
    "files-extra.json": vectors("layout.json")["extraPaths"],
}
VERSIONS = ("2026.2.26", "2026.3.13")

Indexed = dict[tuple[str, str], dict[str, FileRow]]
"""Files by path, for each list and version."""


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    """What the facade indexed, for each list and version."""
    return {
        (name, version): _index(tmp_path_factory.mktemp("files"), name, version)
        for name in LISTS
        for version in VERSIONS
    }


def _index(folder: Path, name: str, version: str) -> dict[str, FileRow]:
    home = AgentHome(folder, elsewhere=WORKSPACE)
    search = {"provider": "none", "extraPaths": EXTRA[name]}
    home.configure(search, meta={"lastTouchedVersion": version})
    with home.open() as engine:
        engine.sync("demand")
        return {row.path: row for row in engine.store.reader.files()}


def _cases() -> Iterator[Any]:
    for name in LISTS:
        for row in vectors(name)["files"]:
            for version in VERSIONS:
                yield pytest.param(name, version, row, id=f"{name}-{version}-{row['path']}")


@pytest.mark.parametrize(("name", "version", "row"), list(_cases()))
def test_a_file_as_the_original_indexed_it(
    name: str, version: str, row: dict[str, Any], indexed: Indexed
) -> None:
    found = indexed[name, version][row["path"]]
    assert (found.source, found.size, found.hash) == (row["source"], row["size"], row["hash"])


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", LISTS)
def test_the_original_indexed_no_other_file(name: str, version: str, indexed: Indexed) -> None:
    paths = {row["path"] for row in vectors(name)["files"]}
    assert indexed[name, version].keys() == paths
    assert len(paths) == {"files-400-80.json": 31, "files-extra.json": 35}[name]
