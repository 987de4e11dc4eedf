"""How batch jobs are used: ``remote.batch.*`` as plain values."""

from __future__ import annotations

from dataclasses import dataclass

FEWEST_TEXTS = 100
"""Fewer texts than this fit a plain request or two, which answer at once."""


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """``wait`` stays with the jobs for up to ``timeout_s`` seconds; otherwise a sync ends when
    they are submitted. ``concurrency`` is how many are out at a time.
    """

    enabled: bool = False
    wait: bool = True
    concurrency: int = 2
    poll_interval_s: float = 2.0
    timeout_s: float = 3600.0
    fewest: int = FEWEST_TEXTS
