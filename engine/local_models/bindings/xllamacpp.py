"""The binding ``xllamacpp``: llama.cpp's server inside the process, as wheels for all systems.

It always opens a port on the loopback address; a random key closes it to everybody else.
Only counting tokens goes through that port, because the module itself does not offer it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from engine.local_models.bindings.binding import BindingError, LoadOrder

_ERRORS_ONLY = 1
_SECONDS = 60.0
_BROKEN = (OSError, HTTPException, ValueError, KeyError)


class XllamacppBinding:
    """One model in one server with one slot."""

    name = "xllamacpp"

    def __init__(self, order: LoadOrder) -> None:
        import xllamacpp

        self.version = str(getattr(xllamacpp, "__version__", ""))
        self._key = secrets.token_urlsafe(24)
        try:
            self._server: Any = xllamacpp.Server(_parameters(xllamacpp, order, self._key))
        except RuntimeError as error:
            raise BindingError(str(error)) from error
        address = urlsplit(self._server.listening_address)
        self._port = HTTPConnection(address.hostname or "", address.port, timeout=_SECONDS)

    def count(self, text: str) -> int:
        """By the server's own tokenizer, which closes connections after a while."""
        body = json.dumps({"content": text, "add_special": True})
        try:
            return self._tokens(body)
        except _BROKEN:
            self._port.close()
        try:
            return self._tokens(body)
        except _BROKEN as error:
            self._port.close()
            raise BindingError(f"counting tokens failed ({type(error).__name__})") from error

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """All texts in one call."""
        try:
            answer = self._server.handle_embeddings({"input": list(texts)})
        except RuntimeError as error:
            raise BindingError(str(error)) from error
        if "error" in answer:
            raise BindingError(str(answer["error"].get("message", "no reason given")))
        vectors = {item["index"]: item["embedding"] for item in answer["data"]}
        return [vectors[place] for place in range(len(texts))]

    def _tokens(self, body: str) -> int:
        headers = {"authorization": f"Bearer {self._key}", "content-type": "application/json"}
        self._port.request("POST", "/tokenize", body, headers)
        return len(json.loads(self._port.getresponse().read())["tokens"])


def _parameters(library: Any, order: LoadOrder, key: str) -> Any:
    wanted = library.CommonParams()
    wanted.model.path = str(order.model)
    wanted.embedding = True
    wanted.n_ctx = wanted.n_batch = wanted.n_ubatch = order.window
    wanted.n_parallel = 1
    wanted.n_threads_http = 1
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = order.threads
    wanted.api_keys = [key]
    wanted.ui = False
    wanted.offline = True
    wanted.warmup = False
    wanted.verbosity = _ERRORS_ONLY
    if order.pool:
        wanted.pooling_type = library.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    return wanted
