"""Which quantisation a model file's name tells of."""

from __future__ import annotations

import re

_NAME = re.compile(
    r"(?i)(?<![a-z0-9])(iq[1-4]_(?:xxs|xs|nl|s|m)|tq[12]_0|q[2-8]_(?:k(?:_(?:xl|s|m|l))?|[01])"
    r"|mxfp4(?:_moe)?|bf16|f16|f32)(?![a-z0-9])"
)


def quantisation_of(name: str) -> str:
    """In capitals, as ``Q8_0``; empty when the name tells of none."""
    found = _NAME.findall(name)
    return str(found[-1]).upper() if found else ""
