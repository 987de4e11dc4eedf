"""Asking for several packs at the same time; each answer is handed on as soon as it is there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Generic, TypeVar

Pack = TypeVar("Pack")
Answer = TypeVar("Answer")


class InFlight(Generic[Pack, Answer]):
    """Runs ``ask`` on a few threads, and on the calling one while ``width`` says one.

    ``width`` is how many may run at the same time, asked before each pack; at most
    ``most``. ``abandoned`` turns True when nobody wants the answers any more. ``stop``,
    from any thread, lets what runs be answered and begins nothing further.
    """

    def __init__(self, ask: Callable[[Pack], Answer], width: Callable[[], int], most: int) -> None:
        self._ask = ask
        self._width = width
        self._most = most
        self._stopped = threading.Event()
        self.abandoned = False

    def stop(self) -> None:
        """Ask for no further packs."""
        self._stopped.set()

    def answers(self, packs: Iterator[Pack]) -> Generator[Answer]:
        """The answers as they come; those that are there together in the order of the packs.

        What ``ask`` raises is raised here, and ends it.
        """
        while not self._stopped.is_set() and self._width() == 1:
            for pack in packs:
                yield self._ask(pack)
                break
            else:
                return
        if not self._stopped.is_set():
            yield from self._side_by_side(packs)

    def _side_by_side(self, packs: Iterator[Pack]) -> Generator[Answer]:
        running: list[Future[Answer]] = []
        with ThreadPoolExecutor(self._most, thread_name_prefix="memlens-embed") as pool:
            try:
                while True:
                    self._refill(running, packs, pool)
                    if not running:
                        return
                    wait(running, return_when=FIRST_COMPLETED)
                    for each in [future for future in running if future.done()]:
                        running.remove(each)
                        yield each.result()
            finally:
                # Not reached by running dry: the reader has gone away or an answer raised.
                self.abandoned = bool(running)

    def _refill(
        self, running: list[Future[Answer]], packs: Iterator[Pack], pool: ThreadPoolExecutor
    ) -> None:
        while len(running) < self._most and not self._stopped.is_set():
            pack = next(packs, None)
            if pack is None:
                return
            running.append(pool.submit(self._ask, pack))
