"""Choosing and making a provider loads nothing heavy; that waits for the first text."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CODE = """
import sys
from engine.clock import SystemClock
from engine.embeddings.selection.provider_request import ProviderRequest
from engine.embeddings.registry import create_provider
from engine.embeddings.selection.choosing import select_provider
from engine.net.client import HttpClient
from engine.net.transport import HttpxTransport

request = ProviderRequest(mode="agent", provider=sys.argv[1])
choice = select_provider(request, {"OPENAI_API_KEY": "env-key-123456"}, 0.0)
client = HttpClient(HttpxTransport({}), SystemClock(), lambda: 0.0)
provider = create_provider(choice, client)
provider.identity.key(), provider.limits
client.close()
heavy = {"numpy", "httpx", "pydantic", "ssl", "apsw", "email.utils"} & set(sys.modules)
sys.exit(" ".join(sorted(heavy)) or 0)
"""


def test_builtin_and_openai_are_made_without_heavy_modules() -> None:
    for provider in ("builtin", "openai"):
        done = subprocess.run(
            [sys.executable, "-c", CODE, provider], cwd=ROOT, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
