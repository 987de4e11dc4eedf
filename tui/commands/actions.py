"""Every action that a key can run, and the ones without a key, in the palette."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, runtime_checkable

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from tui.text import assemble


@dataclass(frozen=True, slots=True)
class Command:
    """A line of the palette: a name, the key if it has one, help, and what it does."""

    name: str
    key: str
    help: str
    run: Callable[[], object]


@runtime_checkable
class HasCommands(Protocol):
    """An application with commands that have no key."""

    def more_commands(self) -> Iterable[Command]:
        """Those commands."""
        ...


class Actions(Provider):
    """Reads the bindings in force, so palette, key line and help cannot disagree."""

    def commands(self) -> list[Command]:
        """All commands of this moment, bound ones first, each once."""
        found: dict[str, Command] = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if binding.system or not binding.tooltip or not binding.id or not active.enabled:
                continue
            run = partial(self.app.run_action, binding.action, active.node)
            shown = self.app.get_key_display(binding)
            name = binding.tooltip.rstrip(".")
            found.setdefault(binding.id, Command(name, shown, binding.id, run))
        more = self.app.more_commands() if isinstance(self.app, HasCommands) else ()
        names = {command.name for command in found.values()}
        return [*found.values(), *(command for command in more if command.name not in names)]

    async def discover(self) -> Hits:
        """All commands, when nothing was typed yet."""
        for command in self.commands():
            yield DiscoveryHit(_label(command), command.run, text=command.name, help=command.help)

    async def search(self, query: str) -> Hits:
        """The commands whose name, key or id matches."""
        matcher = self.matcher(query)
        for command in self.commands():
            score = max(matcher.match(command.name), matcher.match(command.help))
            if score > 0 or (command.key and command.key == query):
                label = _label(command)
                yield Hit(score or 1.0, label, command.run, text=command.name, help=command.help)


def _label(command: Command) -> Content:
    return assemble(command.name, (f"  {command.key}" if command.key else "", "bold $accent"))
