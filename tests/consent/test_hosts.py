"""A key goes to its own host and nowhere else; so does every text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.embeddings.selection.catalogue import KNOWN
from tests.consent.wire import (
    MODELS,
    PROVIDERS,
    Ears,
    ears,
    entry_keys,
    environ_keys,
    heard_by,
    secret,
)
from tests.engine.agent_home import AgentHome
from tests.fakes.answers import redirect, status
from tests.fakes.service import FakeService

OWN = "zq-remote-3Hs8Tn5Qm"
CODES = (301, 302, 303, 307, 308)


def home_for(root: Path, provider: str, remote: dict[str, Any], **others: Any) -> AgentHome:
    home = AgentHome(root, environ=environ_keys())
    home.write("MEMORY.md", "kestrel is the gateway host\n")
    search = {"provider": provider, "model": MODELS.get(provider, ""), "remote": remote}
    home.configure({**search, **others.pop("search", {})}, **others)
    return home


def use(home: AgentHome) -> list[str]:
    """Index, search and probe; what failed, in words."""
    said = []
    with home.open() as engine:
        report = engine.sync("demand")
        said += [str(report.embedding_error), str(engine.probe().problem)]
        engine.retrieve("gateway", engine.rank_settings())
        said += [str(engine.status().provider.error), str(engine.provider.choice.error)]
    return said


@pytest.mark.parametrize("provider", PROVIDERS)
def test_keys_of_other_places_stay_away_from_a_foreign_address(
    provider: str, tmp_path: Path
) -> None:
    """``remote.baseUrl`` with a key of its own: that one is sent, no other is."""
    with FakeService(status(400, {"error": {"message": "no", "param": "model"}})) as foreign:
        remote = {"baseUrl": foreign.origin, "apiKey": OWN}
        home = home_for(tmp_path, provider, remote, models={"providers": entry_keys()})
        use(home)
        heard = heard_by(foreign)
        assert OWN in heard
        assert heard.count("zq-") == heard.count(OWN)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_without_a_key_of_its_own_a_foreign_address_gets_none(
    provider: str, tmp_path: Path
) -> None:
    with FakeService(status(400, {"error": {"message": "no", "param": "model"}})) as foreign:
        home = home_for(
            tmp_path, provider, {"baseUrl": foreign.origin}, models={"providers": entry_keys()}
        )
        said = use(home)
        assert "zq-" not in heard_by(foreign)
        if KNOWN[provider].key != "optional":
            assert foreign.requests == []
            assert "belong to another host" in " ".join(said)


@pytest.mark.parametrize("provider", [name for name in PROVIDERS if KNOWN[name].auth_id])
def test_a_provider_gets_its_own_key_only(provider: str, tmp_path: Path) -> None:
    """With every key at hand, the host of one provider hears of no other provider's."""
    known = KNOWN[provider]
    with FakeService(status(400, {"error": {"message": "no", "param": "model"}})) as own:
        entries = entry_keys(**{known.auth_id: {"baseUrl": own.origin}})
        home = home_for(tmp_path, provider, {}, models={"providers": entries})
        use(home)
        heard = heard_by(own)
        mine = {secret(name) for name in (*known.variables, *known.later_variables)}
        others = {*environ_keys().values()} - mine
        others |= {secret(f"entry-{other.auth_id}") for other in KNOWN.values()}
        assert own.requests
        assert not [key for key in others if key in heard]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_nothing_follows_a_redirect_to_another_host(
    provider: str, code: int, tmp_path: Path
) -> None:
    with (
        FakeService(status(200, {})) as elsewhere,
        FakeService(redirect(f"{elsewhere.origin}/taken", code)) as fake,
    ):
        remote = {"baseUrl": fake.origin, "apiKey": OWN}
        said = use(home_for(tmp_path, provider, remote))
        assert fake.requests
        assert elsewhere.requests == []
        assert OWN not in " ".join(said)


@pytest.mark.parametrize("provider", [name for name in PROVIDERS if KNOWN[name].key != "optional"])
def test_a_proxy_learns_the_hosts_name_and_no_more(provider: str, tmp_path: Path) -> None:
    """Hosted providers are reached by https: the proxy of the environment only connects."""
    with ears() as proxy:
        home = AgentHome(tmp_path, environ={**environ_keys(), **proxy.proxies})
        home.write("MEMORY.md", "kestrel is the gateway host\n")
        home.configure({"provider": provider})
        said = use(home)
        assert proxy.heard, said
        for request in proxy.heard:
            assert request.startswith(b"CONNECT ")
            assert b"zq-" not in request
            assert b"kestrel" not in request


def test_this_machine_is_never_asked_through_a_proxy(tmp_path: Path) -> None:
    with ears() as proxy, FakeService(status(400, {"error": "no"})) as fake:
        home = AgentHome(tmp_path, environ=proxy.proxies)
        home.write("MEMORY.md", "kestrel is the gateway host\n")
        for provider in ("ollama", "lmstudio"):
            home.configure({"provider": provider, "remote": {"baseUrl": fake.origin}})
            use(home)
        assert fake.requests
        assert proxy.heard == []


def test_plain_http_elsewhere_goes_through_the_proxy_and_tells_it_no_key_of_the_environment(
    tmp_path: Path,
) -> None:
    with ears() as proxy:
        home = AgentHome(tmp_path, environ={**environ_keys(), **proxy.proxies})
        home.write("MEMORY.md", "kestrel is the gateway host\n")
        home.configure({"provider": "ollama", "remote": {"baseUrl": "http://ollama.example"}})
        use(home)
        assert proxy.heard
        assert b"zq-" not in b"".join(proxy.heard)


def test_the_listener_hears(tmp_path: Path) -> None:
    """The tests that assert silence would notice a sound."""
    with ears() as listening:
        assert isinstance(listening, Ears)
        home = AgentHome(tmp_path, environ={"OPENAI_API_KEY": "k", **listening.proxies})
        home.write("MEMORY.md", "kestrel\n")
        home.configure({"provider": "openai"})
        with home.open() as engine:
            assert "api.openai.com" in (engine.sync("demand").embedding_error or "")
        assert listening.heard[0].startswith(b"CONNECT api.openai.com:443")
