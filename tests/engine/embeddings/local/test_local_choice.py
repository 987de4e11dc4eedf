"""When the provider ``local`` is taken, with which model, and what it says when it is not."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.embeddings.local.settings import LocalSettings
from engine.embeddings.selection.choice import ProviderChoice
from engine.embeddings.selection.choosing import select_provider
from engine.embeddings.selection.provider_request import ProviderRequest
from engine.local_models.address import DEFAULT_MODEL, EARLIER_DEFAULT
from tests.fakes.gguf_bytes import gguf_bytes

ROOT = Path(__file__).resolve().parents[4]
DEFAULT_NAME = "hf_ggml-org_embeddinggemma-300m-qat-Q8_0.gguf"
EARLIER_NAME = "hf_ggml-org_embeddinggemma-300M-Q8_0.gguf"


def choose(request: ProviderRequest, **environ: str) -> ProviderChoice:
    return select_provider(request, environ, 1_770_000_000_000.0)


@pytest.fixture
def request_(tmp_path: Path) -> ProviderRequest:
    workspace, home = tmp_path / "notes", tmp_path / "home"
    workspace.mkdir()
    (home / ".node-llama-cpp" / "models").mkdir(parents=True)
    return ProviderRequest(workspace=workspace, home=home)


def settings_of(choice: ProviderChoice) -> LocalSettings:
    assert isinstance(choice.settings, LocalSettings)
    return choice.settings


def put(folder: Path, name: str, size: int = 5000) -> Path:
    path = folder / name
    path.write_bytes(gguf_bytes(size))
    return path


def models(request: ProviderRequest) -> Path:
    assert request.home is not None
    return request.home / ".node-llama-cpp" / "models"


def test_a_model_file_comes_first_in_the_order(request_: ProviderRequest) -> None:
    file = put(request_.workspace, "m.gguf")
    choice = choose(replace(request_, local_model_path="m.gguf"), OPENAI_API_KEY="sk-x-123456789")
    assert (choice.provider, choice.model, choice.remote) == ("local", "m.gguf", False)
    assert (choice.mode, choice.agent_provider) == ("active", "local")
    assert settings_of(choice).present() == file


@pytest.mark.parametrize("path", ["", "hf:o/r/f.gguf", "https://host/f.gguf", "gone.gguf"])
def test_the_order_takes_files_that_exist_and_nothing_else(
    request_: ProviderRequest, path: str
) -> None:
    put(models(request_), DEFAULT_NAME)
    choice = choose(replace(request_, local_model_path=path))
    assert choice.provider == "builtin"
    assert choice.passed_over[0].provider == "local"
    assert choice.agent_provider == "none"


def test_named_without_a_path_it_is_the_agents_default(request_: ProviderRequest) -> None:
    named = replace(request_, provider="local")
    choice = choose(named)
    assert (choice.provider, choice.model) == ("local", DEFAULT_MODEL)
    assert settings_of(choice).present() is None
    earlier = put(models(request_), EARLIER_NAME)
    assert choose(named).model == EARLIER_DEFAULT
    assert settings_of(choose(named)).present() == earlier
    default = put(models(request_), DEFAULT_NAME)
    assert settings_of(choose(named)).present() == default


def test_the_later_name_of_the_provider(request_: ProviderRequest) -> None:
    put(request_.workspace, "m.gguf")
    choice = choose(replace(request_, provider="llama-cpp", local_model_path="m.gguf"))
    assert choice.provider == "local"


def test_paths_count_from_workspace_home_and_model_folder(request_: ProviderRequest) -> None:
    assert request_.home is not None
    named = replace(request_, provider="local")
    in_folder = put(models(request_), "x.gguf")
    assert settings_of(choose(replace(named, local_model_path="x.gguf"))).present() == in_folder
    in_notes = put(request_.workspace, "x.gguf")
    assert settings_of(choose(replace(named, local_model_path="x.gguf"))).present() == in_notes
    at_home = put(request_.home, "y.gguf")
    assert settings_of(choose(replace(named, local_model_path="~/y.gguf"))).present() == at_home


def test_a_folder_of_ones_own(request_: ProviderRequest, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    file = put(own, DEFAULT_NAME)
    choice = choose(replace(request_, provider="local", local_cache_dir=str(own)))
    assert settings_of(choice).present() == file


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("gone.gguf", "names no existing file"),
        ("hf:o", "does not name a model file"),
        ("http://u:geheim@host/m.gguf", "password"),
        ("nul\0.gguf", "names no existing file"),
    ],
)
def test_a_model_that_cannot_be_meant(request_: ProviderRequest, path: str, words: str) -> None:
    choice = choose(replace(request_, provider="local", local_model_path=path))
    assert (choice.provider, choice.mode) == ("none", "degraded")
    assert words in (choice.error or "")
    assert choice.hint
    assert "geheim" not in repr(choice)


WITHOUT_LIBRARIES = """
import sys
from pathlib import Path
from engine.embeddings.selection.choosing import select_provider
from engine.embeddings.selection.provider_request import ProviderRequest
sys.modules["xllamacpp"] = sys.modules["llama_cpp"] = None
folder = Path(sys.argv[1])
for provider in ("auto", "local"):
    request = ProviderRequest(
        provider=provider, local_model_path="m.gguf", workspace=folder, home=folder
    )
    choice = select_provider(request, {}, 0.0)
    print(choice.provider, choice.passed_over, choice.error, choice.hint)
"""


def test_without_a_library_the_command_is_named(request_: ProviderRequest) -> None:
    put(request_.workspace, "m.gguf")
    said = subprocess.run(
        [sys.executable, "-c", WITHOUT_LIBRARIES, str(request_.workspace)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert said[0].startswith("builtin ")
    assert said[1].startswith("none ")
    assert all("pip install 'memlens[local-prebuilt]'" in line for line in said)


def test_without_a_home_there_is_no_folder() -> None:
    choice = choose(ProviderRequest(provider="local"))
    assert "no home folder" in (choice.error or "")


def test_a_fallback_takes_over_from_a_model_that_cannot_be_used(
    request_: ProviderRequest,
) -> None:
    request = replace(request_, provider="local", local_model_path="gone.gguf", fallback="builtin")
    choice = choose(request)
    assert (choice.provider, choice.fallback_from) == ("builtin", "local")


def test_it_can_be_the_fallback(request_: ProviderRequest) -> None:
    put(request_.workspace, "m.gguf")
    request = replace(request_, provider="openai", fallback="local", local_model_path="m.gguf")
    assert choose(request).provider == "local"
    ready = choose(request, OPENAI_API_KEY="sk-x-123456789")
    assert ready.provider == "openai"
    assert ready.standby is not None and ready.standby.provider == "local"


def test_other_content_is_another_vector_space(request_: ProviderRequest) -> None:
    named = replace(request_, provider="local", local_model_path="m.gguf")
    file = put(request_.workspace, "m.gguf")
    first = settings_of(choose(named))
    moved = request_.workspace / "moved"
    moved.mkdir()
    file.rename(moved / "m.gguf")
    assert settings_of(choose(replace(named, local_model_path="moved/m.gguf"))) != first
    assert (
        settings_of(choose(replace(named, local_model_path="moved/m.gguf"))).endpoint
        == first.endpoint
    )
    content = bytearray(gguf_bytes(5000))
    content[3000] ^= 1
    file.write_bytes(content)
    assert settings_of(choose(named)).endpoint != first.endpoint
    window = settings_of(choose(replace(named, local_context=512)))
    assert window.endpoint != settings_of(choose(named)).endpoint
    assert window.context == 512


def test_spellings_of_an_address_are_one_vector_space(request_: ProviderRequest) -> None:
    found = [
        settings_of(choose(replace(request_, provider="local", local_model_path=path)))
        for path in ("hf:o/r/f.gguf", "huggingface://o/r/f.gguf", "hf:o/r/f.gguf#main")
    ]
    assert len({(each.model, each.endpoint) for each in found}) == 1


def test_a_demo_never_runs_it(request_: ProviderRequest) -> None:
    assert choose(replace(request_, mode="demo", provider="local")).provider == "builtin"


def test_a_plain_folder_runs_it_when_it_is_named(request_: ProviderRequest) -> None:
    put(request_.workspace, "m.gguf")
    request = replace(request_, mode="folder", local_model_path="m.gguf")
    assert choose(request).provider == "builtin"
    assert choose(replace(request, provider="local")).provider == "local"
