"""The explanation of the hit under the cursor."""

from __future__ import annotations

from textual.content import Content

from engine.ranking.pool import CandidatePool
from engine.ranking.trace import Ranked, Ranking
from tui.glyphs import glyphs_of
from tui.widgets.search.explain import explain
from tui.widgets.search.reading_view import ReadingView
from tui.widgets.search.tree_lines import tree_lines

ROOM_FOR_ALL = 10
"""From this many lines on the tree is unfolded unless somebody folds it."""
ROOM_FOR_A_LINE = 56
"""In fewer cells a sentence wraps rather than being cut."""


class ExplainTree(ReadingView):
    """Draws the trace of a hit as a tree; folded it is one line a stage."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.all_digits = False
        self._folded: bool | None = None
        self._hit: Ranked | None = None
        self._ranking: Ranking | None = None
        self._pool: CandidatePool | None = None

    def show(self, hit: Ranked | None, ranking: Ranking | None, pool: CandidatePool | None) -> None:
        """Explain another hit, or none; the place stays when it is the same one."""
        same = hit is not None and self._hit is not None and hit.candidate == self._hit.candidate
        self._hit, self._ranking, self._pool = hit, ranking, pool
        self.lines_changed()
        if not same:
            self.scroll_to(y=0, animate=False, force=True)

    @property
    def folded(self) -> bool:
        """True when only the stages show; until somebody chooses, the room decides."""
        return self.size.height < ROOM_FOR_ALL if self._folded is None else self._folded

    def fold(self, folded: bool) -> None:
        """Show only the stages, or all that is under them too."""
        self._folded = folded
        self.all_digits = self.all_digits and not folded
        self.lines_changed()

    def show_all_digits(self, all_digits: bool) -> None:
        """Show every number of every step, unrounded."""
        self.all_digits = all_digits
        self.lines_changed()

    def build(self, width: int) -> list[Content]:
        """The lines of the tree."""
        if self._hit is None or self._ranking is None or self._pool is None:
            return []
        tree = explain(
            self._hit,
            self._ranking,
            self._pool,
            brief=self.folded and not self.all_digits,
            all_digits=self.all_digits,
        )
        short = self.size.height < ROOM_FOR_ALL and width >= ROOM_FOR_A_LINE
        one_line = self.folded and not self.all_digits and short
        return tree_lines(tree, width, glyphs_of(self), one_line)
