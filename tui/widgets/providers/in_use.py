"""The provider that was chosen: which, why, with which key, and what became of a probe."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from engine.status import ProviderState
from tui.text import assemble, plain
from tui.widgets.index_facts import Setting
from tui.widgets.providers.known import Known, Place
from tui.widgets.providers.local_model import local_model
from tui.widgets.providers.rows import Deed, Row, Section
from tui.wording import ago, count, sentence, short_path, span

Piece = str | tuple[str, str]
KEY_IS_SECRET = "The key itself is never shown, and never sent to another host than its own."
LAYERS = {"default": "by default", "demo": "by the demo"}
PROBE = Deed("probe", "probe now")


def in_use(known: Known, at: Setting) -> Section:
    """The section."""
    return Section("in use", tuple(_rows(known, at)))


def _rows(known: Known, at: Setting) -> Iterator[Row]:
    provider = known.status.provider
    yield Row("provider", "provider", _using(provider, at))
    yield Row("texts", "texts", _texts(known, at))
    if provider.local is not None:
        yield from local_model(provider.local, at)
    place = known.place("provider")
    deeds = opening(place) if place is not None else ()
    yield Row("asked", "asked for", _asked(provider, place, at), deeds=deeds)
    yield Row("because", "because", plain(_because(known)))
    if provider.error and provider.fallback is None:
        yield Row("error", "trouble", *_trouble(provider, at), deeds=(PROBE,))
    if provider.provider != "none":
        yield Row("key", "key from", _key(provider), plain(KEY_IS_SECRET))
        yield Row("probe", "probe", *_probe(known, at), deeds=(PROBE,))
    if provider.agent_would:
        yield Row("agent", "the agent", plain(provider.agent_would))


def named(provider: str, model: str) -> str:
    """A provider and its model in one word."""
    return f"{provider}/{model}" if model else provider


def _using(provider: ProviderState, at: Setting) -> Content:
    size = provider.dimensions
    words = "size not known yet" if size is None else f"{count(size)}d"
    more = f" {at.glyphs.dot} {words}" if provider.provider != "none" else ""
    return assemble((named(provider.provider, provider.model), "bold"), (more, "$text-muted"))


def _texts(known: Known, at: Setting) -> Content:
    provider = known.status.provider
    if provider.provider == "none":
        return plain("are not embedded; keywords answer")
    if not provider.remote:
        while_ = f" while {provider.provider} answers" if known.stands_in else ""
        return plain(f"stay on this machine{while_}")
    hosts = (t.host for t in known.status.traffic if t.provider == provider.provider)
    host = next(hosts, "").removeprefix("https://")
    leave = "leave this machine"
    if known.status.sync.awaits_consent:
        leave = "will leave this machine once you agree"
    where = f", for {host}" if host else ""
    return assemble((f"{at.glyphs.warning} {leave}", "$text-warning"), where)


def _because(known: Known) -> str:
    if known.stands_in:
        return f"It is the fallback, and {known.asked} fails."
    return sentence(known.status.provider.reason or "no reason was given")


def _asked(provider: ProviderState, place: Place | None, at: Setting) -> Content:
    if place is None:
        return assemble((provider.requested, "bold"))
    return assemble((provider.requested, "bold"), "   ", set_in(place, at))


def _trouble(provider: ProviderState, at: Setting) -> tuple[Content, Content | None]:
    said = assemble((f"{at.glyphs.failed} ", "bold $text-error"), sentence(provider.error or ""))
    hint = provider.error_hint
    return said, assemble(("What to do\n", "bold $primary"), sentence(hint)) if hint else None


def _key(provider: ProviderState) -> Content:
    if provider.key_source:
        return assemble((provider.key_source, "bold"))
    if provider.remote:
        return plain("no key is sent", "$text-muted")
    return plain("no key is needed", "$text-muted")


def set_in(place: Place, at: Setting, *, whole: bool = True) -> Content:
    """Where a setting stands: file and line, or what else decided it.

    With ``whole`` False it is short, and the folders of the file are left out.
    """
    if place.file is None:
        return plain(LAYERS.get(place.layer, f"by {place.layer}"), "$text-muted")
    if not whole:
        line = "" if place.line is None else f":{place.line}"
        return plain(f"{place.file.name}{line}", "$text-muted")
    line = "" if place.line is None else f", line {place.line}"
    return plain(f"{short_path(str(place.file), at.home)}{line}", "$text-muted")


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
    took = "" if report.latency_ms is None else f" in {span(report.latency_ms / 1000)}"
    if report.problem is None:
        dot = f" {at.glyphs.dot} "
        size = "size not known" if report.dimensions is None else f"{count(report.dimensions)}d"
        answered = (f"{at.glyphs.clean} answered{took}", "bold $text-success")
        return assemble(answered, f"{dot}{size}{dot}{when}"), None
    said = assemble(
        (f"{at.glyphs.failed} failed{took}, {when}: ", "bold $text-error"), sentence(report.problem)
    )
    hint = report.hint
    return said, assemble(("What to do\n", "bold $primary"), sentence(hint)) if hint else None
