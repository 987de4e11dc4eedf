"""The tokenizer against BERT's rules, written down one by one with a tiny vocabulary."""

from __future__ import annotations

import unicodedata
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.embeddings.builtin.wordpiece import WordPiece

VOCABULARY = [
    "[UNK]", "[CLS]", "[SEP]", "a", "b", "##a", "##b", "ab", "##ab", "é", "e", "##e", "1", "##1",
    "數", "据", ".", ",", "[", "]", "unk", "cls", "sep", "-", "–", "'", "ß", "σ", "##σ", "##ς", "ς",
]  # fmt: skip
ALPHABET = (
    "abABéÉeE1數据.,[]-–'ßΣσ \t\n\r\x0b\x0c\x1c\x85\xa0\u2028\u200b\xad\x00\ufffd\u0301İ\ud800"
)


def rule_words(text: str) -> list[str]:
    """The rules in the order BERT applies them, one character at a time."""
    cleaned = []
    for char in text:
        category = unicodedata.category(char)
        if char in "\t\n\r" or category == "Zs":
            cleaned.append(" ")
        elif char != "\ufffd" and category not in ("Cc", "Cf", "Cs", "Co", "Cn"):
            cleaned.append(f" {char} " if char in "數据" else char)
    decomposed = unicodedata.normalize("NFD", "".join(cleaned))
    lowered = "".join(c for c in decomposed if unicodedata.category(c) != "Mn").lower()
    words = []
    for word in lowered.split():
        run = ""
        for char in word:
            if (char.isascii() and not char.isalnum()) or unicodedata.category(char)[0] == "P":
                words += [run, char] if run else [char]
                run = ""
            else:
                run += char
        words += [run] if run else []
    return words


def rule_pieces(word: str) -> list[str]:
    """Greedy longest match from the left; nothing when a rest is not in the vocabulary."""
    if len(word) > 100:
        return []
    pieces: list[str] = []
    rest = word
    while rest:
        lead = "##" if pieces else ""
        fits = [n for n in range(len(rest), 0, -1) if lead + rest[:n] in VOCABULARY]
        if not fits:
            return []
        pieces.append(lead + rest[: fits[0]])
        rest = rest[fits[0] :]
    return pieces


def tokens(text: str) -> dict[str, int]:
    return counted(WordPiece(VOCABULARY), text)


def counted(tokenizer: WordPiece, text: str) -> dict[str, int]:
    ids = memoryview(tokenizer.packed_ids(text)).cast("i")
    return dict(Counter(VOCABULARY[i] for i in ids))


@settings(max_examples=500, deadline=None)
@given(st.text(ALPHABET, max_size=40))
def test_counts_follow_the_rules(text: str) -> None:
    expected: dict[str, int] = {}
    for word in rule_words(text):
        for piece in rule_pieces(word):
            expected[piece] = expected.get(piece, 0) + 1
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("[UNK] [CLS]", {"[": 2, "]": 2, "unk": 1, "cls": 1}),
        ("ABab", {"ab": 1, "##ab": 1}),
        ("a\x00b", {"ab": 1}),
        ("a\x0bb", {"ab": 1}),
        ("a\x85b", {"ab": 1}),
        ("a\u200bb", {"ab": 1}),
        ("a\u2028b", {"a": 1, "b": 1}),
        ("a\xa0b", {"a": 1, "b": 1}),
        ("É", {"e": 1}),
        ("E\u0301", {"e": 1}),
        ("a–b", {"a": 1, "–": 1, "b": 1}),
        ("a數据b", {"a": 1, "數": 1, "据": 1, "b": 1}),
        ("axb", {}),
        ("a" * 100, {"a": 1, "##a": 99}),
        ("a" * 101, {}),
    ],
)
def test_examples(text: str, expected: dict[str, int]) -> None:
    assert tokens(text) == expected


def test_a_full_memory_changes_nothing() -> None:
    tokenizer = WordPiece(VOCABULARY)
    many = " ".join(f"a{n}" for n in range(60_000))
    first = counted(tokenizer, many)
    assert counted(tokenizer, many) == first
    assert counted(tokenizer, "ab") == {"ab": 1}
