"""A case's workspace as a searchable memory, with the toy embedding the case brings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.chunking.chunk import ChunkingRules
from engine.store.contract import Tokenizer
from tests.cases.inputs import DATA
from tests.engine.retrieval.memory import STANDARD, Embed, Memory, build, notes_below


def case_json(name: str) -> Any:
    """A JSON file of a case, by ``case/file``."""
    return json.loads((DATA / name).read_text("utf-8"))


def toy_embedding(name: str) -> Embed:
    """The first rule whose ``contains`` stands in the text gives the vector, else ``default``."""
    toy = case_json(f"{name}/vectors.json")

    def embed(text: str) -> Sequence[float]:
        for rule in toy["rules"]:
            if rule["contains"] in text:
                return list(rule["vector"])
        return list(toy["default"])

    return embed


def case_memory(
    name: str,
    folder: Path,
    embed: Embed | None = None,
    rules: ChunkingRules = STANDARD,
    tokenizer: Tokenizer = "unicode61",
) -> Memory:
    """The workspace of a case, indexed below a folder."""
    notes = notes_below(DATA / name / "workspace")
    return build(folder / "case.sqlite", notes, embed, rules=rules, tokenizer=tokenizer)
