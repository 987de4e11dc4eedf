"""A model file and the stand-in library beside it, and what its process is seen to do."""

from __future__ import annotations

import os
from pathlib import Path

from tests.fakes.gguf_bytes import Value, gguf_bytes

BINDINGS = Path(__file__).parent / "bindings"
WAIT_S = 60.0


class ModelFolder:
    """A folder with one tiny model; see ``tests.fakes.bindings.llama_cpp`` for its moods."""

    def __init__(self, folder: Path, **metadata: Value) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.model = folder / "tiny-Q8_0.gguf"
        self.model.write_bytes(gguf_bytes(1000, metadata))

    @property
    def environ(self) -> dict[str, str]:
        """An environment in which the worker finds the stand-in, and some keys."""
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(BINDINGS),
            "OPENAI_API_KEY": "sk-never-to-be-passed-on",
            "HF_TOKEN": "hf_neverpassedon0000",
        }

    def mood(self, word: str) -> None:
        """How the library behaves from now on."""
        (self.folder / "mood").write_text(word, "utf-8")

    def wait_until_it_hangs(self, alive: object) -> None:
        """Block until the library hangs; ``alive`` is called and must stay true."""
        assert callable(alive)
        while not (self.folder / "hanging").exists():
            assert alive()

    def calm_down(self) -> None:
        """Let no later text hang."""
        (self.folder / "calm").touch()

    def written(self, name: str) -> str:
        """What the library left behind under a name."""
        return (self.folder / name).read_text("utf-8")


def gone(pid: int) -> bool:
    """True when no process (but for its unread exit code) has this id."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state in "ZX"
