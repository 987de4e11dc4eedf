"""The body of the Search screen: everything it shows, without asking anything itself."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from engine.ranking.trace import Ranked
from tui.glyphs import glyphs_of
from tui.text import plain
from tui.widgets.notice_line import NoticeLine
from tui.widgets.remark import Remark
from tui.widgets.search.empty_state import EmptyState
from tui.widgets.search.explain_tree import ExplainTree
from tui.widgets.search.heading import Heading
from tui.widgets.search.hit_text import HitText
from tui.widgets.search.inks import Inks
from tui.widgets.search.knob_bar import KnobBar
from tui.widgets.search.lab import Lab
from tui.widgets.search.list_header import header
from tui.widgets.search.query_box import QueryBox
from tui.widgets.search.result_list import ResultList

PANES = ("results", "why", "text")


class SearchPane(Inks):
    """Query, knobs, results, explanation and text; the last two side by side where wide."""

    SCOPED_CSS = False
    DEFAULT_CSS = """
    SearchPane {
        height: 1fr;
        #query-row { height: 1; }
        #query-sign { width: 3; }
        QueryBox { width: 1fr; }
        #count { width: 30; text-align: right; padding: 0 1; color: $text-muted; }
        #results { height: 8fr; min-height: 4; }
        ResultList { height: 1fr; }
        #below { height: 11fr; min-height: 7; }
        #why { height: 7fr; min-height: 4; }
        #text { height: 4fr; min-height: 3; }
        ReadingView { height: 1fr; }
        EmptyState { height: 1fr; }
    }
    SearchPane.answered EmptyState { display: none; }
    SearchPane.empty #results, SearchPane.empty #below { display: none; }
    .wide SearchPane #results { height: 2fr; }
    .wide SearchPane #below { height: 3fr; layout: horizontal; }
    .wide SearchPane #why { width: 1fr; height: 1fr; }
    .wide SearchPane #text { width: 1fr; height: 1fr; padding-left: 1; }
    .wide SearchPane #count { width: 64; }
    .tiny SearchPane #count { display: none; }
    .tiny SearchPane #below, .short SearchPane #below { display: none; }
    .tiny SearchPane.why #results, .short SearchPane.why #results { display: none; }
    .tiny SearchPane.text #results, .short SearchPane.text #results { display: none; }
    .tiny SearchPane.why #below, .short SearchPane.why #below { display: block; height: 1fr; }
    .tiny SearchPane.text #below, .short SearchPane.text #below { display: block; height: 1fr; }
    .tiny SearchPane.why #text, .short SearchPane.why #text { display: none; }
    .tiny SearchPane.text #why, .short SearchPane.text #why { display: none; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lab: Lab | None = None
        self.query_box = QueryBox(id="query")
        self.knobs = KnobBar(id="knobs")
        self.results = ResultList(id="list")
        self.explanation = ExplainTree(id="tree")
        self.chunk = HitText(id="chunk")
        self._count = Remark(id="count")
        self._notices = NoticeLine(id="notices")
        self._header = Remark(id="header")
        self._why_heading = Heading("why", id="why-heading")
        self._text_heading = Heading("text", id="text-heading")

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        with Horizontal(id="query-row"):
            yield Static(plain(" / "), id="query-sign")
            yield self.query_box
            yield self._count
        yield self.knobs
        yield self._notices
        with Vertical(id="results"):
            yield self._header
            yield self.results
        with Vertical(id="below"):
            with Vertical(id="why"):
                yield self._why_heading
                yield self.explanation
            with Vertical(id="text"):
                yield self._text_heading
                yield self.chunk
        yield EmptyState()

    def on_mount(self) -> None:
        """Nothing is typed yet."""
        self._reveal(False)
        self.bring_up(PANES[0])

    def show(self, lab: Lab, now_ms: float, *, afresh: bool) -> None:
        """Show what the lab holds; ``afresh`` is for the answer to another query."""
        self._lab = lab
        self.knobs.show(lab.settings, lab.base, lab.mode)
        self._reveal(lab.ranking is not None)
        self.results.show(lab.ranking, lab.baseline, self.terms, now_ms, afresh=afresh)
        self._explain(self.results.current)
        self._draw_header()

    def draw_anew(self) -> None:
        """Draw everything again, after the signs have changed."""
        self.knobs.refresh()
        self.chunk.lines_changed()
        self._why_heading.refresh()
        self._text_heading.refresh()

    def say(self, count: str, notices: tuple[str, ...]) -> None:
        """Show the count beside the query and the remarks above the list."""
        self._count.shown = plain(count)
        self._notices.notices = notices

    def bring_up(self, pane: str) -> bool:
        """Where only one part has room, show that one: results, why or text; False if it did."""
        was = self.has_class(pane)
        for name in PANES:
            self.set_class(name == pane, name)
        return not was

    @property
    def terms(self) -> tuple[str, ...]:
        """The words of the query, as the pool has them."""
        return self._lab.pool.terms if self._lab is not None and self._lab.pool else ()

    @on(ResultList.Chosen)
    def _hit_chosen(self, message: ResultList.Chosen) -> None:
        self._explain(message.hit)

    def _explain(self, hit: Ranked | None) -> None:
        lab = self._lab
        self.explanation.show(hit, lab.ranking if lab else None, lab.pool if lab else None)
        self.chunk.show(hit.candidate if hit else None, self.terms)
        self._draw_headings(hit)

    @on(ResultList.Rebuilt)
    def _draw_header(self) -> None:
        pinned = self._lab is not None and self._lab.pinned is not None
        text = header(self.results.columns, glyphs_of(self), pinned=pinned)
        self._header.shown = text

    def _draw_headings(self, hit: Ranked | None) -> None:
        why, text = self._why_heading, self._text_heading
        why.text = "why" if hit is None else f"why #{hit.rank}" if hit.rank else "why not"
        why.subject = text.subject = hit.candidate if hit is not None else None

    def _reveal(self, answered: bool) -> None:
        self.set_class(answered, "answered")
        self.set_class(not answered, "empty")
