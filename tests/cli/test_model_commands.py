"""``memlens model``: what a script gets, and how a person sees it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.cli.model_progress import sentence
from engine.events import ModelDownload
from tests.cli.conftest import Command
from tests.fakes.fake_hub import FakeHub
from tests.fakes.gguf_bytes import gguf_bytes

CONTENT = gguf_bytes(100_000)
URI = "hf:acme/tiny-GGUF/tiny-Q8_0.gguf"
NAME = "hf_acme_tiny-Q8_0.gguf"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    with FakeHub() as fake:
        monkeypatch.setenv("HF_ENDPOINT", fake.endpoint)
        fake.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", CONTENT)
        yield fake


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / ".node-llama-cpp" / "models"


def test_pull_list_and_remove(memlens: Command, hub: FakeHub, folder: Path) -> None:
    pulled = memlens("model", "pull", URI, "--json")
    assert pulled.code == 0
    assert pulled.json == {
        "model": URI,
        "path": str(folder / NAME),
        "bytes": len(CONTENT),
        "downloaded": True,
    }
    assert "downloading tiny-Q8_0.gguf (0.1 MB)" in pulled.err
    assert (folder / NAME).read_bytes() == CONTENT
    assert memlens("model", "pull", URI, "--json").json["downloaded"] is False

    listed = memlens("model", "list", "--json").json
    assert listed["folder"] == str(folder)
    (model,) = listed["models"]
    assert (model["name"], model["state"], model["inUse"]) == (NAME, "ready", False)
    assert (model["architecture"], model["dimensions"], model["contextLength"]) == (
        "bert",
        384,
        512,
    )

    removed = memlens("model", "remove", NAME, "--json")
    assert removed.json == {"name": NAME, "freedBytes": len(CONTENT)}
    assert list(folder.iterdir()) == []


def test_the_configured_model_is_pulled_and_marked(
    memlens: Command, hub: FakeHub, notes: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own models"
    settings = (
        *("--workspace", notes),
        *("--set", f"local.modelPath={URI}"),
        *("--set", f"local.modelCacheDir={own}"),
    )
    pulled = memlens(*settings, "model", "pull")
    assert pulled.code == 0
    assert pulled.out == f"{URI} downloaded: {own / NAME}\n"
    (own / "other.gguf").write_bytes(b"no model")
    lines = memlens(*settings, "model", "list").out.splitlines()
    assert lines == [
        f"{NAME}  0.1 MB, bert, 384 dimensions, 512 tokens  (in use)",
        "other.gguf  0.0 MB, not usable: it is no GGUF file",
    ]
    assert "removed" in memlens(*settings, "model", "remove", URI).out
    assert not (own / NAME).exists()


def test_a_file_of_ones_own_needs_no_download(
    memlens: Command, notes: Path, tmp_path: Path
) -> None:
    file = tmp_path / "own.gguf"
    at = ("--workspace", notes, "--set", f"local.modelPath={file}")
    missing = memlens(*at, "model", "pull")
    assert missing.code == 2
    assert "names a file that does not exist" in missing.err
    file.write_bytes(CONTENT)
    found = memlens(*at, "model", "pull")
    assert (found.code, found.out) == (0, f"own.gguf is here already: {file}\n")


def test_failures_have_exit_codes_and_sentences(memlens: Command, hub: FakeHub) -> None:
    wrong = memlens("model", "pull", "hf:acme/tiny-GGUF/none.gguf", "--json")
    assert wrong.code == 1
    assert wrong.json["ok"] is False
    assert wrong.json["error"]["type"] == "provider"
    assert "404" in wrong.json["error"]["message"]
    assert memlens("model", "pull", "tiny.gguf").code == 2
    assert memlens("model", "pull", "hf:tiny").code == 2
    unknown = memlens("model", "remove", "none.gguf", "--json")
    assert (unknown.code, unknown.json["error"]["type"]) == (1, "path")
    assert memlens("model", "list").out == ""


def test_no_token_is_printed(
    memlens: Command, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = "hf_tellnobodytellnobody"
    monkeypatch.setenv("HF_TOKEN", token)
    hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", CONTENT, gated=True)
    said = memlens("model", "pull", URI)
    assert said.code == 1
    assert token not in said.out + said.err


def test_index_and_status_tell_of_the_model(
    memlens: Command, hub: FakeHub, notes: Path, folder: Path
) -> None:
    hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", gguf_bytes(1000, {"bert.pooling_type": 4}))
    at = ("--workspace", notes, "--set", "provider=local", "--set", f"local.modelPath={URI}")
    before = memlens(*at, "status").out
    assert "Model       not on this machine yet; memlens model pull downloads it" in before
    indexed = memlens(*at, "index")
    assert indexed.code == 1
    assert "downloading tiny-Q8_0.gguf" in indexed.err
    assert "is a model for ranking" in indexed.err
    assert (folder / NAME).exists()
    after = memlens(*at, "status", "--json").json[0]["status"]["custom"]["providerState"]
    assert (after["provider"], after["local"]["phase"]) == ("local", "stopped")
    deep = memlens(*at, "status", "--deep")
    assert "Model       " + str(folder / NAME) in deep.out
    assert "is a model for ranking" in deep.out


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ModelDownload("m", 0, None), "m  0.0 MB"),
        (
            ModelDownload("m", 25_000_000, 100_000_000, 5e6, 75.0),
            "m [######------------------] 25% 25.0 MB of 100.0 MB, 5.0 MB/s, 1 min 15 s left",
        ),
        (
            ModelDownload("m", 5_000_000, 10_000_000, None, None, "waiting"),
            "m [############------------] 50% 5.0 MB of 10.0 MB, by another process",
        ),
        (
            ModelDownload("m", 10, 10, None, None, "verifying"),
            "m: checking [########################] 100%",
        ),
        (ModelDownload("m", 10_000_000, 10_000_000, None, None, "done"), "m: complete, 10.0 MB"),
    ],
)
def test_the_line_of_a_download(event: ModelDownload, line: str) -> None:
    assert sentence(event) == line
