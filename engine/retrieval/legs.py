"""Which legs a query is asked on: the vectors, and the keyword tables by MATCH."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.ranking.scope import KEYWORD_LEG
from engine.ranking.settings import RankSettings
from engine.retrieval.keywords import keywords
from engine.retrieval.query import QueryTerms, and_match
from engine.retrieval.telling import asking

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector
    from engine.store.contract import IndexReader, KeywordTable


@dataclass(frozen=True, slots=True)
class VectorLeg:
    """How the query becomes a vector, and in which space it is compared.

    ``embed`` is None when there is no provider (or it may not be asked now); then
    ``absent`` says why, as a sentence. It may raise EngineError. ``space`` is the key of
    the provider's identity; ``floor`` the cosine that unrelated texts have.
    """

    embed: Callable[[str], Vector | None] | None
    space: str
    provider: str
    model: str
    floor: float = 0.0
    absent: str = ""


@dataclass(frozen=True, slots=True)
class KeywordLeg:
    """One MATCH on one keyword table; None asks nothing, because there is no word."""

    name: str
    table: KeywordTable
    match: str | None
    full: float | None = None
    """As in LegInfo."""


def keyword_legs(
    reader: IndexReader, query: str, terms: QueryTerms, settings: RankSettings, *, alone: bool
) -> list[KeywordLeg]:
    """The keyword legs of a profile; ``alone`` when there is no vector leg beside them.

    The originals then ask for each keyword by itself, for the whole query when it has none.
    """
    if settings.join == "or":
        asked = asking(reader, terms)
        return [KeywordLeg("or", "tuned", asked.match, asked.full)]
    if not alone:
        return [KeywordLeg("and", "documented", and_match(query))]
    return [
        KeywordLeg(KEYWORD_LEG + word, "documented", and_match(word))
        for word in keywords(query) or [query]
    ]
