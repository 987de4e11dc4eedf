"""llama.cpp's own server on the loopback address: a third party that speaks OpenAI's shape.

Run as a script it serves MODEL until its standard input closes and prints its address.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TOKENS = 512


@contextmanager
def llama_server(model: Path) -> Iterator[str]:
    """The server's address; it takes at most 512 tokens a text and refuses longer ones."""
    process = subprocess.Popen(
        [sys.executable, __file__, str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait(60)
        process.stdout.close()


def serve(model: str) -> None:
    """Serve until nobody listens any more."""
    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path = model
    wanted.embedding = True
    wanted.n_ctx = wanted.n_batch = wanted.n_ubatch = TOKENS
    wanted.n_parallel = 1
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    wanted.ui = False
    wanted.verbosity = -1
    server = xllamacpp.Server(wanted)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1])
