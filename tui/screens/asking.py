"""The questions and reports of the application, as dialogs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from tui.glyphs import Glyphs
from tui.screens.dialog import Choice, Telling
from tui.text import assemble
from tui.wording import count, counted, span, told

if TYPE_CHECKING:
    from engine.errors import EngineError
    from engine.status import ProviderState, RebuildEstimate

AfterFailure = Literal["retry", "folder", "demo", "quit"]


def confirm_rebuild(cost: RebuildEstimate, glyphs: Glyphs) -> Telling[bool]:
    """What a forced reindex costs, and whether to do it."""
    return Telling(
        "Rebuild the index",
        assemble(
            "All files are read and cut anew beside the present index, which answers "
            "until the new one is complete. It can be cancelled at any time with ",
            ("x", "bold"),
            " on the overview.\n\n",
            *_cost(cost, glyphs),
        ),
        [Choice("rebuild", True, danger=True), Choice("leave it", False)],
    )


def confirm_waiting(cost: RebuildEstimate, changes: Sequence[str], glyphs: Glyphs) -> Telling[bool]:
    """What the index waits for: the first vectors, or new ones after a change of settings."""
    why: list[str | tuple[str, str]] = ["This memory has no vectors yet."]
    if changes:
        why = ["The index was made with other settings: ", ("; ".join(changes), "bold"), "."]
    if cost.remote:
        why += [" Making the vectors sends text of memory files to ", (cost.provider, "bold"), "."]
    return Telling(
        "Send this memory to a provider?" if cost.remote else "Bring the index up to date?",
        assemble(
            *why,
            "\n\n",
            *_cost(cost, glyphs),
            "\n\nUntil then, search answers from what is there.",
        ),
        [
            Choice("send and index" if cost.remote else "index", True, danger=cost.remote),
            Choice("not now", False),
        ],
    )


def _cost(cost: RebuildEstimate, glyphs: Glyphs) -> list[str | tuple[str, str]]:
    where = (
        (f"{glyphs.warning} sent to {cost.provider}", "bold $text-warning")
        if cost.remote
        else (f"on this machine, by {cost.provider}", "bold")
    )
    lines: list[str | tuple[str, str]] = [
        ("files     ", "$text-muted"),
        f"{count(cost.files)}, about {counted(cost.chunks, 'chunk')}\n",
        ("vectors   ", "$text-muted"),
        f"{count(cost.to_embed)} to make, {count(cost.cached)} already in the cache\n",
        ("where     ", "$text-muted"),
        where,
        f"\n{'':10}about {counted(cost.tokens, 'token')}\n" if cost.remote else "\n",
        ("time      ", "$text-muted"),
        "not known" if cost.seconds is None else f"about {span(cost.seconds)}",
    ]
    if cost.note:
        lines += ["\n", ("note      ", "$text-muted"), cost.note]
    return lines


def confirm_quit() -> Telling[bool]:
    """Leaving while a sync runs."""
    return Telling(
        "Quit?",
        assemble(
            "A sync is running. Quitting stops it; the last published index stays whole and the "
            "next start goes on from there."
        ),
        [Choice("quit", True, danger=True), Choice("stay", False)],
    )


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


def provider_reasons(provider: ProviderState, mode: str, glyphs: Glyphs) -> Telling[None]:
    """Everything about the choice of the provider."""
    model = f"/{provider.model}" if provider.model else ""
    dims = f", {provider.dimensions} dimensions" if provider.dimensions else ""
    pieces: list[str | tuple[str, str]] = [
        ("asked for   ", "$text-muted"),
        (provider.requested, "bold"),
        ("\nin use      ", "$text-muted"),
        (f"{provider.provider}{model}", "bold"),
        dims,
        ("\nsearch      ", "$text-muted"),
        f"{mode}, {provider.mode}",
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
    return Telling("Embedding provider", assemble(*pieces), [Choice("close", None)])


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
