"""Changes as the operating system reports them, through watchfiles."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PathChange:
    """A path at which something happened; ``gone`` when it is not there any more."""

    path: str
    gone: bool


NativeWatch = Callable[[Sequence[str], threading.Event, float], Iterator[list[PathChange]]]
"""Watches folders, each without what is below it, until the event is set.

Yields the changes of a moment, and an empty list at least every so many seconds. Raises
what the system raises when it has no capacity left.
"""


def watch_folders(
    folders: Sequence[str], stop: threading.Event, tick_s: float
) -> Iterator[list[PathChange]]:
    """The native watch of this system. All switches are given, so that no environment
    variable changes them; all changes come through, so that a flood of unimportant ones
    cannot keep the caller from its turn. Denied permissions are not ignored, because
    watchfiles then ignores an exhausted watch limit as well, and is deaf without a word.
    """
    from watchfiles import Change, watch

    for changes in watch(
        *folders,
        watch_filter=None,
        debounce=200,
        step=50,
        stop_event=stop,
        rust_timeout=max(1, round(tick_s * 1000)),
        yield_on_timeout=True,
        debug=False,
        raise_interrupt=False,
        force_polling=False,
        recursive=False,
        ignore_permission_denied=False,
    ):
        yield [PathChange(path, change is Change.deleted) for change, path in changes]


def why_not_watched(problem: Exception) -> str:
    """Why the system cannot watch, in words a person can act on."""
    text = str(problem).split(" about [")[0].rstrip(".")
    if "watch limit" in text:
        return f"{text}; raising fs.inotify.max_user_watches helps"
    if "Too many open files" in text:
        return f"{text}; raising fs.inotify.max_user_instances helps"
    return text
