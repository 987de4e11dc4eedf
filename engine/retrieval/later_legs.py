"""The keyword and file-name legs of July and September 2026, one query after the other.

Which keywords are asked for depends on what the whole query found, so these legs cannot
be listed beforehand (spec/openclaw-2026-07-to-09.md, sections 12c and 12d).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import StoreError
from engine.ranking.file_names import folded_name
from engine.ranking.scope import KEYWORD_LEG, NAME_LEG, NAME_LEGS, SUPERSET
from engine.ranking.settings import RankSettings, ShortWords
from engine.retrieval.keywords import keywords
from engine.retrieval.legs import KeywordLeg
from engine.store.cjk import cjk_runs

if TYPE_CHECKING:
    from engine.retrieval.findings import Findings
    from engine.store.contract import IndexReader, KeywordHit, Tokenizer

MOST_KEYWORDS = 6
"""Keywords of a query that are asked for one by one."""
SHORT = 3
"""Characters that a trigram table needs to find a word."""

LATER_JOINS = ("and-else-each", "and-with-each")

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as a table is asked: a MATCH of its words, and parts that the text must hold."""

    match: str | None
    parts: tuple[str, ...] = ()


def ask_later(found: Findings, reader: IndexReader, query: str, settings: RankSettings) -> None:
    """Ask all keyword and file-name legs of a profile of July or September."""
    _Asking(found, reader, query, settings).run()


def body_query(query: str, short: ShortWords) -> Asked:
    """The words of a query, short ones as parts of the text where the rule says so."""
    words = _WORD.findall(query)
    parts = [word for word in words if len(word) < SHORT and _as_part(word, short)]
    return Asked(_joined(word for word in words if word not in parts), tuple(parts))


def path_query(query: str) -> Asked:
    """The words of a query for the paths: those that are not ASCII are parts of the path.

    The tokenizer may cut such a word otherwise than a file name does. Parts come folded.
    """
    words = _WORD.findall(unicodedata.normalize("NFC", query))
    parts = tuple(folded_name(word) for word in words if not word.isascii())
    return Asked(_joined(word for word in words if word.isascii()), parts)


def _as_part(word: str, short: ShortWords) -> bool:
    return short == "all" or (short == "cjk" and bool(cjk_runs(word)))


def _joined(words: Iterable[str]) -> str | None:
    return " AND ".join(f'"{word}"' for word in words) or None


class _Asking:
    def __init__(
        self, found: Findings, reader: IndexReader, query: str, settings: RankSettings
    ) -> None:
        identity = reader.identity()
        tokenizer: Tokenizer | str = identity.tokenizer if identity is not None else "unicode61"
        self._trigram = tokenizer == "trigram"
        self._short: ShortWords = settings.short_words if self._trigram else "match"
        self._found = found
        self._reader = reader
        self._query = query
        self._settings = settings

    def run(self) -> None:
        """The whole query first, then what follows from its answer."""
        hits = self._body("and", self._query)
        words = self._keywords()
        if self._settings.join == "and-with-each":
            same = " ".join(words).split() == [w.lower() for w in _WORD.findall(self._query)]
            words = [] if same and hits else words
        elif hits:
            words = []
        words = [word for word in words[:MOST_KEYWORDS] if word != self._query.lower()]
        for word in words:
            self._body(KEYWORD_LEG + word, word)
        if self._settings.file_names:
            self._paths(NAME_LEG, self._query)
            for word in words:
                self._paths(NAME_LEGS + word, word)

    def _keywords(self) -> list[str]:
        return keywords(self._query, pairs=not self._trigram)

    def _body(self, name: str, query: str) -> int:
        asked = body_query(query, self._short)
        return self._ask(name, asked, lambda: self._rows(asked))

    def _rows(self, asked: Asked) -> Sequence[KeywordHit]:
        source = self._settings.source
        if asked.parts:
            return self._reader.containing(asked.match, asked.parts, SUPERSET, source)
        if asked.match is None:
            return ()
        return self._reader.keyword("documented", asked.match, SUPERSET, source)

    def _paths(self, name: str, query: str) -> None:
        asked = path_query(query)
        self._ask(name, asked, lambda: self._files(name, asked))

    def _files(self, name: str, asked: Asked) -> Sequence[KeywordHit]:
        source = self._settings.source
        hits = self._reader.paths_with(asked.match, asked.parts, SUPERSET, source)
        if name != NAME_LEG:
            return hits
        named = self._reader.files_named(folded_name(self._query), source)
        return [*self._missing(named[:SUPERSET], hits), *hits]

    def _missing(self, rows: Sequence[int], hits: Sequence[KeywordHit]) -> list[KeywordHit]:
        from engine.store.contract import KeywordHit

        known = {hit.rowid for hit in hits}
        return [KeywordHit(row, 0.0) for row in rows if row not in known]

    def _ask(self, name: str, asked: Asked, ask: Callable[[], Sequence[KeywordHit]]) -> int:
        leg = KeywordLeg(name, "documented", _shown(asked))
        hits: Sequence[KeywordHit] = ()
        failure: StoreError | None = None
        try:
            hits = ask()
        except StoreError as error:
            failure = error
        self._found.take_leg(leg, hits, failure)
        return len(hits)


def _shown(asked: Asked) -> str | None:
    """The MATCH and the parts, as the trace shows them."""
    parts = [f"contains '{part}'" for part in asked.parts]
    return " AND ".join([*([asked.match] if asked.match else []), *parts]) or None
