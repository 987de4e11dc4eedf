"""The model folder, which the agent's own library fills as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import PathError
from engine.local_models.address import DEFAULT_MODEL, HubRepo, WebFile, parse_address
from engine.local_models.cache import ModelCache, default_folder
from tests.fakes.gguf_bytes import gguf_bytes

NAME = "hf_ggml-org_embeddinggemma-300m-qat-Q8_0.gguf"


@pytest.fixture
def cache(tmp_path: Path) -> ModelCache:
    folder = tmp_path / "models"
    folder.mkdir()
    return ModelCache(folder)


def put(cache: ModelCache, *names: str) -> None:
    for name in names:
        (cache.folder / name).write_bytes(gguf_bytes(100))


def test_the_folder_of_the_agents_library(tmp_path: Path) -> None:
    assert default_folder(tmp_path) == tmp_path / ".node-llama-cpp" / "models"


def test_a_model_of_the_agent_is_found(cache: ModelCache) -> None:
    address = parse_address(DEFAULT_MODEL)
    assert address is not None
    assert cache.find(address) is None
    put(cache, NAME)
    assert cache.find(address) == cache.folder / NAME


def test_a_split_model_is_found_only_whole(cache: ModelCache) -> None:
    address = parse_address("hf:o/m-GGUF/m-00001-of-00002.gguf")
    assert address is not None
    put(cache, "hf_o_m-00001-of-00002.gguf")
    assert cache.find(address) is None
    put(cache, "hf_o_m-00002-of-00002.gguf")
    assert cache.find(address) == cache.folder / "hf_o_m-00001-of-00002.gguf"


def test_files_of_repositories(cache: ModelCache) -> None:
    put(cache, "hf_o_m.Q8_0.gguf")
    assert cache.find(HubRepo("o", "m-GGUF", "Q4_K_M")) is None
    assert cache.find(HubRepo("o", "m-GGUF", "q8_0")) == cache.folder / "hf_o_m.Q8_0.gguf"
    assert cache.find(HubRepo("o", "m-GGUF")) == cache.folder / "hf_o_m.Q8_0.gguf"
    put(cache, "hf_o_m.Q5_0.gguf")
    assert cache.find(HubRepo("o", "m-GGUF")) is None  # which one is meant, nobody knows
    put(cache, "hf_o_m.Q4_K_M.gguf")
    assert cache.find(HubRepo("o", "m-GGUF")) == cache.folder / "hf_o_m.Q4_K_M.gguf"
    put(cache, "hf_o_s.Q8_0-00001-of-00002.gguf", "hf_o_s.Q8_0-00002-of-00002.gguf")
    found = cache.find(HubRepo("o", "s-GGUF", "Q8_0"))
    assert found == cache.folder / "hf_o_s.Q8_0-00001-of-00002.gguf"


def test_a_web_file_that_the_agent_fetched_is_found(cache: ModelCache) -> None:
    put(cache, "m.gguf")
    assert cache.find(WebFile("https://host/dir/m.gguf?x=1")) == cache.folder / "m.gguf"


def test_the_list_tells_what_each_file_is(cache: ModelCache) -> None:
    put(cache, "good.gguf")
    (cache.folder / "bad.gguf").write_bytes(b"nothing of the kind")
    (cache.folder / "notes.txt").write_text("not a model")
    (cache.folder / "half.gguf.memlens-part").write_bytes(bytes(10))
    listed = {model.name: model for model in cache.models()}
    assert {name: model.state for name, model in listed.items()} == {
        "bad.gguf": "unreadable",
        "good.gguf": "ready",
        "half.gguf": "partial",
    }
    good = listed["good.gguf"]
    assert (good.architecture, good.dimensions, good.context_length) == ("bert", 384, 512)
    assert listed["bad.gguf"].problem == "it is no GGUF file"
    assert listed["half.gguf"].bytes == 10


def test_a_folder_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    assert ModelCache(tmp_path / "nowhere").models() == []


def test_removing_takes_all_parts_and_nothing_else(cache: ModelCache) -> None:
    put(cache, "m-00001-of-00002.gguf", "m-00002-of-00002.gguf", "other.gguf")
    (cache.folder / "m-00002-of-00002.gguf.memlens-part.json").write_text("{}")
    assert cache.remove("m-00001-of-00002.gguf") > 0
    assert [path.name for path in cache.folder.iterdir()] == ["other.gguf"]


def test_removing_a_link_leaves_what_it_points_to(cache: ModelCache, tmp_path: Path) -> None:
    outside = tmp_path / "own.gguf"
    outside.write_bytes(gguf_bytes(100))
    (cache.folder / "link.gguf").symlink_to(outside)
    cache.remove("link.gguf")
    assert outside.exists()
    assert not (cache.folder / "link.gguf").is_symlink()


@pytest.mark.parametrize("name", ["../m.gguf", "/etc/passwd", "m.txt", "", "..", "none.gguf"])
def test_only_models_of_the_folder_are_removed(
    cache: ModelCache, tmp_path: Path, name: str
) -> None:
    (tmp_path / "m.gguf").write_bytes(b"x")
    (cache.folder / "m.txt").write_text("x")
    with pytest.raises(PathError):
        cache.remove(name)
    assert (tmp_path / "m.gguf").exists()
