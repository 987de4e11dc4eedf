"""Ears on the wire: a listener for every proxy variable, keys at every place, all providers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.embeddings.selection.catalogue import KNOWN
from tests.fakes.answers import Received
from tests.fakes.service import FakeService

MODELS: Mapping[str, str] = {"openai-compatible": "some-model"}
"""Where a provider has no model of its own."""
PROVIDERS = tuple(KNOWN)
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


def secret(name: str) -> str:
    """A key that tells which place it came from; shaped like no known one."""
    return f"zq-{name.lower().replace('_', '-')}-9Lk2Vx7Rw4"


def environ_keys() -> dict[str, str]:
    """A key of every provider in the environment."""
    names = {
        variable
        for known in KNOWN.values()
        for variable in (
            *known.variables,
            *known.later_variables,
            *(name for names in known.era_variables.values() for name in names),
        )
    }
    aws = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
    return {name: secret(name) for name in sorted({*names, *aws})}


def entry_keys(**others: Any) -> dict[str, Any]:
    """``models.providers`` with a key for every provider; ``others`` replace or add entries."""
    entries = {
        known.auth_id: {"apiKey": secret(f"entry-{known.auth_id}")}
        for known in KNOWN.values()
        if known.auth_id
    }
    return {**entries, **others}


def carried(received: Received) -> str:
    """Everything that one request carried, as text."""
    headers = "\n".join(f"{name}: {value}" for name, value in received.headers.items())
    body = received.body.decode("utf-8", "replace")
    return f"{received.method} {received.path}\n{headers}\n\n{body}"


def heard_by(*fakes: FakeService) -> str:
    """Everything that these services received."""
    return "\n".join(carried(received) for fake in fakes for received in fake.requests)


@dataclass
class Ears:
    """A port that is told everything and answers nothing."""

    address: str
    heard: list[bytes] = field(default_factory=list)

    @property
    def proxies(self) -> dict[str, str]:
        """An environment that leads everything here."""
        return dict.fromkeys(PROXIES, self.address)


@contextmanager
def ears() -> Iterator[Ears]:
    """Listen until the end."""
    server = socket.create_server(("127.0.0.1", 0))
    listening = Ears(f"http://127.0.0.1:{server.getsockname()[1]}")

    def listen() -> None:
        while True:
            try:
                caller, _ = server.accept()
            except OSError:
                return
            with caller:
                listening.heard.append(caller.recv(65536))

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield listening
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()
