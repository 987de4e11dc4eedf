"""What the overview says of the provider, the cache, the settings in force, and warnings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from tui.text import assemble, plain
from tui.widgets.index_facts import Setting
from tui.widgets.panel import Fact, Placed
from tui.wording import ago, count, counted, percent, sentence, short_path

if TYPE_CHECKING:
    from engine.status import EngineStatus


def provider_facts(status: EngineStatus, at: Setting) -> tuple[Fact, ...]:
    """Which provider was asked for, which one is in use and why, the cache, the settings."""
    reason = status.provider.reason or "no reason was given"
    if not at.roomy:
        cache = assemble(_cache(status, at), "   ", _profile(status, at))
        return (
            Fact("in use", _using(status)),
            *_trouble(status, at),
            Fact("because", Placed(plain(""), reason, plain(""), from_end=False)),
            Fact("cache", cache),
        )
    return (
        Fact("in use", _using(status)),
        *_trouble(status, at),
        Fact("because", plain(reason)),
        *_background(status, at),
        Fact("cache", _cache(status, at)),
        Fact("profile", _profile(status, at)),
        Fact("watching", _watch(status, at)),
        *_config(status, at),
    )


def caution_facts(status: EngineStatus, at: Setting) -> tuple[Fact, ...]:
    """Every warning with what to do about it."""
    return tuple(
        Fact(
            f"{at.glyphs.warning} {number}",
            assemble(
                (caution.title, "bold $text-warning"),
                f": {sentence(caution.message)}" if caution.message else "",
                (f" {caution.hint}" if caution.hint else "", "$text-muted"),
            ),
        )
        for number, caution in enumerate(status.warnings, start=1)
    )


def _using(status: EngineStatus) -> Content:
    provider = status.provider
    model = f"/{provider.model}" if provider.model else ""
    where = "texts leave this machine" if provider.remote else "on this machine"
    if provider.provider == "none":
        where = "keywords only"
    return assemble(
        (f"{provider.provider}{model}", "bold"),
        f"   asked for: {provider.requested}",
        (f"   {where}", "$text-warning" if provider.remote else "$text-muted"),
    )


def _trouble(status: EngineStatus, at: Setting) -> Iterator[Fact]:
    provider = status.provider
    if provider.fallback is not None:
        turn = provider.fallback
        since = ago(turn.since_ms, at.now_ms)
        text = f"{at.glyphs.warning} {turn.from_} failed {since}, {turn.to} answers:"
        yield Fact("fallback", assemble((text, "bold $text-warning"), f" {turn.reason}"))
    if provider.error:
        sign = (f"{at.glyphs.failed} ", "bold $text-error")
        yield Fact("error", assemble(sign, provider.error))


def _background(status: EngineStatus, at: Setting) -> Iterator[Fact]:
    provider = status.provider
    label = "passed by"
    for other in provider.passed_over:
        yield Fact(label, assemble((other.provider, "bold"), f"  {other.reason}"))
        label = ""
    if provider.key_source:
        yield Fact("key from", plain(provider.key_source))
    if provider.agent_would:
        yield Fact("the agent", plain(provider.agent_would))


def _cache(status: EngineStatus, at: Setting) -> Content:
    cache = status.cache
    if not cache.enabled:
        return assemble((f"{at.glyphs.paused} off", "$text-warning"), " by configuration")
    rate = cache.hit_rate
    most = f" of {count(cache.max_entries)}" if cache.max_entries and at.roomy else ""
    last = f"{percent(rate)} hits in the last sync" if rate is not None else "not asked yet"
    return assemble((last, "bold"), f", {count(cache.entries)}{most} entries")


def _profile(status: EngineStatus, at: Setting) -> Content:
    sources = "+".join(status.sources)
    extra = len(status.extra_paths)
    more = f" {at.glyphs.dot} {counted(extra, 'extra path')}" if extra else ""
    label = "" if at.roomy else "profile "
    return assemble(label, (status.profile, "bold"), f", {sources}{more}")


def _watch(status: EngineStatus, at: Setting) -> Content:
    watch = status.watch
    words = {"off": f"{at.glyphs.paused} off", "native": "on", "polling": "by polling"}[watch.mode]
    folders = f", {counted(watch.folders, 'folder')}" if watch.mode != "off" else ""
    seen = ""
    if watch.last_event_ms is not None:
        seen = f"   last change noticed {ago(watch.last_event_ms, at.now_ms)}"
    note = f"   {watch.note}" if watch.note else ""
    return assemble((words, "bold"), folders, (seen + note, "$text-muted"))


def _config(status: EngineStatus, at: Setting) -> Iterator[Fact]:
    if status.config_path:
        place = short_path(status.config_path, at.home)
        yield Fact("config", Placed(plain(""), place, plain("")))
    else:
        yield Fact("config", plain("none; defaults are in force"))
