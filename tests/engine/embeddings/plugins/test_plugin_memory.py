"""A memory on a plug-in: consent where it sends, none where it computes here, and its status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.agent_home import AgentHome
from tests.engine.embeddings.plugins.site import install

ROOT = Path(__file__).resolve().parents[4]
SENDING = """
class Provider:
    default_model = "acme-small"
    made = []
    def open(self, request):
        self.made.append(Embedder(request))
        return self.made[-1]
"""


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    home = AgentHome(tmp_path)
    home.write("memory/a.md", "# Network\nrouter VLAN 30\n")
    home.write("memory/b.md", "# Birds\nkestrel nest\n")
    home.configure({"provider": "acme"}, meta={"lastTouchedVersion": "2026.3.13"})
    return home


def test_a_plugin_that_sends_waits_for_a_word(
    home: AgentHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = install(tmp_path / "site", "acme-sending", SENDING)
    monkeypatch.syspath_prepend(tmp_path / "site")
    with home.open() as engine:
        assert engine.pays_for_indexing
        engine.sync("start")
        assert sys.modules[module].Provider.made == []
        assert engine.status().sync.awaits_consent
        typed = engine.retrieve("router", engine.rank_settings(), send_query=False)
        assert typed.mode == "keyword"
        engine.sync("demand")
        settings = engine.rank_settings()
        typed = engine.retrieve("router", settings, send_query=False)
        (opened,) = sys.modules[module].Provider.made
        assert [purpose for _, purpose in opened.calls] == ["document"]
        assert "until Enter sends the query to acme" in typed.notices[0]
        assert engine.retrieve("router", settings).mode == "hybrid"
    assert opened.closed


def test_a_plugin_that_computes_here_costs_nothing(
    home: AgentHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", "acme-local", f"{SENDING}    remote = False\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    with home.open() as engine:
        assert not engine.pays_for_indexing
        report = engine.sync("start")
        assert (report.embedded, report.embedding_error) == (2, None)
        typed = engine.retrieve("router", engine.rank_settings(), send_query=False)
        assert typed.mode == "hybrid"
        ranked = engine.rank(typed, engine.rank_settings())
        assert ranked.kept[0].candidate.path == "memory/a.md"


def test_status_lists_plugins_with_their_distribution(home: AgentHome, tmp_path: Path) -> None:
    site = tmp_path / "site"
    install(site, "acme-sending", SENDING)
    install(site, "other-embeddings", "raise RuntimeError", id="other", version="0.3")
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "OPENCLAW_STATE_DIR": str(home.state),
        "PYTHONPATH": str(site),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tui", "status", "--json"],
        env=environ,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (agent,) = json.loads(done.stdout)
    status = agent["status"]
    assert (status["provider"], status["model"]) == ("acme", "acme-small")
    state = status["custom"]["providerState"]
    assert "plug-in acme-sending 1.2.0" in state["reason"]
    assert {
        "provider": "other",
        "reason": "plug-in other-embeddings 0.3: used where it is named",
        "plugin": "usable",
    } in state["passedOver"]
