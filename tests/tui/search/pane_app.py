"""A small application that shows the Search pane without an engine."""

from __future__ import annotations

from textual.app import App, ComposeResult

from engine.ranking.pool import CandidatePool
from engine.ranking.profiles import PROFILES
from engine.ranking.rank import rank
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Ranking
from tests.tui.search.pools import NOW_MS
from tui.theming import BASE_STYLES, FALLBACK_VARIABLES, THEME_FOLDER, load_themes
from tui.widgets.search.lab import Lab
from tui.widgets.search.pane import SearchPane


class PaneApp(App[None]):
    """Holds a lab with a pool made by hand; counts how often it was ranked."""

    CSS_PATH = BASE_STYLES
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, pool: CandidatePool | None, profile: str = "tuned") -> None:
        super().__init__()
        self.rankings = 0
        self.lab = Lab(self._rank, PROFILES, PROFILES[profile])
        self._first = pool

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The colours of scores."""
        return FALLBACK_VARIABLES

    def compose(self) -> ComposeResult:
        """The pane."""
        yield SearchPane(id="pane")

    def on_mount(self) -> None:
        """Show the pool with our own theme."""
        for named in load_themes(THEME_FOLDER)[0]:
            self.register_theme(named.theme)
        self.theme = "midnight"
        self.screen.set_class(self.size.width >= 120, "wide")
        if self._first is not None:
            self.lab.take(self._first, self.lab.settings.join)
        self.show(afresh=True)

    @property
    def pane(self) -> SearchPane:
        """The pane."""
        return self.query_one(SearchPane)

    def show(self, *, afresh: bool = False) -> None:
        """Show what the lab holds."""
        self.pane.show(self.lab, NOW_MS, afresh=afresh)

    def _rank(self, pool: CandidatePool, settings: RankSettings) -> Ranking:
        self.rankings += 1
        return rank(pool, settings, NOW_MS)
