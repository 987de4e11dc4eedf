"""LM Studio's list of models: which entry a name means, and how the loaded one is called."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ListedModel:
    """One model on the machine; ``instances`` are the names of those in memory."""

    key: str
    kind: str
    instances: tuple[str, ...]


def listed_models(body: bytes) -> tuple[ListedModel, ...]:
    """The models of an answer of ``/api/v1/models``. Raises ValueError for another answer."""
    try:
        answer = json.loads(body)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    entries = answer.get("models") if isinstance(answer, dict) else None
    if not isinstance(entries, list):
        raise ValueError("no list of models")
    return tuple(_listed(entry) for entry in entries if isinstance(entry, dict))


def named(models: Iterable[ListedModel], name: str) -> ListedModel | None:
    """The model that a name means: an instance, a key, or a key without its publisher."""
    known = tuple(models)
    for model in known:
        if name in (model.key, *model.instances):
            return model
    bare = name.rpartition("/")[2]
    same = [model for model in known if model.key.rpartition("/")[2] == bare]
    return same[0] if len(same) == 1 else None


def _listed(entry: Mapping[str, Any]) -> ListedModel:
    instances = entry.get("loaded_instances")
    found = [
        instance["id"]
        for instance in (instances if isinstance(instances, list) else ())
        if isinstance(instance, dict) and isinstance(instance.get("id"), str)
    ]
    return ListedModel(str(entry.get("key", "")), str(entry.get("type", "")), tuple(found))
