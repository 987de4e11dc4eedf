"""Borders that a reader of the folder tree relies on, checked on what is really loaded."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCREEN = {"tui", "textual", "rich", "themes"}
HEAVY = {"numpy", "pydantic", "apsw", "sqlite_vec", "httpx", "watchfiles", "json5"}


def loaded_by(statement: str) -> set[str]:
    """Top-level modules that a fresh interpreter holds after the statement."""
    code = f"{statement}\nimport sys\nprint(*sorted({{m.split('.')[0] for m in sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def engine_modules() -> list[str]:
    files = sorted((ROOT / "engine").rglob("*.py"))
    names = [".".join(f.relative_to(ROOT).with_suffix("").parts) for f in files]
    return [n.removesuffix(".__init__") for n in names if not n.endswith("distil_static")]


def test_no_engine_module_reaches_the_screen() -> None:
    statement = (
        "import importlib\nfor m in " + repr(engine_modules()) + ": importlib.import_module(m)"
    )
    assert not loaded_by(statement) & SCREEN


@pytest.mark.parametrize("statement", ["import engine", "import engine.memory, engine.status"])
def test_the_facade_loads_nothing_heavy(statement: str) -> None:
    assert not loaded_by(statement) & HEAVY


def test_the_first_frame_loads_nothing_heavy() -> None:
    assert not loaded_by("import tui.app") & HEAVY


def test_sub_commands_never_load_the_screens() -> None:
    assert not loaded_by("import tui.__main__, engine.cli.main, engine.cli.search") & {"textual"}


def tracked_texts() -> list[tuple[str, str]]:
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode("utf-8")
    found = []
    for name in filter(None, names.split("\0")):
        data = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b""
        if b"\0" not in data:
            found.append((name, data.decode("utf-8", "replace")))
    return found


def test_no_machine_path_or_registry_host_is_committed() -> None:
    hosts = r"py" + r"pi\.org|np" + r"mjs\.(org|com)|deb\.deb" + r"ian\.org"
    leak = re.compile(r"(^|[\"' (=])/(wo" + r"rk|fa" + r"rm|ro" + r"ot)/|" + hosts)
    assert [name for name, text in tracked_texts() if leak.search(text)] == []


def test_every_file_stays_readable_in_size() -> None:
    long = {}
    for name, text in tracked_texts():
        if name.endswith(".py") and not name.endswith("distil_static.py"):
            long[name] = text.count("\n")
    assert {name: n for name, n in long.items() if n > 500} == {}


def test_the_wheel_holds_the_data_files(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "-q", "--wheel", "--no-isolation"]
    subprocess.run([*command, "--outdir", str(tmp_path)], cwd=ROOT, check=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = wheel.namelist()
    assert sum(name.startswith("engine/demo/workspace/") for name in names) >= 55
    assert sum(name.startswith("themes/") and name.endswith(".toml") for name in names) >= 5
    wanted = ("model.safetensors", "vocab.txt", "NOTICE", ".tcss", "py.typed")
    assert [end for end in wanted if not any(name.endswith(end) for name in names)] == []
    assert not any(name.startswith("tests/") or "distil_static" in name for name in names)
