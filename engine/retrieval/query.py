"""From what a person typed to FTS5 MATCH strings; any text at all gives a valid one or none.

A MATCH string is built only of word characters, each term in double quotes, so that no
operator of FTS5 can come from a query.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.retrieval.stopwords import CJK_STOP, content_words
from engine.store.cjk import cjk_runs
from engine.store.folding import fold

MOST_TERMS = 64
"""Terms of one OR query; what a pasted page holds beyond them is left out."""

_RUN = re.compile(r"\w+")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """What the tuned table is asked for, all folded as the table is.

    ``words`` are single words, ``phrases`` the parts of one glued token (``gpt-4``,
    ``a.b.c``) in their order, ``pairs`` neighbouring CJK characters (or a lone one).
    ``dropped`` are stop words that were left out.
    """

    words: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    pairs: tuple[str, ...]
    dropped: tuple[str, ...]

    @property
    def shown(self) -> tuple[str, ...]:
        """The single words and pairs, for display and for finding them in a text."""
        return (*self.words, *self.pairs)


def and_match(query: str) -> str | None:
    """All words joined by AND, as the originals ask; None when there is no word.

    A word is a maximal run of Unicode letters, numbers and underscore.
    """
    runs = _RUN.findall(query)
    return " AND ".join(f'"{run}"' for run in runs) or None


def query_terms(query: str) -> QueryTerms:
    """The terms of a query for the tuned table: without stop words, unless it has no others."""
    text = fold(unicodedata.normalize("NFC", query))
    tokens = [_parts(token) for token in text.split()]
    words = list(dict.fromkeys(part for parts in tokens for part in parts))
    pairs = list(dict.fromkeys(pair for run in cjk_runs(text) for pair in _pairs(run)))
    phrases = list(dict.fromkeys(tuple(parts) for parts in tokens if len(parts) > 1))
    kept = _without_splinters(content_words(words), tokens)
    strong = [pair for pair in pairs if pair not in CJK_STOP]
    if not kept and not strong:
        kept, strong = words, pairs
    return QueryTerms(
        tuple(kept[:MOST_TERMS]),
        tuple(phrases[:MOST_TERMS]),
        tuple(strong[:MOST_TERMS]),
        tuple(word for word in words if word not in kept),
    )


def or_match(
    terms: QueryTerms, close: Sequence[tuple[str, str]] = (), window: int = 0
) -> str | None:
    """Any of the terms, the phrases of glued tokens besides; None when there is no term.

    Of the ``close`` words every two are asked for once more, at most ``window`` words apart.
    """
    body = [f'"{word}"' for word in terms.words]
    body += ['"' + " ".join(phrase) + '"' for phrase in terms.phrases]
    body += [f'NEAR("{one}" "{other}", {window})' for one, other in close]
    columns = [("body", body), ("cjk", [_pair(pair) for pair in terms.pairs])]
    return " OR ".join(f"{name} : ({' OR '.join(all_)})" for name, all_ in columns if all_) or None


def word_match(word: str) -> str:
    """The MATCH of a single word of ``QueryTerms.words``."""
    return f'body : "{word}"'


def pair_match(pair: str) -> str:
    """The MATCH of a pair of ``QueryTerms.pairs``."""
    return f"cjk : {_pair(pair)}"


def _pair(pair: str) -> str:
    return f'"{pair}"' if len(pair) > 1 else f'"{pair}" *'


def _parts(token: str) -> list[str]:
    """The words of a token; CJK runs are left out, they are asked for in pairs."""
    return [word for word in _WORD.findall(token) if not cjk_runs(word)]


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _without_splinters(words: Sequence[str], tokens: Iterable[Sequence[str]]) -> list[str]:
    """Without single characters of a glued token (the t of don't), which its phrase covers."""
    alone = {parts[0] for parts in tokens if len(parts) == 1}
    return [word for word in words if len(word) > 1 or word in alone]
