"""Which agent's memory to show, when the configuration lists several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.glyphs import Glyphs, glyphs_of
from tui.screens.dialog import Choice, Dialog
from tui.text import assemble, cut_left, pad
from tui.widgets.row_list import RowList
from tui.wording import short_path

if TYPE_CHECKING:
    from engine.config.resolved import AgentInfo


class AgentScreen(Dialog[str | None]):
    """A list of agents; enter takes one, Esc keeps the present one."""

    DEFAULT_CSS = """
    AgentScreen OptionList { height: auto; max-height: 14; background: $surface; }
    """

    def __init__(self, agents: Sequence[AgentInfo], current: str, home: str) -> None:
        super().__init__("Choose an agent", [Choice("keep this one", None)])
        self._agents = agents
        self._current = current
        self._home = home
        self._list = RowList()

    def compose_said(self) -> Iterable[Widget]:
        """One line an agent: id, workspace, and which is the default one."""
        glyphs = glyphs_of(self)
        self._list.add_options(Option(self._drawn(agent, glyphs)) for agent in self._agents)
        yield self._list

    def focus_first(self) -> None:
        """The cursor starts on the present agent."""
        ids = [agent.agent_id for agent in self._agents]
        self._list.highlighted = ids.index(self._current) if self._current in ids else 0
        self._list.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer with the chosen agent."""
        event.stop()
        self.dismiss(self._agents[event.option_index].agent_id)

    def _drawn(self, agent: AgentInfo, glyphs: Glyphs) -> Content:
        here = glyphs.cursor if agent.agent_id == self._current else " "
        note = "  default" if agent.default else ""
        place = cut_left(short_path(str(agent.workspace), self._home), 40, glyphs.ellipsis)
        return assemble(
            f"{here} ", (pad(agent.agent_id, 18), "bold"), f" {place}", (note, "$text-muted")
        )
