"""What the index file remembers of batch jobs at a provider, so that a later start goes on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from engine.events import BatchPhase
from engine.store.contract import StoredIdentity


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job that was begun and is not settled yet; nothing in it is secret.

    ``label`` is how the service knows it as ours, ``file`` the id of the uploaded file and
    ``job`` its own id there, both empty until they are known. ``total`` is the number of
    its texts, ``tokens`` a guess of what they hold. Times are epoch ms.
    """

    number: int
    label: str
    provider: str
    file: str
    job: str
    phase: BatchPhase
    done: int
    failed: int
    total: int
    tokens: int
    since_ms: float
    looked_ms: float | None


class JobLedger(Protocol):
    """The jobs of all vector spaces. Each change is a transaction; safe from any thread."""

    @property
    def writable(self) -> bool:
        """False for an index that may only be read: no job can be begun or settled there."""
        ...

    def submitting(self) -> AbstractContextManager[bool]:
        """Holds the right to begin jobs; gives False when another process has it."""
        ...

    def reserve(
        self, space: str, provider: str, hashes: Sequence[str], tokens: int, now_ms: float
    ) -> JobRow | None:
        """Begin a job for those of the texts that are in no other one; None for none."""
        ...

    def uploaded(self, number: int, file: str) -> None:
        """The texts lie at the service."""
        ...

    def created(self, number: int, job: str) -> JobRow | None:
        """The service has answered with the id of the job; None as in ``looked``."""
        ...

    def looked(
        self, number: int, phase: BatchPhase, done: int, failed: int, now_ms: float
    ) -> JobRow | None:
        """How the job stands; None when another process has settled it meanwhile."""
        ...

    def settle(self, number: int) -> None:
        """The job is no more; texts of it without a vector may be sent again."""
        ...

    def jobs(self, space: str) -> tuple[JobRow, ...]:
        """The jobs of a space, the oldest first."""
        ...

    def texts(self, number: int) -> set[str]:
        """The chunk hashes in a job."""
        ...

    def out(self, space: str) -> set[str]:
        """The chunk hashes that are in any job of a space."""
        ...

    def agree(self, wanted: StoredIdentity | None) -> None:
        """Remember that a rebuild to this identity goes on once its vectors are there.

        Meanwhile no vector is evicted from the cache. None: there is none any more.
        """
        ...

    def agreed(self) -> StoredIdentity | None:
        """The rebuild that waits for its vectors."""
        ...


def distinct(hashes: Iterable[str]) -> list[str]:
    """Each hash once, in order."""
    return list(dict.fromkeys(hashes))
