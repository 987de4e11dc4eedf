"""The piece of a hit that its row shows, and the query's words marked in a text."""

from __future__ import annotations

from dataclasses import dataclass, field

from textual.content import Content

from engine.ranking.candidate import Candidate
from engine.retrieval.words import spans
from tui.byte_order_mark import readable
from tui.text import cut, safe

MARK = "bold underline on $hit-background"
_MARKDOWN = "#-*> \t"


def best_line(text: str, terms: tuple[str, ...]) -> int:
    """The 0-based line that holds the most different words of the query, the first of equals.

    Without any match it is the first line that is not blank.
    """
    found: dict[int, set[str]] = {}
    for span in spans(text, terms):
        found.setdefault(text.count("\n", 0, span.start), set()).add(span.word)
    if not found:
        lines = enumerate(text.split("\n"))
        return next((number for number, line in lines if line.strip()), 0)
    return max(found, key=lambda number: len(found[number]))


def marked(text: str, terms: tuple[str, ...]) -> Content:
    """The text letter for letter, the words of the query marked."""
    content = Content(safe(text))
    for span in spans(text, terms):
        content = content.stylize(MARK, span.start, span.end)
    return content


@dataclass(slots=True)
class Excerpts:
    """One line of each chunk, from its best line on; made once for a query and a width."""

    terms: tuple[str, ...] = ()
    _made: dict[tuple[str, int, str], Content] = field(default_factory=dict)

    def of(self, chunk: Candidate, cells: int, ellipsis: str) -> Content:
        """The excerpt of a chunk in at most ``cells`` cells."""
        key = (chunk.chunk_id, cells, ellipsis)
        if key not in self._made:
            self._made[key] = self._make(chunk, cells, ellipsis)
        return self._made[key]

    def _make(self, chunk: Candidate, cells: int, ellipsis: str) -> Content:
        text = readable(chunk.text)
        lines = text.split("\n")[best_line(text, self.terms) :]
        start = " ".join(lines)[: 4 * cells].lstrip(_MARKDOWN)
        return marked(cut(start, cells, ellipsis), self.terms)
