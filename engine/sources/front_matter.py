"""Heads of notes: the lines between two ``---`` at the top.

One rule for all files: a head is text like any other, indexed and found under its own
line numbers, and never parsed. A broken one can therefore break nothing; this module only
tells its owner, since other programs may stumble over it.
"""

from __future__ import annotations

import re

_FENCE = "---"
_ENDS = (_FENCE, "...")
_KEY = re.compile(r"""[^\s#\-&*!|>%@`"'{}\[\],?:][^#]*?:(?:\s+(?P<value>.*))?$""")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*(?:#.*)?$""")
_ALIAS = re.compile(r"[*&][\w-]+(?:\s|$)")


def head_problem(text: str) -> str | None:
    """What a strict YAML parser would refuse in the head of a note, in one sentence.

    None without a head, without its end, and when nothing is obviously wrong: only
    top-level ``key: value`` lines are looked at.
    """
    lines = [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]
    if lines[0].rstrip() != _FENCE:
        return None
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() in _ENDS), None)
    for number, line in enumerate(lines[1:end] if end else (), start=2):
        fault = _fault(line)
        if fault is not None:
            return f"Line {number} of its head is not valid YAML: {fault}."
    return None


def _fault(line: str) -> str | None:
    if not line.strip() or line[0] in " \t#-]})":
        return None
    match = _KEY.match(line)
    if match is None:
        return None if _QUOTED.match(line.split(":")[0].strip()) else "it is no key with a value"
    return _value_fault((match["value"] or "").strip())


def _value_fault(value: str) -> str | None:
    if value[:1] in ("`", "@", "%"):
        return f"a value cannot begin with {value[0]} outside quotes"
    if value[:1] in ('"', "'"):
        return None if _QUOTED.match(value) else "a quote is not closed"
    if value[:1] in ("*", "&"):
        return None if _ALIAS.match(value) else f"{value[0]} begins a reference to another value"
    if value[:1] not in ("[", "{", "|", ">", "!") and ": " in value.split(" #")[0]:
        return "a value holds a second colon outside quotes"
    return None
