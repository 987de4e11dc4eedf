"""Search: a query, knobs that re-rank at once, and why each hit stands where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from tui.messages import CallFailed, OpenFile
from tui.screens.base import MemlensScreen
from tui.screens.search_keys import SEARCH_KEYS
from tui.widgets.search.excerpts import best_line
from tui.widgets.search.found import Found, ProfilesRead, fetch, read_profiles
from tui.widgets.search.knob_bar import KnobBar
from tui.widgets.search.knobs import PROFILE
from tui.widgets.search.lab import Lab
from tui.widgets.search.notices import Standing, count_told, notices
from tui.widgets.search.pane import PANES, SearchPane
from tui.widgets.search.query_box import QueryBox
from tui.widgets.search.result_list import ResultList

if TYPE_CHECKING:
    from engine.errors import EngineError
    from engine.ranking.pool import CandidatePool
    from engine.ranking.settings import RankSettings
    from engine.ranking.trace import Ranking
    from engine.status import EngineStatus

QUIET_S = 0.15
"""A search starts when nothing was typed for this long."""


class SearchScreen(MemlensScreen):
    """Asks the engine, keeps the lab, and lets the pane show both."""

    NAME = "search"
    AUTO_FOCUS = "#query"
    HELP = (
        "Type a query; results come while you type, and enter also asks a remote provider. "
        "The row below holds the knobs of the ranking: tab takes the next one in hand, h and l "
        "turn it, and the list follows at once without touching index or provider. Values that "
        "differ from the profile carry a star. Under the line stands what was cut and why."
    )
    BINDINGS: ClassVar[list[BindingType]] = SEARCH_KEYS

    def __init__(self) -> None:
        super().__init__()
        self._lab: Lab | None = None
        self._asked = ""
        self._sent = False
        self._quiet: Timer | None = None
        self._error: EngineError | None = None
        self._outdated = False
        self._memory: tuple[str, str, str] | None = None
        self.pane = SearchPane(id="pane")

    def compose_body(self) -> Iterable[Widget]:
        """One pane."""
        yield self.pane

    @property
    def lab(self) -> Lab | None:
        """What is being tried; None until the engine has told its profiles."""
        return self._lab

    @property
    def asked(self) -> str:
        """The query that was asked last; empty when the box is."""
        return self._asked

    def on_mount(self) -> None:
        """Ask for the profiles; the answer comes when the engine is open."""
        self.bridge.request("profiles", read_profiles, lambda told: told, self)

    def on_status(self, status: EngineStatus) -> None:
        """The remarks may have changed; another agent or folder is another memory."""
        memory = (status.agent_id, status.workspace, status.store_path)
        if self._memory not in (None, memory):
            self._outdated, self._error = False, None
            self.on_mount()
        self._memory = memory
        self._say()

    def on_looks_changed(self) -> None:
        """Draw with the other signs."""
        super().on_looks_changed()
        self.pane.draw_anew()
        self._show()

    def on_index_changed(self) -> None:
        """Keep list and cursor and say that they may be old; only an empty list is asked anew."""
        pool = self._lab.pool if self._lab is not None else None
        if pool is not None and not pool.candidates:
            self.action_run_again()
        elif pool is not None:
            self._outdated = True
            self._say()

    @on(ProfilesRead)
    def _ready(self, message: ProfilesRead) -> None:
        self._lab = Lab(self._rank, message.profiles, message.settings)
        self._asked, self._error = "", None
        self.pane.show(self._lab, self.bridge.now_ms(), afresh=True)
        self._search(sent=False)

    @on(Input.Changed)
    def _typed(self) -> None:
        if self._quiet is not None:
            self._quiet.stop()
        self._quiet = self.set_timer(QUIET_S, partial(self._search, sent=False))

    @on(Input.Submitted)
    def _entered(self) -> None:
        self.pane.query_box.history.remember(self.pane.query_box.value)
        self._search(sent=True)
        self._to_results()

    @on(QueryBox.Left)
    def _to_results(self) -> None:
        self._give_keys_to(0)

    def _search(self, *, sent: bool) -> None:
        """Ask for the candidates of the query in the box; the newest question wins."""
        if self._quiet is not None:
            self._quiet.stop()
        query, lab = self.pane.query_box.value.strip(), self._lab
        if lab is None:
            return
        if not query:
            self._forget(lab)
        elif sent or query != self._asked:
            self._ask(lab, query, sent)

    def _ask(self, lab: Lab, query: str, sent: bool) -> None:
        self._asked, self._sent = query, sent
        work = partial(fetch, query=query, settings=lab.settings, pinned=lab.pinned, sent=sent)
        self.bridge.request("search", work, lambda found: found, self)

    def _forget(self, lab: Lab) -> None:
        self._asked = ""
        self._error, self._outdated = None, False
        lab.clear()
        self.pane.show(lab, self.bridge.now_ms(), afresh=True)
        self._say()

    @on(Found)
    def _take(self, message: Found) -> None:
        lab, pool = self._lab, message.pool
        if lab is None or self.bridge.engine is None or message.query != self._asked:
            return
        afresh = lab.pool is None or lab.pool.query != pool.query
        self._sent, self._error, self._outdated = message.sent, None, False
        ranking = message.ranking
        lab.take(pool, ranking.settings.join, message.pinned_ranks, ranking)
        self._show(afresh=afresh)
        if lab.waiting:
            self._ask(lab, message.query, message.sent)

    @on(CallFailed)
    def _failed(self, message: CallFailed) -> None:
        if message.group not in ("search", "profiles"):
            return
        message.stop()
        self._error = message.error
        self._say()

    def _rank(self, pool: CandidatePool, settings: RankSettings) -> Ranking:
        engine = self.bridge.engine
        assert engine is not None, "knobs rest while the memory is being opened anew"
        return engine.rank(pool, settings)

    def _show(self, *, afresh: bool = False) -> None:
        if self._lab is not None:
            self.pane.show(self._lab, self.bridge.now_ms(), afresh=afresh)
            self._say()
            self.refresh_bindings()

    def _say(self) -> None:
        lab = self._lab
        standing = Standing(
            lab.pool if lab else None,
            lab.ranking if lab else None,
            self.host.status,
            self._error,
            outdated=self._outdated,
        )
        self.pane.say(
            count_told(standing, self.glyphs.dot, roomy=self.has_class("wide")), notices(standing)
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No key is offered that can do nothing just now."""
        lab = self._lab
        if action == "edit_query":
            return not isinstance(self.focused, QueryBox)
        if action in ("undo", "redo"):
            return lab is not None and (lab.can_undo if action == "undo" else lab.can_redo)
        return super().check_action(action, parameters)

    # Actions of the keys, the palette and the mouse.

    def action_edit_query(self) -> None:
        """Go to the query box, the cursor at the end."""
        self.pane.query_box.focus()
        self.pane.query_box.action_end()

    def action_take_knob(self, places: int) -> None:
        """Take the next or previous knob in hand."""
        self.pane.knobs.take_next(places)

    def action_turn(self, steps: int, big: bool = False) -> None:
        """Turn the knob in hand."""
        self._change(lambda lab: lab.move(self.pane.knobs.in_hand, steps, big))

    def action_restore(self) -> None:
        """Put the knob in hand where the profile has it."""
        self._change(lambda lab: lab.restore(self.pane.knobs.in_hand))

    def action_next_profile(self) -> None:
        """Go on to the next profile."""
        self._change(lambda lab: lab.move(PROFILE, 1))

    def action_switch(self, name: str) -> None:
        """Switch decay or MMR."""
        self._change(lambda lab: lab.toggle(name))

    def action_undo(self) -> None:
        """Take a change back."""
        self._change(lambda lab: lab.undo())

    def action_redo(self) -> None:
        """Make it again."""
        self._change(lambda lab: lab.redo())

    def action_pin(self) -> None:
        """Pin the ranking, or let it go."""
        if self._lab is not None:
            self._lab.pin()
            self._show()

    def action_numbers(self) -> None:
        """Bars or numbers."""
        self.pane.results.show_numbers(not self.pane.results.numbers)

    def action_fold(self) -> None:
        """Fold or unfold the explanation."""
        self.pane.explanation.fold(not self.pane.explanation.folded)

    def action_all_digits(self) -> None:
        """Show the explanation with all digits, or rounded."""
        self.pane.explanation.show_all_digits(not self.pane.explanation.all_digits)

    def action_run_again(self) -> None:
        """Ask again with the query in the box."""
        if self._lab is not None and self._asked:
            self._ask(self._lab, self._asked, self._sent)

    def action_read(self, pages: int) -> None:
        """Page the text of the hit."""
        chunk = self.pane.chunk
        chunk.scroll_relative(y=pages * max(1, chunk.size.height - 1), animate=False)

    def action_next_pane(self) -> None:
        """Give the keys to the next part: results, explanation, text."""
        parts = self._parts
        at = parts.index(self.focused) + 1 if self.focused in parts else 0
        self._give_keys_to(at % len(parts))

    @property
    def _parts(self) -> list[Widget]:
        return [self.pane.results, self.pane.explanation, self.pane.chunk]

    def _give_keys_to(self, place: int) -> None:
        """Focus a part; where only one has room it must come to the front first."""
        part = self._parts[place]
        if self.pane.bring_up(PANES[place]) and (self.has_class("tiny") or self.has_class("short")):
            self.call_after_refresh(part.focus)
        else:
            part.focus()

    def _change(self, act: Callable[[Lab], bool]) -> None:
        """Turn a knob and show it; a profile may need a keyword leg that was not asked yet."""
        lab = self._lab
        if lab is None or self.bridge.engine is None or not act(lab):
            return
        self._show()
        if lab.pool is not None and lab.waiting:
            self._ask(lab, self._asked, self._sent)

    @on(KnobBar.Taken)
    def _knob_taken(self, message: KnobBar.Taken) -> None:
        self.pane.knobs.take(message.name)

    @on(KnobBar.Turned)
    def _knob_turned(self, message: KnobBar.Turned) -> None:
        name, steps = message.name, message.steps
        self._change(lambda lab: lab.move(name, steps) if steps else lab.toggle(name))

    @on(ResultList.Opened)
    def _open(self, message: ResultList.Opened) -> None:
        found = message.hit.candidate
        line = min(found.start_line + best_line(found.text, self.pane.terms), found.end_line)
        self.post_message(OpenFile(found.path, line, found.end_line, self._asked))
