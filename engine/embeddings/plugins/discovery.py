"""Which plug-ins are installed: read from the metadata of distributions, nothing is loaded."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.embeddings.plugins.contract import GROUP

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class InstalledPlugin:
    """A provider that a distribution offers; ``problem`` says why it can never be used."""

    id: str
    distribution: str
    version: str
    problem: str = ""
    entry_point: EntryPoint | None = field(default=None, repr=False, compare=False)

    @property
    def label(self) -> str:
        """The plug-in as it is called in sentences."""
        return f"plug-in {self.distribution} {self.version}".rstrip()


def installed_plugins(taken: Collection[str]) -> tuple[InstalledPlugin, ...]:
    """All of them, by id; ``taken`` are the ids that memlens has providers for itself."""
    from importlib.metadata import entry_points

    found = sorted(
        (_described(entry) for entry in entry_points(group=GROUP)),
        key=lambda plugin: (plugin.id, plugin.distribution),
    )
    return tuple(_judged(plugin, found, taken) for plugin in found)


def _described(entry: EntryPoint) -> InstalledPlugin:
    name, version = "of an unknown distribution", ""
    if entry.dist is not None:
        name, version = entry.dist.name or name, entry.dist.version or ""
    return InstalledPlugin(_short(entry.name), _short(name), _short(version), "", entry)


def _judged(
    plugin: InstalledPlugin, others: list[InstalledPlugin], taken: Collection[str]
) -> InstalledPlugin:
    problem = ""
    if not _ID.fullmatch(plugin.id):
        problem = "its name is no word of letters, digits, dots and dashes"
    elif plugin.id in taken:
        problem = f"memlens has a provider {plugin.id} of its own"
    elif twins := [other for other in others if other.id == plugin.id and other is not plugin]:
        problem = f"{twins[0].label} offers {plugin.id} as well"
    return InstalledPlugin(
        plugin.id, plugin.distribution, plugin.version, problem, plugin.entry_point
    )


def _short(text: str) -> str:
    """One line of printable characters."""
    line = "".join(char if char.isprintable() else "?" for char in text)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
