"""Case get-ranges: what a read of some lines answers in memlens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import PathError
from engine.sources.found import SourceRoots
from engine.sources.reading import read_range
from tests.cases.inputs import DATA, case_copy

LINES_COUNT_FROM_ONE = [{"from": 0, "lines": 1}, {"from": -1, "lines": 1}, {"from": 2, "lines": 0}]
REQUESTS = json.loads((DATA / "get-ranges/requests.json").read_text("utf-8"))


def _refused(request_: dict[str, Any]) -> bool:
    asked = {key: request_[key] for key in ("from", "lines") if key in request_}
    return asked in LINES_COUNT_FROM_ONE or request_.get("path") == "README.md"


@pytest.mark.parametrize("request_", REQUESTS, ids=json.dumps)
def test_answers_are_as_given(request_: dict[str, Any], tmp_path: Path) -> None:
    roots = SourceRoots(case_copy("get-ranges", tmp_path) / "workspace")
    asked = (request_.get("path", "MEMORY.md"), request_.get("from"), request_.get("lines"))
    if _refused(request_):
        assert "error" in request_["or"] or "refused" in request_["or"]
        with pytest.raises(PathError, match=r"from 1|one line|outside the memory"):
            read_range(roots, *asked)
    else:
        assert read_range(roots, *asked).text == request_["text"]


def test_a_single_trailing_newline_is_not_a_line(tmp_path: Path) -> None:
    roots = SourceRoots(case_copy("get-ranges", tmp_path) / "workspace")
    whole = read_range(roots, "MEMORY.md")
    assert (whole.text, whole.lines, whole.citation) == ("one\ntwo\nthree", 3, "MEMORY.md#L1-L3")
    assert read_range(roots, "MEMORY.md", 4, 1).lines == 0
