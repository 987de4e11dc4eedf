"""One command's engine: opened late, closed always."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.cli.output import say
from engine.config.request import EngineOptions
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.memory import MemoryEngine, Surroundings


@dataclass(frozen=True, slots=True)
class Session:
    """The global options and the surroundings, handed from the group to each command."""

    options: EngineOptions
    around: Surroundings

    @contextmanager
    def engine(self, agent: str | None = None) -> Iterator[MemoryEngine]:
        """The engine of one agent (the chosen or default one when None).

        Where a command fails, what is wrong with the configuration is said too: it may be why.
        """
        from engine.memory import MemoryEngine

        options = replace(self.options, agent=agent) if agent else self.options
        engine = MemoryEngine.open(options, self.around)
        try:
            yield engine
        except EngineError:
            for problem in engine.config.problems:
                say(f"{problem.message} {problem.hint}".rstrip())
            raise
        finally:
            engine.close()

    @contextmanager
    def engines(self) -> Iterator[list[MemoryEngine]]:
        """One engine per agent of the configuration; only the chosen one with --agent."""
        from contextlib import ExitStack

        with ExitStack() as stack:
            first = stack.enter_context(self.engine())
            engines = [first]
            if self.options.agent is None:
                others = [a.agent_id for a in first.agents if a.agent_id != first.config.agent_id]
                engines += [stack.enter_context(self.engine(name)) for name in others]
            yield engines
