"""``memlens config show``: every effective value and where it came from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from engine.cli.output import print_json, print_lines, say

if TYPE_CHECKING:
    from engine.cli.session import Session
    from engine.config.resolved import ConfigProblem, ConfigValue


@click.group()
def config() -> None:
    """Look at the configuration."""


@config.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option("--all", "show_all", is_flag=True, help="Also the values nobody set.")
@click.pass_obj
def show(session: Session, as_json: bool, show_all: bool) -> int:
    """Print the era, the profile and the values with their places."""
    with session.engine() as engine:
        resolved = engine.config
    if as_json:
        print_json(
            {
                "era": resolved.era.name,
                "profile": resolved.profile,
                "values": [_document(value) for value in resolved.values],
                "warnings": [_warning(problem) for problem in resolved.problems],
            }
        )
        return 0
    values = [v for v in resolved.values if show_all or v.source.layer != "default"]
    print_lines([f"era {resolved.era.name}, profile {resolved.profile}", *map(_line, values)])
    if not values:
        print_lines(["Every value is the default; --all lists them."])
    for problem in resolved.problems:
        say(_told(problem))
    return 0


def _document(value: ConfigValue) -> dict[str, Any]:
    document = {
        "key": value.key,
        "value": value.value,
        "default": value.default,
        "source": value.source.layer,
    }
    if value.source.file is not None:
        document |= {"file": str(value.source.file), "line": value.source.line}
    return document


def _line(value: ConfigValue) -> str:
    place = value.source.layer
    if value.source.file is not None:
        place += f", {value.source.file}" + (f":{value.source.line}" if value.source.line else "")
    shown = json.dumps(value.value, ensure_ascii=False, default=str)
    return f"{value.key} = {shown}  ({place})"


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
