"""A scripted OpenAI-compatible embedding endpoint on the loopback address.

with FakeProvider() as fake:
    use(fake.base_url)
    assert fake.texts == ["what was sent"]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.fakes.answers import Answer, Embed, Received, Responder, as_json, status, vectors
from tests.fakes.bow192 import bow_192
from tests.fakes.limits import Limits
from tests.fakes.service import FakeService


class FakeProvider(FakeService):
    """Any host that speaks like OpenAI, with the limits and the key that it is given."""

    def __init__(
        self,
        embed: Embed = bow_192,
        *,
        script: Sequence[Responder] = (),
        otherwise: Responder = vectors,
        limits: Limits | None = None,
        key: str | None = None,
    ) -> None:
        super().__init__(otherwise, embed=embed, script=script)
        self._limits = limits or Limits()
        self._key = key

    @property
    def base_url(self) -> str:
        """What goes into ``remote.baseUrl``."""
        return f"{self.origin}/v1"

    @property
    def texts(self) -> list[str]:
        """All texts received so far, request after request."""
        return [text for received in self.requests for text in received.inputs]

    def aside(self, received: Received) -> Answer | None:
        """Other routes, a wrong key, a request beyond the limits."""
        if not received.path.split("?")[0].endswith("/embeddings"):
            return status(404, {"error": {"message": f"no route {received.path}"}})(received)
        if self._key is not None and received.headers.get("authorization") != f"Bearer {self._key}":
            error = {"message": "Incorrect API key provided", "code": "invalid_api_key"}
            return as_json({"error": error}, 401)
        return self._limits.refuse(received)


def case_script(script: Sequence[Mapping[str, Any]], calls: int = 100) -> list[Responder]:
    """The responders of a case file: ``calls`` is "3", "1-2" or "4-" (until further calls)."""
    responders: list[Responder] = [vectors] * calls
    for step in script:
        first, dash, last = str(step["calls"]).partition("-")
        end = int(last) if last else (calls if dash else int(first))
        answer: Responder = vectors
        if step["status"] != 200:
            answer = status(step["status"], step.get("body"), step.get("headers"))
        for call in range(int(first), end + 1):
            responders[call - 1] = answer
    return responders
