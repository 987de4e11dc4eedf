"""A knob: one setting of the ranking that a key press moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.ranking.settings import RankSettings

Read = Callable[[RankSettings], float]
Write = Callable[[RankSettings, float], RankSettings]
Label = Callable[[RankSettings, bool], str]
Switch = Callable[[RankSettings, bool], RankSettings]


@dataclass(frozen=True, slots=True)
class Knob:
    """A number within bounds, moved by ``step`` or ``big``.

    ``label`` writes it in few cells, or in more where there is room. A knob with a
    ``switch`` can be off; moving it switches it on.
    """

    name: str
    title: str
    low: float
    high: float
    step: float
    big: float
    read: Read
    write: Write
    label: Label
    is_on: Callable[[RankSettings], bool] = lambda settings: True
    switch: Switch | None = None

    def moved(self, settings: RankSettings, steps: int, big: bool = False) -> RankSettings:
        """The settings with this knob moved up or down; the bounds hold it."""
        settings = self.switched(settings, True)
        value = self.read(settings) + steps * (self.big if big else self.step)
        return self.write(settings, round(min(self.high, max(self.low, value)), 6))

    def switched(self, settings: RankSettings, on: bool) -> RankSettings:
        """The settings with this knob on or off; unchanged when it has no switch."""
        return settings if self.switch is None else self.switch(settings, on)

    def restored(self, settings: RankSettings, base: RankSettings) -> RankSettings:
        """The settings with this knob where the profile has it, on or off included."""
        return self.switched(self.write(settings, self.read(base)), self.is_on(base))

    def changed(self, settings: RankSettings, base: RankSettings) -> bool:
        """True when this knob does not stand where the profile has it."""
        if self.is_on(settings) != self.is_on(base):
            return True
        return self.is_on(settings) and abs(self.read(settings) - self.read(base)) > 1e-9
