"""Words inside unbroken Chinese, Japanese and Korean text, for stock tokenizers.

A stock FTS5 tokenizer takes a whole run of such characters as one word. So each run is
also indexed as its neighbouring pairs, in a column of its own: 浏览器 gives 浏览 览器 器.
The last character stands alone, so that a single character can be asked for as a prefix;
a longer word is asked for by its own pairs.
Index and query use the functions of this module, which keeps the two sides equal.
"""

from __future__ import annotations

import re
import unicodedata

# Letters and number signs only: marks such as ・ separate words for the tokenizer too.
_CHARACTERS = (
    "\u1100-\u11ff"  # Hangul, conjoining
    "\u3005-\u3007"  # iteration mark, closing mark, zero
    "\u3031-\u3035\u303b"  # vertical iteration marks
    "\u3041-\u3096\u3099\u309a\u309d-\u309f"  # Hiragana with its combining voice marks
    "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # Katakana
    "\u3105-\u312f\u31a0-\u31bf"  # Bopomofo
    "\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"  # Hangul
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufad9"  # Han
    "\uff66-\uff9f\uffa0-\uffdc"  # half-width Katakana and Hangul
    "\U00020000-\U0003fffd"  # Han, supplementary planes
)
_RUN = re.compile(f"[{_CHARACTERS}]+")
_OTHER = f"[^\\W{_CHARACTERS}]"
_BORDER = re.compile(f"(?<=[{_CHARACTERS}])(?={_OTHER})|(?<={_OTHER})(?=[{_CHARACTERS}])")


def cjk_runs(text: str) -> list[str]:
    """The maximal runs of CJK characters in order, each in Unicode form NFKC.

    The form makes half-width, compatibility and decomposed spellings equal.
    """
    if text.isascii():
        return []
    return [unicodedata.normalize("NFKC", run) for run in _RUN.findall(text)]


def index_pairs(text: str) -> str:
    """What the ``cjk`` column holds for a text: all pairs and last characters, by blanks.

    Empty for text without CJK characters.
    """
    return " ".join(piece for run in cjk_runs(text) for piece in _pieces(run))


def part_at_borders(text: str) -> str:
    """The text with a blank wherever a CJK character meets another letter or digit.

    Without it the tokenizer takes ``VLAN三十号`` as one word and VLAN is lost.
    """
    if text.isascii() or not _RUN.search(text):
        return text
    return _BORDER.sub(" ", text)


def _pieces(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run))]
