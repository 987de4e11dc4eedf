"""The command line: global options, sub-commands, exit codes.

Without a sub-command the caller's ``launch`` opens the screens; this module never
imports them, so every sub-command works without a terminal library.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from engine import __version__
from engine.cli.output import EXIT_USAGE, fail
from engine.cli.session import Session
from engine.config.request import EngineOptions, Places
from engine.errors import ConfigError, EngineError

Launch = Callable[[EngineOptions, "Any"], int]

_COMMANDS = {
    "status": ("engine.cli.status", "status"),
    "index": ("engine.cli.index", "index"),
    "search": ("engine.cli.search", "search"),
    "get": ("engine.cli.get", "get"),
    "files": ("engine.cli.files", "files"),
    "eval": ("engine.cli.evaluation", "evaluation"),
    "config": ("engine.cli.config", "config"),
    "model": ("engine.cli.model", "model"),
}


class LazyGroup(click.Group):
    """Sub-commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All sub-commands in the order of a first session."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one sub-command."""
        from importlib import import_module

        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), name)
        return command


def _moment(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> float | None:
    """``--now``: an ISO date or time as milliseconds since the epoch; UTC without a zone."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is no ISO date or time") from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.timestamp() * 1000


_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group(
    cls=LazyGroup, invoke_without_command=True, context_settings={"max_content_width": 100}
)
@click.option("--demo", is_flag=True, help="Use the bundled demo workspace.")
@click.option("--reset", is_flag=True, help="With --demo: start the demo afresh.")
@click.option("--config", "config_file", type=_FILE, help="The agent's configuration file.")
@click.option("--state-dir", type=_FOLDER, help="The agent's state folder (~/.openclaw).")
@click.option("--agent", metavar="ID", help="Which agent of the configuration.")
@click.option("--workspace", type=_FOLDER, help="A folder with Markdown memory.")
@click.option("--store", type=_FILE, help="The index file to use.")
@click.option("--era", metavar="NAME", help="2026.2, 2026.3, 2026.7, 2026.9 or memlens.")
@click.option(
    "--profile", metavar="NAME", help="Ranking profile: documented, 2026.3, 2026.7, 2026.9, tuned."
)
@click.option("--session-key", metavar="KEY", help="Who is asking (default agent:<id>:main).")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Override a setting.")
@click.option("--now", "now_ms", callback=_moment, metavar="ISO", help="The clock for decay.")
@click.version_option(__version__, prog_name="memlens")
@click.pass_context
def memlens(context: click.Context, /, **given: Any) -> None:
    """See, search and tune the Markdown memory of an AI agent.

    Without a command the screens open; the commands print the same facts for scripts.
    """
    if given["reset"] and not given["demo"]:
        raise click.UsageError("--reset starts the demo afresh and needs --demo.")
    if given["demo"] and any(given[name] for name in ("workspace", "state_dir", "config_file")):
        raise click.UsageError("--demo brings its own workspace and configuration.")
    options = EngineOptions(**given)
    context.obj = Session(options, surroundings())
    if context.invoked_subcommand is None:
        launch: Launch = context.meta["memlens.launch"]
        context.exit(launch(options, context.obj.around))


def surroundings() -> Any:
    """The real environment, folders and clock."""
    import platformdirs

    from engine.memory import Surroundings

    places = Places(
        home=Path.home(),
        data_dir=Path(platformdirs.user_data_dir("memlens", appauthor=False)),
        settings_dir=Path(platformdirs.user_config_dir("memlens", appauthor=False)),
    )
    return Surroundings(environ=dict(os.environ), places=places)


def run(arguments: Sequence[str], launch: Launch) -> int:
    """Run one command line and return its exit code; prints, never raises to the person."""
    as_json = "--json" in arguments
    try:
        with memlens.make_context("memlens", list(arguments)) as context:
            context.meta["memlens.launch"] = launch
            return _code(memlens.invoke(context))
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show(sys.stderr)
        return EXIT_USAGE
    except click.Abort:
        return 130
    except ConfigError as error:
        fail(error, as_json=as_json)
        return EXIT_USAGE
    except EngineError as error:
        return fail(error, as_json=as_json)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _code(result: object) -> int:
    return result if isinstance(result, int) else 0
