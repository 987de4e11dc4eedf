"""Which sections stand on which side of the Providers screen."""

from __future__ import annotations

from tui.widgets.index_facts import Setting
from tui.widgets.providers.considered import considered, plugins
from tui.widgets.providers.cost import cost
from tui.widgets.providers.history import history
from tui.widgets.providers.in_use import in_use
from tui.widgets.providers.known import Known
from tui.widgets.providers.now import now
from tui.widgets.providers.rows import Section
from tui.widgets.providers.settings import settings
from tui.widgets.providers.spaces import spaces
from tui.widgets.providers.traffic import traffic

LEFT = (in_use, now, traffic, cost)
RIGHT = (considered, spaces, history, plugins, settings)


def left(known: Known, at: Setting) -> list[Section]:
    """The provider in use and what goes on; sections without rows are left out."""
    return [section for make in LEFT if (section := make(known, at)).rows]


def right(known: Known, at: Setting) -> list[Section]:
    """The choice, and what the index holds."""
    return [section for make in RIGHT if (section := make(known, at)).rows]
