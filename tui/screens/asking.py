"""The questions and reports of the application, as dialogs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from textual.content import Content

from tui.glyphs import Glyphs
from tui.screens.dialog import Choice, Telling
from tui.text import assemble
from tui.wording import mode_words, told

if TYPE_CHECKING:
    from engine.errors import EngineError
    from engine.status import EngineStatus, ProviderState

AfterFailure = Literal["retry", "folder", "demo", "quit"]


def confirm_quit(syncing: Callable[[], bool]) -> Telling[bool]:
    """Leaving while a sync runs; the text follows it to its end."""

    def said() -> Content:
        if not syncing():
            return assemble("The sync has ended in the meantime: nothing is left to wait for.")
        return assemble(
            "A sync is running. Quitting stops it; the last published index stays whole and the "
            "next start goes on from there."
        )

    return Telling("Quit?", said, [Choice("quit", True, danger=True), Choice("stay", False)])


def not_opened(error: EngineError) -> Telling[AfterFailure]:
    """The memory could not be opened: what, where, and what can be done."""
    return Telling(
        error.title,
        told(error),
        [
            Choice("try again", "retry"),
            Choice("choose a folder", "folder"),
            Choice("open the demo", "demo"),
            Choice("quit", "quit"),
        ],
    )


def provider_reasons(status: Callable[[], EngineStatus | None], glyphs: Glyphs) -> Telling[None]:
    """Everything about the choice of the provider, as it is while the dialog stands open."""

    def said() -> Content:
        now = status()
        return assemble(*_reasons(now, glyphs)) if now is not None else assemble("")

    return Telling("Embedding provider", said, [Choice("close", None)])


def _reasons(status: EngineStatus, glyphs: Glyphs) -> list[str | tuple[str, str]]:
    provider = status.provider
    model = f"/{provider.model}" if provider.model else ""
    dims = f", {provider.dimensions} dimensions" if provider.dimensions else ""
    pieces: list[str | tuple[str, str]] = [
        ("asked for   ", "$text-muted"),
        (provider.requested, "bold"),
        ("\nin use      ", "$text-muted"),
        (f"{provider.provider}{model}", "bold"),
        dims,
        ("\nsearch      ", "$text-muted"),
        f"{mode_words(status)}, {provider.mode}",
        ("\nwhere       ", "$text-muted"),
        "texts are sent to the provider" if provider.remote else "nothing leaves this machine",
    ]
    if provider.key_source:
        pieces += [("\nkey from    ", "$text-muted"), provider.key_source]
    pieces += [("\n\nWhy\n", "bold $primary"), provider.reason or "No reason was given."]
    pieces += _trouble(provider, glyphs)
    pieces.append(("\n\nPassed over\n", "bold $primary"))
    if not provider.passed_over:
        pieces.append("No other provider was looked at.")
    for at, other in enumerate(provider.passed_over):
        lead = "\n" if at else ""
        pieces += [f"{lead}{glyphs.failed} ", (other.provider, "bold"), f"  {other.reason}"]
    if provider.agent_would:
        pieces += [("\n\nWhat the agent itself would do\n", "bold $primary"), provider.agent_would]
    return pieces


def _trouble(provider: ProviderState, glyphs: Glyphs) -> list[str | tuple[str, str]]:
    pieces: list[str | tuple[str, str]] = []
    if provider.fallback is not None:
        turn = provider.fallback
        pieces += [
            (f"\n{glyphs.warning} {turn.from_} failed, {turn.to} answers: ", "$text-warning"),
            turn.reason,
        ]
    if provider.error:
        pieces += [(f"\n{glyphs.failed} ", "bold $text-error"), provider.error]
    return pieces
