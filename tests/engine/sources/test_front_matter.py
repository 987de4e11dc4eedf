"""What is said about heads of notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.sources.front_matter import head_problem

SOUND = [
    "",
    "no head",
    "---\n\nA rule, never closed: *this*: is `text`.\n",
    "---\ntitle: Router\ntags: [home, net]\n---\nbody: `x`\n",
    "\ufeff---\r\ntitle: 'It''s'\r\nurl: http://a.example/b\r\n---\r\n",
    '---\n"quoted key": 1\nlist:\n- a: b: c\n  deep: `x`\nrest: |\n  free: `text`\n---\n',
    "---\nref: &name value\nagain: *name\n# comment: `x`\nempty:\n---\n",
]
BROKEN = {
    "---\nkey: `C:\\x`: broken\n---\n": "Line 2 of its head",
    "---\na: 1\ntitle: *Italic*\n---\n": "Line 3 of its head",
    '---\ntitle: "open\n---\n': "a quote is not closed",
    "---\ntitle: one: two\n---\n": "second colon",
    "---\njust words\n---\n": "no key",
}


@pytest.mark.parametrize("text", SOUND)
def test_sound_heads_and_other_texts_are_left_alone(text: str) -> None:
    assert head_problem(text) is None


@pytest.mark.parametrize("text", BROKEN)
def test_broken_heads_are_named_with_their_line(text: str) -> None:
    problem = head_problem(text)
    assert problem is not None
    assert BROKEN[text] in problem


@given(st.text(st.sampled_from("-ab: \n\r'\"`*[]{}#\ufeff|"), max_size=80))
def test_no_text_raises(text: str) -> None:
    problem = head_problem("---\n" + text + "\n---\n")
    assert problem is None or problem.startswith("Line ")
