"""Pairs for unbroken text; index and query must cut alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.store.cjk import cjk_runs, index_pairs, part_at_borders
from engine.store.folding import fold


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("plain words", ""),
        ("Größe", ""),
        ("机", "机"),
        ("配置", "配置 置"),
        ("浏览器", "浏览 览器 器"),
        ("配置 and 机", "配置 置 机"),
        ("ハンバーグ", "ハン ンバ バー ーグ グ"),
        ("カー・ナビ", "カー ー ナビ ビ"),
        ("한국어", "한국 국어 어"),
        ("人々", "人々 々"),
    ],
)
def test_each_run_gives_its_pairs_and_its_last_character(text: str, pairs: str) -> None:
    assert index_pairs(text) == pairs


def test_spellings_of_one_text_are_one() -> None:
    assert index_pairs("ｶﾞﾗｽ") == index_pairs("ガラス") == index_pairs("カ\u3099ラス")
    assert index_pairs("\u1112\u1161\u11ab국") == index_pairs("한국")


def test_borders_get_a_blank() -> None:
    assert part_at_borders("在VLAN三十号_x") == "在 VLAN 三十号 _x"
    assert part_at_borders("日本語、English") == "日本語、English"


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet="漢字仮名한글ガabc 12ß"))
def test_folding_leaves_the_runs_alone(text: str) -> None:
    assert cjk_runs(fold(text)) == cjk_runs(text)
