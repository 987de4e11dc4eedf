"""The rules of keyword extraction, on words that are in nobody's stop list."""

from __future__ import annotations

import pytest

from engine.retrieval.keywords import keywords


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("what was the solution for the bug", ["solution", "bug"]),
        ("router VLAN 30", ["router", "vlan"]),
        ("KST-1017 and PO-77120", ["kst"]),
        ("ab cd ef", []),
        ("12 34 2026", []),
        ("a1 b2", ["a1", "b2"]),
        ("foo_bar-baz", ["foo", "bar", "baz"]),
        ("C++ and C#", ["c++"]),
        ("Router ROUTER router", ["router"]),
        ("路由器", ["路", "由", "器", "路由", "由器"]),
        ("VLAN三十号", ["三", "十", "号", "三十", "十号"]),
        ("路由器とルーター", ["路由器", "路由", "由器", "ルーター"]),
        ("스냅샷을 만들었다", ["스냅샷을", "스냅샷", "만들었다"]),
        ("API를 변경", ["api를", "api", "변경"]),
        ("🦆 duck", ["duck"]),
        ("!!! ???", []),
        ("http://example.org/a?b=c", ["http", "example", "org", "b=c"]),
        ("ÜBER straße", ["über", "straße"]),
        ("$HOME/.openclaw", ["$home", "openclaw"]),
        ("emoji😀inside", ["emoji😀inside"]),
        ("カタカナ語とひらがな", ["カタカナ", "語", "とひらがな"]),
        ("", []),
    ],
)
def test_keywords_as_the_originals_take_them(query: str, words: list[str]) -> None:
    assert keywords(query) == words
