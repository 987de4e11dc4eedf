"""What went over the network to providers in this run: requests, times, limits."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from engine.status import BatchState, ProviderTraffic, RequestLimits
from tui.text import assemble, plain
from tui.widgets.index_facts import Setting
from tui.widgets.providers.known import Known
from tui.widgets.providers.rows import Row, Section
from tui.wording import ago, count, counted, sentence, span

ABOUT_LATENCY = (
    "The time from a request to its whole answer; the mean is that of the latest twenty."
)


def traffic(known: Known, at: Setting) -> Section:
    """The section, one provider after the other."""
    status = known.status
    batch = _batch(status.batch, at)
    if not status.traffic:
        words = "not known" if status.provider.remote else "nothing is sent over the network"
        row = Row("traffic", "requests", plain(words, "$text-muted"))
        return Section("traffic", (row, *batch))
    alone = status.traffic[0].provider if len(status.traffic) == 1 else ""
    rows = [row for each in status.traffic for row in _rows(each, not alone, at)]
    note = f"with {alone} in this run" if alone else "in this run"
    return Section("traffic", [*rows, *batch], note)


def _rows(sent: ProviderTraffic, named: bool, at: Setting) -> Iterator[Row]:
    name = sent.provider
    yield Row(f"requests {name}", "requests", _requests(sent, named, at), _where(sent))
    yield Row(f"latency {name}", "latency", _latency(sent, at), plain(ABOUT_LATENCY))
    if sent.last_error is not None:
        sign = (f"{at.glyphs.failed} ", "bold $text-error")
        said = assemble(sign, f"the last one: {sentence(sent.last_error)}")
        yield Row(f"last error {name}", "error", said)
    if sent.limits is not None:
        yield Row(f"limits {name}", "at most", _limits(sent.limits), _about_limits(sent.limits))


def _requests(sent: ProviderTraffic, named: bool, at: Setting) -> Content:
    dot = f" {at.glyphs.dot} "
    lead = f"{sent.provider}   " if named else ""
    if not sent.requests:
        return assemble((lead, "bold"), ("none yet", "$text-muted"))
    failed = f"{count(sent.failures)} given up"
    pieces: list[str | tuple[str, str]] = [
        (lead, "bold"),
        f"{counted(sent.requests, 'request')}{dot}",
        (f"{count(sent.retries)} repeated", "$text-warning" if sent.retries else ""),
        dot,
        (failed, "$text-error" if sent.failures else ""),
    ]
    if sent.in_flight:
        pieces.append((f"{dot}{count(sent.in_flight)} under way", "bold $text-accent"))
    return assemble(*pieces)


def _where(sent: ProviderTraffic) -> Content:
    return assemble(
        ("host      ", "$text-muted"),
        sent.host or "not known",
        "\n\nEvery attempt counts as a request; a repeated one follows a pause after the host "
        "refused or did not answer.",
    )


def _latency(sent: ProviderTraffic, at: Setting) -> Content:
    if sent.last_ms is None:
        return plain("not measured yet", "$text-muted")
    dot = f" {at.glyphs.dot} "
    pieces: list[str | tuple[str, str]] = ["last ", (span(sent.last_ms / 1000), "bold")]
    if sent.last_at_ms is not None:
        pieces.append((f", {ago(sent.last_at_ms, at.now_ms)}", "$text-muted"))
    if sent.mean_ms is not None:
        pieces += [dot, "mean ", (span(sent.mean_ms / 1000), "bold")]
    return assemble(*pieces)


def _batch(batch: BatchState, at: Setting) -> Iterator[Row]:
    """Whether bulk indexing goes in batch jobs; nothing where nobody asked for that."""
    if not batch.enabled:
        return
    if not batch.active:
        why = sentence(batch.reason or "no reason was given")
        said = assemble((f"{at.glyphs.warning} asked for, not used: ", "$text-warning"), why)
    else:
        waits = "" if batch.wait else ", fetched by a later sync"
        said = assemble(f"bulk indexing goes in batch jobs{waits}")
    yield Row("batch", "batches", said, _about_batch(batch))


def _about_batch(batch: BatchState) -> Content:
    failed = sentence(batch.last_error) if batch.last_error else "none in this run"
    return assemble(
        ("at once   ", "$text-muted"),
        f"{counted(batch.concurrency, 'job')}\n",
        ("failures  ", "$text-muted"),
        f"{count(batch.failures)} in a row; after {count(batch.limit)} plain requests are sent\n",
        ("the last  ", "$text-muted"),
        failed,
    )


def _limits(limits: RequestLimits) -> Content:
    return assemble(
        f"{counted(limits.inputs_per_request, 'text')} or {_kilobytes(limits.bytes_per_request)} "
        f"a request, {_kilobytes(limits.bytes_per_input)} a text"
    )


def _about_limits(limits: RequestLimits) -> Content:
    if limits.learned:
        return plain("Learned in this run: the provider has refused more than it is said to take.")
    return plain("As the provider is said to take. A refusal would lower them for this run.")


def _kilobytes(octets: int) -> str:
    return f"{octets / 1000:,.0f} kB"
