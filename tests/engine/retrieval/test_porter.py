"""The stemmer agrees with the one in FTS5, word for word."""

from __future__ import annotations

from collections.abc import Sequence

import apsw
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.retrieval.porter import stem

_ENDINGS = """
ational tional enci anci izer logi bli alli entli eli ousli ization ation ator alism iveness
fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic able
ible ant ement ment ent ion ou ism ate iti ous ive ize eed ed ing y s ies sses e ll at bl iz tt
sion tion
"""

WORDS = st.builds(
    lambda start, ends: start + "".join(ends),
    st.text("aeioubcdlsztywx", max_size=6),
    st.lists(st.sampled_from(_ENDINGS.split()), max_size=3),
).filter(bool)


def _stems_of_fts5(words: Sequence[str]) -> list[str]:
    db = apsw.Connection(":memory:")
    db.execute("create virtual table f using fts5(b, tokenize='porter unicode61')")
    db.execute("create virtual table v using fts5vocab(f, instance)")
    db.executemany("insert into f(b) values (?)", [(word,) for word in words])
    return [str(term) for (term,) in db.execute("select term from v order by doc")]


@given(st.lists(WORDS, min_size=1, max_size=80))
@settings(max_examples=120, deadline=None)
def test_words_have_the_stems_of_fts5(words: list[str]) -> None:
    assert [stem(word) for word in words] == _stems_of_fts5(words)


def test_words_of_everyday() -> None:
    text = "meetings reviewed budgets running happily relational generalizations sky flies"
    words = text.split()
    assert [stem(word) for word in words] == _stems_of_fts5(words)


def test_long_and_short_words_stay() -> None:
    assert stem("as") == "as"
    assert stem("x" * 70 + "ing") == "x" * 70 + "ing"
