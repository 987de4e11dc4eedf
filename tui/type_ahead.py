"""Keys take effect in the order in which they were typed, however fast they come.

Textual hands a key to the widget that has the focus when the key is read; what the widget has
no use for rises, message by message, to the application, where its action runs. A key that is
read meanwhile would still go to the old focus: of ``/`` and a word, typed in one go, the word
would be lost. So one key at a time is let in. A message follows it on the same way, and when
that has come up too and nothing it has set off is left in a queue, the next key's turn has come.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from textual import events
from textual.app import App
from textual.message import Message
from textual.timer import Timer

Typed = events.Key | events.Paste
Deliver = Callable[[Typed], Awaitable[None]]

MOST_ROUNDS = 6
"""So often the way is looked at again; a screen that is never quiet must not keep keys back."""
PATIENCE_S = 0.3
"""A follower that was lost with a widget that went away is waited for no longer than this."""


class WayFree(Message):
    """Follows a key through the widgets; when it comes up, the key has come up before it."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class TypeAhead:
    """Lets keys in one by one; ``deliver`` is what Textual would do with each at once."""

    def __init__(self, app: App[Any], deliver: Deliver) -> None:
        self._app = app
        self._deliver = deliver
        self._waiting: deque[Typed] = deque()
        self._busy = False
        self._number = 0
        self._rounds = 0
        self._watch: Timer | None = None
        self._watched = 0

    @property
    def resting(self) -> bool:
        """True when every key that was taken has taken effect."""
        return not self._busy

    async def take(self, typed: Typed) -> None:
        """Let the key in, now or when those before it have taken effect."""
        self._waiting.append(typed)
        if not self._busy:
            await self._next()
        elif self._watch is None:
            self._watched = self._number
            self._watch = self._app.set_timer(PATIENCE_S, self._look_after)

    async def came_up(self, message: WayFree) -> None:
        """The follower is up: the next key, unless something is still under way."""
        if message.number != self._number:
            return
        if self._rounds < MOST_ROUNDS and self._under_way():
            self._rounds += 1
            self._follow()
        else:
            await self._next()

    async def _next(self) -> None:
        self._busy = bool(self._waiting)
        self._rounds = 0
        if self._busy:
            await self._deliver(self._waiting.popleft())
            self._follow()

    def _follow(self) -> None:
        if not self._app.screen_stack:
            return
        self._number += 1
        message = WayFree(self._number)
        if not (self._app.focused or self._app.screen).post_message(message):
            self._app.post_message(message)

    def _under_way(self) -> bool:
        front = self._app.screen_stack[-1:]
        pumps = (self._app, *front, *(part for screen in front for part in screen.walk_children()))
        return any(pump.message_queue_size for pump in pumps)

    async def _look_after(self) -> None:
        """Go on where the same follower has been waited for since the last look."""
        self._watch = None
        if self._waiting and self._number == self._watched:
            await self._next()
        self._watched = self._number
        if self._waiting:
            self._watch = self._app.set_timer(PATIENCE_S, self._look_after)
