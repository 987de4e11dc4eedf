"""What a model may be called, and what its file is called then.

The file names are those of node-llama-cpp (its parseModelUri), worked out by hand.
"""

from __future__ import annotations

import pytest

from engine.errors import ProviderError
from engine.local_models.address import (
    DEFAULT_MODEL,
    EARLIER_DEFAULT,
    HubFile,
    HubRepo,
    WebFile,
    parse_address,
)
from engine.local_models.cache_names import hub_file_name, hub_repo_names, web_file_names
from engine.local_models.hub import Hub, hub_of
from engine.local_models.quantisation import quantisation_of

FILE = HubFile("org", "repo-GGUF", "dir/file.gguf")


@pytest.mark.parametrize(
    "text",
    [
        "hf:org/repo-GGUF/dir/file.gguf",
        "hf://org/repo-GGUF/dir/file.gguf",
        "HF:org/repo-GGUF/dir/file.gguf",
        "huggingface:org/repo-GGUF/dir/file.gguf",
        "huggingface://org/repo-GGUF/dir/file.gguf",
        "hf.co/org/repo-GGUF/dir/file.gguf",
        "huggingface.co/org/repo-GGUF/dir/file.gguf",
        "https://huggingface.co/org/repo-GGUF/resolve/main/dir/file.gguf?download=true",
        "https://hf.co/org/repo-GGUF/blob/main/dir/file.gguf",
        "  hf:org/repo-GGUF/dir/file.gguf#main ",
        "hf:org/repo-GGUF/dir/file.gguf#",
    ],
)
def test_all_spellings_of_one_file(text: str) -> None:
    assert parse_address(text) == FILE
    assert FILE.name == "hf:org/repo-GGUF/dir/file.gguf"


def test_branches_repositories_and_other_hosts() -> None:
    branch = parse_address("hf:o/r/f.gguf#dev")
    assert branch == HubFile("o", "r", "f.gguf", "dev")
    assert parse_address(branch.name) == branch
    assert parse_address("hf:o/r") == HubRepo("o", "r")
    assert parse_address("hf:o/r:Q8_0") == HubRepo("o", "r", "Q8_0")
    assert parse_address("hf://o/r-GGUF:q4_k_m") == HubRepo("o", "r-GGUF", "q4_k_m")
    assert parse_address("https://host/a%20b.gguf") == WebFile("https://host/a%20b.gguf")


@pytest.mark.parametrize("text", ["model.gguf", "~/m.gguf", "/models/m.gguf", "./hf/m.gguf", ""])
def test_paths_are_no_addresses(text: str) -> None:
    assert parse_address(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "hf:",
        "hf:org",
        "hf:/repo/file.gguf",
        "hf:org/repo/../../x.gguf",
        "hf:org//file.gguf",
        "hf:..:Q8",
        "hf:org/re\x00po/file.gguf",
        "https://",
        "https://host",
        "https://host/",
        "http://user:geheim@host/m.gguf",
    ],
)
def test_malformed_addresses_say_what_to_write(text: str) -> None:
    with pytest.raises(ProviderError) as caught:
        parse_address(text)
    assert caught.value.hint
    assert "geheim" not in str(caught.value)


def test_a_secret_in_a_query_is_sent_but_not_shown() -> None:
    address = parse_address("https://host/m.gguf?token=geheim&rev=2")
    assert isinstance(address, WebFile)
    assert address.name == "https://host/m.gguf?rev=2"
    assert "geheim" not in repr(address)
    assert "geheim" in address.url


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        (DEFAULT_MODEL, "hf_ggml-org_embeddinggemma-300m-qat-Q8_0.gguf"),
        (EARLIER_DEFAULT, "hf_ggml-org_embeddinggemma-300M-Q8_0.gguf"),
        ("hf:o/r/f.gguf", "hf_o_r_f.gguf"),
        ("hf:o/r-GGUF/f.gguf", "hf_o_r-GGUF_f.gguf"),
        ("hf:o/f-GGUF/F-Q4_K_M.gguf", "hf_o_F-Q4_K_M.gguf"),
        ("hf:o/f-GGUF/f.gguf#dev", "hf_o_f-GGUF_dev_f.gguf"),
        ("hf:o/f-GGUF/a/b/f.gguf", "hf_o_a__b_f.gguf"),
        ("hf:o/f-GGUF/f/f.gguf", "hf_o_f.gguf"),
        (
            "hf:o/f-GGUF/f-q8/f-q8-00001-of-00002.gguf",
            "hf_o_f-q8-00001-of-00002.gguf",
        ),
        ("hf:o/r/a:b?c.gguf", None),
        ("hf:o/r/a:b.gguf", "hf_o_r_a!b.gguf"),
    ],
)
def test_names_of_hub_files(uri: str, name: str | None) -> None:
    if name is None:
        with pytest.raises(ProviderError):
            parse_address(uri)
        return
    address = parse_address(uri)
    assert isinstance(address, HubFile)
    assert hub_file_name(address) == name


def test_names_of_repositories() -> None:
    assert hub_repo_names(HubRepo("o", "m-GGUF", "q8_0")) == ("hf_o_m.Q8_0.gguf",)
    assert hub_repo_names(HubRepo("o", "m-GGUF")) == ("hf_o_m.Q4_K_M.gguf", "hf_o_m.gguf")
    assert hub_repo_names(HubRepo("o", "m", "F16")) == ("hf_o_m_m.F16.gguf",)


def test_very_long_names_stay_usable() -> None:
    address = HubFile("o", "r", "x" * 300 + ".gguf")
    name = hub_file_name(address)
    assert name.endswith("x.gguf")
    assert len(name) < 255
    assert web_file_names(WebFile(f"https://host/{'y' * 300}.gguf"))[0].endswith(".gguf")


@pytest.mark.parametrize(
    ("name", "quantisation"),
    [
        ("embeddinggemma-300m-qat-Q8_0.gguf", "Q8_0"),
        ("model.q4_k_m.gguf", "Q4_K_M"),
        ("all-MiniLM-L6-v2-f16.gguf", "F16"),
        ("m-IQ3_XXS-00001-of-00003.gguf", "IQ3_XXS"),
        ("model.gguf", ""),
        ("gte-q8_0x.gguf", ""),
    ],
)
def test_quantisations_in_names(name: str, quantisation: str) -> None:
    assert quantisation_of(name) == quantisation


def test_the_hub_of_an_environment() -> None:
    public = hub_of({})
    assert public.url(FILE) == ("https://huggingface.co/org/repo-GGUF/resolve/main/dir/file.gguf")
    mirror = hub_of({"HF_ENDPOINT": "https://mirror.example/hf/"})
    assert mirror.url(HubFile("o", "r", "a b.gguf", "x/y")) == (
        "https://mirror.example/hf/o/r/resolve/x%2Fy/a%20b.gguf"
    )
    with pytest.raises(ProviderError, match="HF_ENDPOINT"):
        hub_of({"HF_ENDPOINT": "mirror"})


def test_the_token_goes_to_its_own_host_and_never_in_the_clear() -> None:
    hub = hub_of({"HF_ENDPOINT": "https://mirror.example", "HF_TOKEN": "hf_secretsecretsecret"})
    assert hub.authorization("https://mirror.example/x") == {
        "authorization": "Bearer hf_secretsecretsecret"
    }
    assert hub.authorization("https://mirror.example:444/x") == {}
    assert hub.authorization("https://huggingface.co/x") == {}
    assert "hf_secret" not in repr(hub)
    plain = hub_of({"HF_ENDPOINT": "http://mirror.example", "HF_TOKEN": "hf_secretsecretsecret"})
    assert plain.authorization("http://mirror.example/x") == {}
    assert Hub().authorization("https://huggingface.co/x") == {}
