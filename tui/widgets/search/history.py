"""The queries of this session, to go back to with up and down."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST = 100


@dataclass
class QueryHistory:
    """Remembered queries, oldest first, and the place in them.

    What was being typed comes back at the newer end.
    """

    queries: list[str] = field(default_factory=list)
    _place: int | None = None
    _typed: str = ""

    def remember(self, query: str) -> None:
        """Add a query at the newer end; a repeated one moves there."""
        self._place = None
        query = query.strip()
        if not query:
            return
        if query in self.queries:
            self.queries.remove(query)
        self.queries.append(query)
        del self.queries[:-MOST]

    def older(self, current: str) -> str:
        """The query before the one in the box; the oldest stays."""
        if not self.queries:
            return current
        if self._place is None:
            self._typed = current
            self._place = len(self.queries)
            if self.queries[-1] == current.strip():
                self._place -= 1
        self._place = max(0, self._place - 1)
        return self.queries[self._place]

    def newer(self, current: str) -> str:
        """The query after the one in the box, at the end what was being typed."""
        if self._place is None:
            return current
        self._place += 1
        if self._place >= len(self.queries):
            self._place = None
            return self._typed
        return self.queries[self._place]
