"""A key in the environment is no consent: the demo and a plain folder send nothing."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

WATCHED = """
import sys
seen = []
sys.addaudithook(lambda name, args: seen.append(name) if name in {
    "socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname"} else None)
from tui.__main__ import main
code = main(sys.argv[1:])
sys.stderr.write("\\nREACHED OUT: " + " ".join(seen) + "\\n")
sys.exit(code)
"""


@pytest.fixture
def proxy() -> Iterator[tuple[str, list[bytes]]]:
    """A listener that every proxy variable points at, and what it was sent."""
    heard: list[bytes] = []
    server = socket.create_server(("127.0.0.1", 0))

    def listen() -> None:
        while True:
            try:
                caller, _ = server.accept()
            except OSError:
                return
            heard.append(caller.recv(4096))
            caller.close()

    threading.Thread(target=listen, daemon=True).start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}", heard
    server.close()


def environment(tmp_path: Path, proxy: str) -> dict[str, str]:
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "https_proxy"), proxy)
    keys = {f"{name}_API_KEY": "key-that-nobody-chose" for name in ("OPENAI", "GEMINI", "VOYAGE")}
    places = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    return {"PATH": os.environ["PATH"], **proxies, **keys, **places}


@pytest.mark.parametrize("where", ["demo", "folder"])
def test_nothing_is_sent(tmp_path: Path, proxy: tuple[str, list[bytes]], where: str) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("The kettle is blue.\n", "utf-8")
    target = ["--demo"] if where == "demo" else ["--workspace", str(notes)]
    address, heard = proxy
    for command in (["index"], ["search", "kettle", "--json"], ["status", "--deep", "--json"]):
        done = subprocess.run(
            [sys.executable, "-c", WATCHED, *target, *command],
            env=environment(tmp_path, address),
            cwd=Path(__file__).resolve().parents[2],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr.rstrip().endswith("REACHED OUT:")
        assert "key-that-nobody-chose" not in done.stdout + done.stderr
    assert heard == []
    assert "OPENAI_API_KEY" in done.stdout
