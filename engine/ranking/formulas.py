"""Each stage's computation as a line of text, written from the numbers of its step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

Stage = Literal[
    "vector", "text", "lexical", "path", "fusion", "name", "order", "decay", "importance",
    "project", "mmr", "shown", "cut", "limit", "pool",
]  # fmt: skip
Input = float | int | str | bool | None
Inputs = Mapping[str, Input]

BM25_FLOOR = -1e-4
"""Above this FTS5's inverse document frequency is at its floor of 0.000001 a word."""


def number(value: Input, places: int = 3) -> str:
    """A score for a narrow column: ``.812``, ``-.050``, ``1.000``, ``-6.130``; ``-`` for none."""
    if value is None or isinstance(value, (str, bool)):
        return "-"
    text = f"{value:.{places}f}"
    if value and not text.strip("-0."):
        text = f"{0:.{places}f}"  # a minus before nothing but zeros says nothing
    if text.startswith("0."):
        return text[1:]
    return "-" + text[2:] if text.startswith("-0.") else text


def describe(stage: Stage, before: float | None, after: float | None, inputs: Inputs) -> str:
    """The formula of a step with its numbers, rounded for reading."""
    return _WRITERS[stage](before, after, inputs)


def _vector(before: float | None, after: float | None, inputs: Inputs) -> str:
    return f"cosine {number(after)}, {_place(inputs)}"


def _place(inputs: Inputs) -> str:
    if inputs["filled_in"]:
        return "filled in, as the pool of its leg does not reach it"
    return f"place {inputs['place']} in its leg"


def places(count: int) -> str:
    """``1 place``, ``7 places``."""
    return f"{count} place" + ("" if count == 1 else "s")


def _bm25(value: Input) -> str:
    """A bm25 with two places; one that lies at the floor with the digits that it has."""
    if isinstance(value, float) and 0 < abs(value) < 0.005:
        return f"{value:.2g}"
    return number(value, 2)


def _text(before: float | None, after: float | None, inputs: Inputs) -> str:
    rank, best = _bm25(inputs["bm25"]), _bm25(inputs.get("best"))
    written = {
        "documented": f"1 / (1 + max(0, {rank})) = {number(after)}",
        "saturating": f"|{rank}| / (1 + |{rank}|) = {number(after)}",
        "ranked": f"|{rank}| / (1 + |{rank}|) = {number(after)}",
        "best": f"{rank} / {best} = {number(after)} of the best",
        "covered": f"{rank} / {best} of the best{_covered(inputs)} = {number(after)}",
    }[str(inputs["rule"])]
    if inputs["bm25"] == 0:
        return f"a part of the text matched, which has no bm25: {number(after)}, {_place(inputs)}"
    return f"bm25 {rank}: {written} ({inputs['rule']}), {_place(inputs)}{_scale(inputs)}"


def _covered(inputs: Inputs) -> str:
    """The part of the formula that says how far the best hit covers the query."""
    full = inputs.get("full")
    if not full:
        return ""
    return f" × min(1, {_bm25(inputs['best'])} / -{_bm25(full)})²"


def _scale(inputs: Inputs) -> str:
    bm25 = inputs["bm25"]
    if inputs["rule"] == "documented":
        return "; this formula gives every keyword hit 1"
    if isinstance(bm25, float) and bm25 > BM25_FLOOR:
        return "; BM25 is at its floor, because the words stand in half or more of all chunks"
    return ""


def _fusion(before: float | None, after: float | None, inputs: Inputs) -> str:
    vector = _side(inputs, "vector")
    text = _side(inputs, "text")
    return f"{vector} + {text} = {number(after)}"


def _side(inputs: Inputs, side: str) -> str:
    weight = number(inputs[f"{side}_weight"], 2)
    value = inputs[side]
    if value is None:
        return f"{weight} × nothing"
    if inputs["rule"] == "rrf":
        k = inputs["k"]
        return f"{weight} × {k} + 1 over {k} + {inputs[f'{side}_rank']}"
    if inputs["rule"] == "zscore":
        mean, spread = inputs[f"{side}_mean"], inputs[f"{side}_spread"]
        return f"{weight} × Φ(({number(value)} - {number(mean)}) / {number(spread)})"
    return f"{weight} × {number(value)}"


def _lexical(before: float | None, after: float | None, inputs: Inputs) -> str:
    covered = f"{inputs['covered']} of {inputs['words']} words covered"
    return (
        f"{number(before)} + boost, at most 1 = {number(after)}: {covered}, "
        f"{inputs['distinct']} words in the text, {inputs['in_path']} in the path, "
        f"{inputs['length']} characters"
    )


def _path(before: float | None, after: float | None, inputs: Inputs) -> str:
    return f"bm25 {number(inputs['bm25'], 2)} of the path: {number(after)}, {_place(inputs)}"


def _name(before: float | None, after: float | None, inputs: Inputs) -> str:
    what = {3: "path", 2: "file name", 1: "file name without suffix"}[int(inputs["tier"] or 1)]
    return f"the query is its {what}: (1 + {number(before)}) / 2 = {number(after)}"


def _order(before: float | None, after: float | None, inputs: Inputs) -> str:
    return f"only a part of the text matched: ordered by its keyword score {number(after)}"


def _importance(before: float | None, after: float | None, inputs: Inputs) -> str:
    factor = number(inputs["factor"], 2)
    return f"{number(before)} × {factor} = {number(after)}, importance {inputs['importance']}"


def _project(before: float | None, after: float | None, inputs: Inputs) -> str:
    factor = number(inputs["factor"], 2)
    return f"{number(before)} × {factor} = {number(after)}, projects {inputs['projects']}"


def _shown(before: float | None, after: float | None, inputs: Inputs) -> str:
    if not inputs["value"]:
        return f"{number(before)} is an order only; the score shown is {number(after)}"
    return f"ranked by {number(before)} among files that the query names; shown as {number(after)}"


def _decay(before: float | None, after: float | None, inputs: Inputs) -> str:
    factor = number(inputs["factor"])
    result = f"{number(before)} × {factor} = {number(after)}"
    if inputs["age_days"] is None:
        return f"{result}, {inputs['by']}"
    age, half = number(inputs["age_days"], 1), inputs["half_life_days"]
    return f"{result}, {age} days at a half-life of {half:g} ({inputs['by']} {inputs['date']})"


def _mmr(before: float | None, after: float | None, inputs: Inputs) -> str:
    lambda_, overlap = inputs["lambda"], inputs["overlap"]
    rest = inputs["penalty_weight"]
    value = (
        f"{number(lambda_, 2)} × {number(inputs['relevance'])}"
        f" - {number(rest, 2)} × {number(overlap, 2)} = {number(inputs['value'])}"
    )
    like = f", overlap with {inputs['nearest']}" if inputs["nearest"] else ""
    stretch = ""
    if inputs["rule"] == "minmax":
        stretch = f", relevance stretched from {number(inputs['low'])} to {number(inputs['high'])}"
    return f"pick {inputs['pick']}: {value}{like}{stretch} ({inputs['rule']})"


def _cut(before: float | None, after: float | None, inputs: Inputs) -> str:
    minimum = number(inputs["minimum"])
    if not inputs["passed"]:
        return f"{number(before)} misses the minimum {minimum}"
    relaxed = ", relaxed for keyword hits" if inputs["relaxed"] else ""
    return f"{number(before)} reaches the minimum {minimum}{relaxed}"


def _limit(before: float | None, after: float | None, inputs: Inputs) -> str:
    return f"place {inputs['place']}, {inputs['limit']} are shown"


def _pool(before: float | None, after: float | None, inputs: Inputs) -> str:
    if inputs["leg"] is None:
        return "no leg in force lists it"
    return f"place {inputs['place']} in leg {inputs['leg']}, the pool takes {inputs['size']} a leg"


_WRITERS: Mapping[Stage, Callable[[float | None, float | None, Inputs], str]] = {
    "vector": _vector,
    "text": _text,
    "lexical": _lexical,
    "path": _path,
    "fusion": _fusion,
    "name": _name,
    "order": _order,
    "decay": _decay,
    "importance": _importance,
    "project": _project,
    "mmr": _mmr,
    "shown": _shown,
    "cut": _cut,
    "limit": _limit,
    "pool": _pool,
}
