"""``memlens config show``: every effective value and where it came from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from engine.cli.output import print_json, print_lines, say

if TYPE_CHECKING:
    from engine.cli.session import Session
    from engine.config.resolved import ConfigProblem, ConfigValue, Provenance, ResolvedConfig
    from engine.retrieval.differences import Difference


@click.group()
def config() -> None:
    """Look at the configuration."""


@config.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option("--all", "show_all", is_flag=True, help="Also the values nobody set.")
@click.pass_obj
def show(session: Session, as_json: bool, show_all: bool) -> int:
    """Print the era, the profile and what differs from it, and the values with their places."""
    with session.engine() as engine:
        resolved = engine.config
    if as_json:
        print_json(_document(resolved))
        return 0
    values = [v for v in resolved.values if show_all or v.source.layer != "default"]
    print_lines([f"era {resolved.era.name}, profile {resolved.profile}", *_ranking(resolved)])
    print_lines(map(_line, values))
    if not values:
        print_lines(["Every value is the default; --all lists them."])
    for problem in resolved.problems:
        say(_told(problem))
    return 0


def _document(resolved: ResolvedConfig) -> dict[str, Any]:
    from engine.retrieval.differences import differences, unheeded

    return {
        "era": resolved.era.name,
        "profile": resolved.profile,
        "differs": [_difference(each) for each in differences(resolved)],
        "unheeded": [_value(value) for value in unheeded(resolved)],
        "values": [_value(value) for value in resolved.values],
        "warnings": [_warning(problem) for problem in resolved.problems],
    }


def _value(value: ConfigValue) -> dict[str, Any]:
    said = {"key": value.key, "value": value.value, "default": value.default}
    return said | _source(value.source)


def _difference(found: Difference) -> dict[str, Any]:
    said = {"key": found.key, "value": found.value, "profileValue": found.profile_value}
    return said | _source(found.source)


def _source(source: Provenance) -> dict[str, Any]:
    file = {} if source.file is None else {"file": str(source.file), "line": source.line}
    return {"source": source.layer, **file}


def _ranking(resolved: ResolvedConfig) -> Iterator[str]:
    """What the ranking has from elsewhere than its profile, and what it does not listen to."""
    from engine.retrieval.differences import differences, unheeded

    found, deaf = differences(resolved), unheeded(resolved)
    if not found:
        yield f"ranking: all as the profile {resolved.profile} has it"
    for each in found:
        place, usual = _place(each.source), _shown(each.profile_value)
        yield f"ranking: {each.key} = {_shown(each.value)} instead of {usual}  ({place})"
    for value in deaf:
        yield f"not heard by the profile: {_line(value)}"


def _line(value: ConfigValue) -> str:
    return f"{value.key} = {_shown(value.value)}  ({_place(value.source)})"


def _place(source: Provenance) -> str:
    if source.file is None:
        return source.layer
    return f"{source.layer}, {source.file}" + (f":{source.line}" if source.line else "")


def _shown(value: Any) -> str:
    short = round(value, 4) if isinstance(value, float) else value
    return json.dumps(short, ensure_ascii=False, default=str)


def _told(problem: ConfigProblem) -> str:
    """The message names the place already; only the folder of the file is new."""
    said = f"{problem.message} {problem.hint}".strip()
    return said if problem.file is None else f"{said} ({problem.file})"


def _warning(problem: ConfigProblem) -> dict[str, Any]:
    return {
        "message": problem.message,
        "hint": problem.hint or None,
        "file": None if problem.file is None else str(problem.file),
        "line": problem.line,
        "column": problem.column,
    }
