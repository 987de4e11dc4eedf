"""What every download needs from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.clock import Clock
from engine.local_models.hub import Hub
from engine.net.messages import ExchangeLimits
from engine.net.pauses import Sleeper
from engine.net.retry import Random
from engine.net.streaming import StreamingTransport

LIMITS = ExchangeLimits(connect_s=15.0, read_s=60.0)

FreeSpace = Callable[[Path], int]
"""The bytes that may still be written below a folder."""


@dataclass(frozen=True, slots=True)
class DownloadParts:
    """A transport, the hub, time, and the room on the disk."""

    transport: StreamingTransport
    hub: Hub
    clock: Clock
    sleeper: Sleeper
    random: Random
    free_space: FreeSpace
