"""The first provider as it is asked: each answer and each failure is noted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.embeddings.contract import Impatient
from engine.embeddings.outage import SLOW_S, Outage, words
from engine.embeddings.remote.query_memory import without_memory
from engine.errors import CancelledError, EngineError, ProviderError
from engine.events import EventSink, Notice
from engine.net.messages import TransportError

if TYPE_CHECKING:
    from engine.clock import Clock
    from engine.embeddings.contract import EmbeddingProvider, Vector
    from engine.embeddings.outage_log import OutageLog


class Primary:
    """Thread-safe. ``standby`` is the name of whoever answers instead, None for nobody.

    Search and indexing both tell it how the provider did; it says when to leave it alone.
    """

    def __init__(
        self,
        provider: EmbeddingProvider,
        name: str,
        standby: str | None,
        log: OutageLog,
        clock: Clock,
        emit: EventSink,
    ) -> None:
        self._provider = provider
        self._name = name
        self._standby = standby
        self._log = log
        self._clock = clock
        self._emit = emit

    @property
    def outage(self) -> Outage | None:
        """Since when it does not answer, and why; None while it does."""
        return self._log.current()

    def rests(self) -> ProviderError | None:
        """What to say instead of asking: it fails, and is not due to be asked again."""
        outage, now_s = self.outage, self._clock.monotonic()
        if outage is None or now_s >= outage.ask_at_s:
            return None
        return outage.error(now_s) if outage.slow or self._standby is not None else None

    def ask(self, text: str) -> Vector | None:
        """The vector of a query; quickly given up while somebody else can answer. Raises."""
        hurried = self._standby is not None and self.outage is not None
        if hurried and isinstance(self._provider, Impatient):
            return self._noted(self._provider.probe_query, text)
        return self._noted(self._provider.embed_query, text)

    def probe(self, word: str) -> Vector | None:
        """The vector of a word, never from memory and with full patience. Raises."""
        return self._noted(without_memory(self._provider).embed_query, word)

    def failed(self, error: EngineError, *, slow: bool | None = None) -> None:
        """It did not answer; ``slow`` says that this took long, None to tell by the error."""
        if slow is None:
            slow = isinstance(error, TransportError) and error.trouble == "timeout"
        began = self._log.failed(words(error), error.hint, slow=slow)
        if began and self._standby is not None:
            text = f"{self._name} fails; {self._standby} answers meanwhile. {words(error)}"
            self._emit(Notice("warning", text))

    def answered(self) -> None:
        """It gave a vector."""
        if self._log.answered() and self._standby is not None:
            self._emit(Notice("info", f"{self._name} answers again."))

    def _noted(self, embed: Callable[[str], Vector | None], text: str) -> Vector | None:
        began = self._clock.monotonic()
        try:
            vector = embed(text)
        except CancelledError:
            raise
        except EngineError as error:
            self.failed(error, slow=self._clock.monotonic() - began >= SLOW_S)
            raise
        if vector is not None:
            self.answered()
        return vector
