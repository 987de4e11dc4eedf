from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.ranking.graphemes import boundary_at_or_before, is_boundary
from engine.ranking.snippet import SNIPPET_UNITS, Span, head, head_snippet, window_snippet

FAMILY = "👨‍👩‍👧‍👦"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _span(text: str, word: str) -> list[Span]:
    at = text.index(word)
    return [Span(at, at + len(word), word)]


def test_the_head_is_700_units_and_never_half_a_pair() -> None:
    assert head("x" * 800) == "x" * 700
    assert head("x" * 699 + "🚀") == "x" * 699
    assert head("x" * 698 + "🚀!") == "x" * 698 + "🚀"
    assert head("short\n") == "short\n"


def test_a_short_chunk_is_its_own_window() -> None:
    text = "one\ntwo Bella\n"
    snippet = window_snippet(text, 5, _span(text, "Bella"))
    assert (snippet.text, snippet.start_line, snippet.end_line, snippet.hit_line) == (text, 5, 6, 6)


def test_the_window_begins_at_the_line_of_the_match() -> None:
    text = "".join(f"line {n}: nothing of interest here at all\n" for n in range(1, 101))
    text = text.replace("line 50: nothing", "line 50: Bella")
    snippet = window_snippet(text, 11, _span(text, "Bella"))
    assert snippet.text.startswith("line 50: Bella")
    assert snippet.start_line == snippet.hit_line == 60
    assert _units(snippet.text) <= SNIPPET_UNITS
    assert snippet.end_line == 60 + snippet.text.rstrip("\n").count("\n")


def test_a_match_near_the_end_gets_a_full_window() -> None:
    text = "".join(f"line {n}: nothing of interest here at all\n" for n in range(1, 51)) + "Bella\n"
    snippet = window_snippet(text, 1, _span(text, "Bella"))
    assert "Bella" in snippet.text
    assert _units(snippet.text) > 600
    assert snippet.text.startswith("line ")
    assert snippet.end_line == snippet.hit_line == 51


def test_a_match_deep_in_a_long_line_is_shown() -> None:
    text = "word " * 400 + "Bella " + "word " * 400
    snippet = window_snippet(text, 7, _span(text, "Bella"))
    assert "Bella" in snippet.text
    assert (snippet.start_line, snippet.end_line) == (7, 7)


def test_the_window_with_more_different_words_wins() -> None:
    filler = "nothing of interest here at all\n" * 30
    text = "router router router\n" + filler + "router with vlan\n" + filler
    spans = [
        Span(m, m + len(word), word)
        for word in ("router", "vlan")
        for m in range(len(text))
        if text.startswith(word, m)
    ]
    snippet = window_snippet(text, 1, sorted(spans, key=lambda span: span.start))
    assert snippet.text.startswith("router with vlan")


def test_without_a_match_the_window_is_the_head() -> None:
    text = "abc\n" * 300
    assert window_snippet(text, 1, []).text == head_snippet(text, 1).text


def test_a_window_never_cuts_a_family() -> None:
    for padding in range(680, 701):
        text = "x" * padding + FAMILY + " end"
        cut = window_snippet(text, 1, []).text
        rest = cut.removeprefix("x" * padding)
        assert rest == "" or rest.startswith(FAMILY)


def test_a_single_grapheme_longer_than_the_window_is_cut_all_the_same() -> None:
    snippet = window_snippet("e" + "\u0301" * 900, 1, [])
    assert 0 < _units(snippet.text) <= SNIPPET_UNITS


def test_boundaries_between_what_a_reader_sees() -> None:
    for whole in (FAMILY, "👍🏽", "🇵🇱", "é", "\r\n", "각", "❤️", "1️⃣"):
        assert [at for at in range(len(whole) + 1) if is_boundary(whole, at)] == [0, len(whole)]
    assert is_boundary("🇵🇱🇸🇪", 2)
    assert not is_boundary("🇵🇱🇸🇪", 3)
    assert boundary_at_or_before("a" + FAMILY, 4) == 1
    assert boundary_at_or_before("ab", 9) == 2


TEXTS = st.text(st.sampled_from("ab \n🚀\u0301\u200d👩🏽会é") | st.characters(), max_size=900)


@given(TEXTS, st.integers(0, 900), st.integers(1, 500))
def test_any_text_gives_a_window_inside_it(text: str, at: int, start_line: int) -> None:
    at = min(at, max(len(text) - 1, 0))
    spans = [Span(at, at + 1, "x")] if text else []
    snippet = window_snippet(text, start_line, spans)
    assert snippet.text in text
    assert _units(snippet.text) <= SNIPPET_UNITS
    assert bool(snippet.text) == bool(text)
    assert start_line <= snippet.start_line <= snippet.end_line <= start_line + text.count("\n")
    assert _units(head(text)) <= SNIPPET_UNITS


@given(st.text(st.sampled_from("ab\n🚀"), min_size=1, max_size=2000), st.data())
def test_the_match_stands_in_its_window(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text) - 1))
    marked = text[:at] + "#" + text[at:]
    snippet = window_snippet(marked, 1, [Span(at, at + 1, "#")])
    assert "#" in snippet.text
    assert snippet.hit_line == 1 + marked.count("\n", 0, at)
    assert snippet.start_line <= snippet.hit_line <= snippet.end_line
