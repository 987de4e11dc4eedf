"""The provider that was chosen: which, why, with which key, and what became of a probe."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from engine.status import ProviderState
from tui.text import assemble, plain
from tui.widgets.index_facts import Setting
from tui.widgets.providers.known import Known, Place
from tui.widgets.providers.rows import Deed, Row, Section
from tui.wording import ago, count, sentence, short_path, span

Piece = str | tuple[str, str]
PROBE = Deed("probe", "probe now")


def in_use(known: Known, at: Setting) -> Section:
    """The section."""
    return Section("in use", tuple(_rows(known, at)))


def _rows(known: Known, at: Setting) -> Iterator[Row]:
    provider = known.status.provider
    yield Row("provider", "provider", _using(provider, at), _size(provider), (PROBE,))
    yield Row("because", "because", plain(sentence(provider.reason or "no reason was given")))
    if provider.error:
        yield Row("error", "trouble", *_trouble(provider, at), deeds=(PROBE,))
    yield Row("key", "key from", _key(provider))
    place = known.place("provider")
    if place is not None:
        yield Row("place", "set in", set_in(place, at), deeds=opening(place))
    yield Row("probe", "probe", *_probe(known, at), deeds=(PROBE,))
    if provider.agent_would:
        yield Row("agent", "the agent", plain(provider.agent_would))


def named(provider: str, model: str) -> str:
    """A provider and its model in one word."""
    return f"{provider}/{model}" if model else provider


def _using(provider: ProviderState, at: Setting) -> Content:
    where: Piece = ("on this machine", "$text-muted")
    if provider.provider == "none":
        where = ("keywords only", "$text-muted")
    elif provider.remote:
        where = (f"{at.glyphs.warning} texts leave this machine", "$text-warning")
    asked = "" if provider.requested == provider.provider else f"   asked for: {provider.requested}"
    return assemble((named(provider.provider, provider.model), "bold"), "   ", where, asked)


def _size(provider: ProviderState) -> Content:
    size = provider.dimensions
    words = "not known yet" if size is None else f"{count(size)} dimensions"
    if provider.provider == "none":
        words = "none are made"
    return assemble(("vectors   ", "$text-muted"), words)


def _trouble(provider: ProviderState, at: Setting) -> tuple[Content, Content | None]:
    said = assemble((f"{at.glyphs.failed} ", "bold $text-error"), sentence(provider.error or ""))
    hint = provider.error_hint
    return said, assemble(("What to do\n", "bold $primary"), sentence(hint)) if hint else None


def _key(provider: ProviderState) -> Content:
    if provider.key_source:
        return assemble((provider.key_source, "bold"), ("   the key itself is never shown", "dim"))
    if provider.remote:
        return plain("no key is sent", "$text-muted")
    return plain("no key is needed", "$text-muted")


def set_in(place: Place, at: Setting) -> Content:
    """Where a setting stands: file and line, or what else decided it."""
    if place.file is None:
        words = {"default": "nowhere; this is the default"}.get(place.layer, place.layer)
        return plain(words, "$text-muted")
    line = "" if place.line is None else f", line {place.line}"
    return assemble((short_path(str(place.file), at.home), "bold"), line)


def opening(place: Place) -> tuple[Deed, ...]:
    """The way to the place, where it is a file."""
    return () if place.file is None else (Deed("open", "open in the editor", place.key),)


def _probe(known: Known, at: Setting) -> tuple[Content, Content | None]:
    report = known.probe
    if known.probing:
        asked = known.status.provider.provider
        return assemble((f"{at.glyphs.running} asking {asked}", "bold $text-accent")), None
    if report is None:
        return plain("not tried yet; p embeds one word with it", "$text-muted"), None
    when = ago(report.at_ms, at.now_ms)
    took = "" if report.latency_ms is None else f" after {span(report.latency_ms / 1000)}"
    if report.problem is None:
        size = "of unknown size" if report.dimensions is None else _numbers(report.dimensions)
        answer = f"{at.glyphs.clean} answered{took}"
        said = assemble((answer, "bold $text-success"), f" with a vector {size}, {when}")
        return said, None
    said = assemble(
        (f"{at.glyphs.failed} failed{took}, {when}: ", "bold $text-error"), sentence(report.problem)
    )
    hint = report.hint
    return said, assemble(("What to do\n", "bold $primary"), sentence(hint)) if hint else None


def _numbers(dimensions: int) -> str:
    return f"of {count(dimensions)} numbers"
