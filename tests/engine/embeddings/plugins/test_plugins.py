"""Plug-ins as installed distributions: found, loaded, given keys, checked, named when broken."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.embeddings.contract import EmbeddingProvider
from engine.embeddings.registry import create_provider
from engine.embeddings.selection.choice import ProviderChoice
from engine.embeddings.selection.choosing import select_provider
from engine.embeddings.selection.plugins import passed_over_plugins, plugins_at_hand
from engine.embeddings.selection.provider_request import (
    ProviderRequest,
    RemoteRequest,
    entries_of,
)
from engine.errors import ProviderError
from engine.net.client import HttpClient
from engine.net.messages import never
from engine.net.transport import HttpxTransport
from tests.engine.embeddings.plugins.site import install
from tests.fakes.still_time import StillTime

SIMPLE = """
class Provider:
    default_model = "acme-small"
    base_url = "https://api.acme.example/v1"
    key_variables = ("ACME_API_KEY",)
    needs_key = True
    made = []
    def open(self, request):
        self.made.append(Embedder(request))
        return self.made[-1]
"""
KEY = "acme-key-1234567"
ENV = {"ACME_API_KEY": KEY}
NOW_MS = 1_770_000_000_000.0


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed distributions that Python looks into, forgotten afterwards."""
    folder = tmp_path / "site"
    folder.mkdir()
    before = set(sys.modules)
    monkeypatch.syspath_prepend(folder)
    yield folder
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]


def choose(environ: dict[str, str] | None = None, **keys: Any) -> ProviderChoice:
    request = ProviderRequest(**({"provider": "acme"} | keys))
    return select_provider(request, environ or {}, NOW_MS)


def made(choice: ProviderChoice) -> EmbeddingProvider:
    assert choice.error is None, choice.error
    provider = create_provider(choice, HttpClient(HttpxTransport({}), StillTime().clock, float))
    assert provider is not None
    return provider


def seen(module: str) -> Any:
    """The first embedder that the plug-in opened."""
    return importlib.import_module(module).Provider.made[0]


def test_a_named_plugin_embeds_and_is_told_what_for(site: Path) -> None:
    module = install(site, "acme-embeddings", SIMPLE)
    choice = choose(ENV)
    assert (choice.provider, choice.model, choice.remote) == ("acme", "acme-small", True)
    assert choice.key_source == "environment variable ACME_API_KEY"
    assert "plug-in acme-embeddings 1.2.0" in choice.reason
    provider = made(choice)
    assert importlib.import_module(module).Provider.made == []
    batch = provider.embed_documents(["kestrel gateway", " ", "router"], never)
    assert [refusal.index for refusal in batch.refusals] == [1]
    assert batch.vectors[0] is not None
    assert np.linalg.norm(batch.vectors[0]) == pytest.approx(1.0)
    assert provider.embed_query("router") is not None
    opened = seen(module)
    assert opened.calls == [(["kestrel gateway", "router"], "document"), (["router"], "query")]
    request = opened.request
    assert (request.key, request.model) == (KEY, "acme-small")
    assert request.base_url == "https://api.acme.example/v1"
    assert KEY not in repr(request) + repr(choice)
    provider.close()
    assert opened.closed


def test_without_its_key_it_is_not_used(site: Path) -> None:
    install(site, "acme-embeddings", SIMPLE)
    choice = choose()
    assert choice.provider == "none"
    assert "ACME_API_KEY is not set" in (choice.error or "")


def test_its_key_goes_to_no_other_host(site: Path) -> None:
    install(site, "acme-embeddings", SIMPLE)
    foreign = RemoteRequest("https://elsewhere.example/v1")
    assert "another host" in (choose(ENV, remote=foreign).error or "")
    own = RemoteRequest("https://elsewhere.example/v1", api_key="remote-key-1")
    assert choose(ENV, remote=own).key_source == "remote.apiKey"


def test_a_plugin_that_does_not_say_so_leaves_the_machine(site: Path) -> None:
    install(site, "acme-a", "class Provider:\n def open(self, r): return Embedder(r)", id="acme-a")
    local = "class Provider:\n remote = False\n def open(self, r): return Embedder(r)"
    install(site, "acme-b", local, id="acme-b")
    first = choose(provider="acme-a", model="m")
    second = choose(provider="acme-b", model="m")
    assert (first.remote, second.remote) == (True, False)
    assert (made(first).remote, made(second).remote) == (True, False)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise ImportError('libacme is missing')", "ImportError: libacme is missing"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def broken(:", "SyntaxError"),
        ("Other = 1", "AttributeError"),
        ("class Provider: pass", "no function open"),
        ("Provider = 3", "no function open"),
        ("class Provider:\n def __init__(self): 1 / 0", "ZeroDivisionError"),
        (f"{SIMPLE}Provider.remote = 'yes'", "declares a remote that is no bool"),
        (f"{SIMPLE}Provider.key_variables = (1,)", "key_variables that are no words"),
        (f"{SIMPLE}Provider.bytes_per_input = 1", "declares bytes_per_input below 4"),
        (f"{SIMPLE}Provider.bytes_per_input = 8.5", "declares a bytes_per_input that is no int"),
    ],
)
def test_a_broken_plugin_is_a_sentence(site: Path, code: str, words: str) -> None:
    install(site, "acme-embeddings", code)
    choice = choose(ENV)
    assert (choice.provider, choice.mode) == ("none", "degraded")
    assert "plug-in acme-embeddings 1.2.0" in (choice.error or "")
    assert words in (choice.error or "")
    assert "acme-embeddings" in choice.hint


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise RuntimeError(f'refused {self.request.key}')", "RuntimeError: refused [secret]"),
        ("raise SystemExit('gone')", "SystemExit: gone"),
        ("return [[1.0, 2.0]]", "1 vectors for 3 texts"),
        ("return 3", "TypeError"),
        ("return None", "TypeError"),
    ],
)
def test_what_it_raises_is_a_provider_error_that_names_it(
    site: Path, body: str, words: str
) -> None:
    code = f"\nclass Bad(Embedder):\n def embed(self, texts, purpose):\n  {body}\n"
    install(site, "acme-embeddings", SIMPLE + code + "Embedder = Bad\n")
    with pytest.raises(ProviderError) as caught:
        made(choose(ENV)).embed_documents(["a", "b", "c"], never)
    assert "plug-in acme-embeddings 1.2.0 for acme" in caught.value.message
    assert words in caught.value.message
    assert KEY not in str(caught.value)


def test_a_plugin_that_cannot_be_opened(site: Path) -> None:
    install(site, "acme-embeddings", "class Provider:\n def open(self, r): raise OSError('no')")
    with pytest.raises(ProviderError) as caught:
        made(choose(model="m")).embed_query("router")
    assert "OSError: no" in caught.value.message


def test_unusable_vectors_cost_only_their_texts(site: Path) -> None:
    body = "return [[0.0] * 4, [float('nan')] * 4, 'words', [1.0, 2.0, 2.0, 0.0]]"
    code = f"\nclass Bad(Embedder):\n def embed(self, texts, purpose): {body}\nEmbedder = Bad\n"
    install(site, "acme-embeddings", SIMPLE + code)
    batch = made(choose(ENV)).embed_documents(["a", "b", "c", "d"], never)
    assert [refusal.index for refusal in batch.refusals] == [0, 1, 2]
    assert batch.vectors[3] is not None


def test_vectors_of_another_size_are_refused(site: Path) -> None:
    body = "return [[1.0] * (3 if text == 'a' else 4) for text in texts]"
    code = f"\nclass Bad(Embedder):\n def embed(self, texts, purpose): {body}\nEmbedder = Bad\n"
    install(site, "acme-embeddings", SIMPLE + code)
    provider = made(choose(ENV))
    provider.embed_documents(["a"], never)
    with pytest.raises(ProviderError) as caught:
        provider.embed_documents(["b"], never)
    assert caught.value.title == "Wrong vector size"


def test_requests_keep_to_the_declared_limits(site: Path) -> None:
    limits = "Provider.inputs_per_request = 2\nProvider.bytes_per_input = 40\n"
    module = install(site, "acme-embeddings", SIMPLE + limits)
    batch = made(choose(ENV)).embed_documents(["a", "b", "long " * 20], never)
    assert batch.refusals == ()
    calls = seen(module).calls
    assert all(len(texts) <= 2 for texts, _ in calls)
    assert max(len(text) for texts, _ in calls for text in texts) <= 40


def test_the_space_follows_the_plugins_own_version(site: Path) -> None:
    install(site, "acme-a", SIMPLE, id="acme-a")
    install(site, "acme-b", SIMPLE + "Provider.version = 'prefixed'\n", id="acme-b")
    first = made(choose(ENV, provider="acme-a", remote=RemoteRequest(api_key=KEY))).identity
    second = made(choose(ENV, provider="acme-b", remote=RemoteRequest(api_key=KEY))).identity
    assert "plug-in acme-a" in first.endpoint
    assert second.endpoint.endswith("plug-in acme-b prefixed")
    assert KEY not in repr(first)


def test_an_entry_of_models_providers_may_speak_through_it(site: Path) -> None:
    module = install(site, "acme-embeddings", SIMPLE)
    entry = {"api": "acme", "baseUrl": "http://127.0.0.1:9/v1", "apiKey": "entry-key-1"}
    choice = choose(ENV, provider="mine", entries=entries_of({"mine": entry}))
    assert choice.key_source == "models.providers.mine.apiKey"
    provider = made(choice)
    provider.embed_query("router")
    assert seen(module).request.key == "entry-key-1"
    assert provider.identity.provider == "mine"


def test_names_that_are_taken_twice_or_no_names(site: Path) -> None:
    install(site, "acme-one", SIMPLE)
    install(site, "acme-two", SIMPLE)
    install(site, "acme-openai", SIMPLE, id="openai")
    install(site, "acme-odd", SIMPLE, id="two words")
    told = {plugin.distribution: plugin.problem for plugin in plugins_at_hand()}
    assert "plug-in acme-two 1.2.0 offers acme as well" in told["acme-one"]
    assert "a provider openai of its own" in told["acme-openai"]
    assert "no word" in told["acme-odd"]
    assert "offers acme as well" in (choose(ENV).error or "")
    assert choose(ENV, provider="openai").provider == "none"


def test_all_are_listed_and_none_is_loaded(site: Path) -> None:
    module = install(site, "acme-embeddings", SIMPLE)
    auto = choose(provider="auto")
    (passed,) = passed_over_plugins(auto)
    assert (passed.provider, passed.plugin) == ("acme", "usable")
    assert passed.reason == "plug-in acme-embeddings 1.2.0: used where it is named"
    assert module not in sys.modules
    assert passed_over_plugins(choose(ENV)) == ()


def test_neither_demo_nor_auto_takes_one(site: Path) -> None:
    install(site, "acme-embeddings", SIMPLE)
    assert choose(ENV, mode="demo").provider == "builtin"
    assert choose(ENV, provider="auto").provider == "builtin"


def test_one_may_be_the_fallback(site: Path) -> None:
    install(site, "acme-embeddings", SIMPLE)
    choice = choose(ENV, provider="openai", fallback="acme")
    assert (choice.provider, choice.fallback_from, choice.remote) == ("acme", "openai", True)
