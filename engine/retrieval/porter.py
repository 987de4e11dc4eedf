"""Porter's stemmer (1980) as FTS5 applies it, to say which words of a text matched.

It mirrors the keyword table's tokenizer for display and never decides a score.
"""

from __future__ import annotations

import re
from functools import lru_cache

_LONGEST = 64
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "logi": "log", "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous",
    "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive",
    "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip
_SUFFIXES_2 = sorted(_STEP_2, key=len, reverse=True)
_SUFFIXES_3 = sorted(_STEP_3, key=len, reverse=True)
_SUFFIXES_4 = sorted(_STEP_4, key=len, reverse=True)
_VC = re.compile("VC")
_RUNS = re.compile("(.)\\1+")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The stem of a lower-case word; words under 3 or over 64 bytes stay as they are."""
    letters = word.encode("utf-8", "replace").decode("latin-1")
    if not 3 <= len(letters) <= _LONGEST:
        return word
    for step in (_plural, _past, _final_y, _step_2, _step_3, _step_4, _final_e, _final_l):
        letters = step(letters)
    return letters.encode("latin-1").decode("utf-8", "replace")


def _shape(word: str) -> str:
    """V for a vowel, C for a consonant; y is a vowel after a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "C")
        shape += "V" if vowel else "C"
    return shape


def _measure(word: str) -> int:
    """Porter's m: how often a run of vowels is followed by a run of consonants."""
    return len(_VC.findall(_RUNS.sub(r"\1", _shape(word))))


def _ends_cvc(word: str) -> bool:
    return _shape(word)[-3:] == "CVC" and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if (word.endswith("sses") and len(word) > 4) or (word.endswith("ies") and len(word) > 3):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed") and len(word) > 3:
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        rest = word.removesuffix(suffix)
        if rest != word and "V" in _shape(rest):
            return _mended(rest)
    return word


def _mended(word: str) -> str:
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if word[-1:] == word[-2:-1] and word[-1] not in "aeioulsz":
        return word[:-1]
    return word + "e" if _measure(word) == 1 and _ends_cvc(word) else word


def _final_y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and "V" in _shape(word[:-1]) else word


def _step_2(word: str) -> str:
    for suffix in _SUFFIXES_2:
        if word.endswith(suffix):
            rest = word.removesuffix(suffix)
            return rest + _STEP_2[suffix] if _measure(rest) > 0 else word
    return word


def _step_3(word: str) -> str:
    for suffix in _SUFFIXES_3:
        if word.endswith(suffix):
            rest = word.removesuffix(suffix)
            return rest + _STEP_3[suffix] if _measure(rest) > 0 else word
    return word


def _step_4(word: str) -> str:
    for suffix in _SUFFIXES_4:
        if word.endswith(suffix):
            rest = word.removesuffix(suffix)
            if suffix == "ion" and rest[-1:] not in ("s", "t"):
                return word
            return rest if _measure(rest) > 1 else word
    return word


def _final_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    rest = word[:-1]
    measure = _measure(rest)
    return rest if measure > 1 or (measure == 1 and not _ends_cvc(rest)) else word


def _final_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
