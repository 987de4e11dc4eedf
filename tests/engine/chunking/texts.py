"""Texts that bring out the corners of the chunker."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.chunking.chunk import ChunkingRules

_PIECES = (
    "word",
    "a longer line of plain words, as notes have them",
    "\r",
    "\n",
    "\n\n",
    " ",
    "\t",
    "ż",
    "路由器",
    "🟢",
    "🟢" * 20,
    "\ufeff",
    "\u2028",
    "\x1c",
    "\x00",
    "\ud83d",
    "\ude80",
    "x" * 90,
)

_MARKDOWN = (
    "\n# Heading\n",
    "\n## Part",
    "\n- item",
    "\n  - below it",
    "\n* star",
    "\n```\n",
    " <!-- importance: 7 -->",
    " <!-- trigger: one, two -->",
    " <!-- project: Acme/Crane -->",
    "<!-- project: -->",
    "<!-- importance: 99 -->",
    "<!-- plain -->",
    "<!-- trigger:",
    "\U00020bb7" * 9,
    "ｆｕｌｌ",
    "機" * 40,
)

texts = st.one_of(
    st.lists(st.sampled_from(_PIECES), max_size=60).map("".join),
    st.text(st.characters(), max_size=400),
    st.text(st.sampled_from("ab\n🟢\ud83d"), max_size=400),
)

notes = st.one_of(
    st.lists(st.sampled_from(_PIECES + _MARKDOWN), max_size=60).map("".join),
    st.text(st.sampled_from("ab\n🟢機\U00020bb7# -`"), max_size=400),
    texts,
)

paths = st.sampled_from(["", "MEMORY.md", "USER.md", "memory/2026-02-10.md", "memory/MEMORY.md"])

rules = st.integers(1, 40).flatmap(
    lambda tokens: st.integers(0, tokens - 1).map(lambda overlap: ChunkingRules(tokens, overlap))
)
