"""Cutting texts that are too long for a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.local_models.windows import windows


def by_words(text: str) -> int:
    return len(text.split()) + 2


def by_bytes(text: str) -> int:
    return len(text.encode()) + 2


@given(st.text(max_size=400), st.integers(min_value=8, max_value=64))
def test_windows_are_the_text_and_fit(text: str, most: int) -> None:
    found = windows(text, most, by_bytes)
    assert "".join(part for part, _ in found) == text
    assert all(tokens == by_bytes(part) <= most for part, tokens in found)
    assert all(part for part, _ in found) or not text


def test_a_text_that_fits_stays_whole() -> None:
    assert windows("one two", 4, by_words) == [("one two", 4)]


def test_cuts_fall_between_words() -> None:
    text = " ".join(f"word{i}" for i in range(100))
    parts = [part for part, _ in windows(text, 42, by_words)]
    assert len(parts) == 3
    assert all(part.endswith(" ") for part in parts[:-1])


def test_a_character_that_does_not_fit() -> None:
    with pytest.raises(ValueError, match="one character"):
        windows("ab", 5, lambda text: 9)
