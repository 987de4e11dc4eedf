"""Tokens and money: this run, the last sync, and all that the index has cost."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from engine.status import EngineStatus, Price, Spending
from tui.text import assemble, plain
from tui.widgets.index_facts import Setting
from tui.widgets.providers.in_use import named
from tui.widgets.providers.known import Known
from tui.widgets.providers.rows import Row, Section
from tui.wording import counted

LEAST_USD = 0.0001


def cost(known: Known, at: Setting) -> Section:
    """The section."""
    return Section("cost", tuple(_rows(known)))


def _rows(known: Known) -> Iterator[Row]:
    status = known.status
    spent, remote = status.cost, status.provider.remote
    if not remote and not status.traffic and not spent.total:
        words = "nothing: no text is sent to a provider that charges for it"
        yield Row("cost", "cost", plain(words, "$text-muted"))
        return
    yield Row("this run", "this run", _run(known))
    yield Row("last sync", "last sync", _last(status))
    for number, each in enumerate(spent.total):
        yield Row(f"total {number}", "in all", _total(each))
    if not spent.total:
        yield Row("total", "in all", plain("not known", "$text-muted"))
    if remote:
        yield Row("price", "price", price_words(spent.price))


def _run(known: Known) -> Content:
    traffic = known.status.traffic
    if not traffic:
        return plain("not known", "$text-muted")
    tokens = sum(each.tokens for each in traffic)
    guessed = any(each.estimated for each in traffic)
    price = known.status.cost.price
    alone = len([each for each in traffic if each.tokens]) == 1
    usd = tokens * price.usd_per_million_tokens / 1e6 if price is not None and alone else None
    return assemble((token_words(tokens, guessed), "bold"), _money(usd, tokens))


def _last(status: EngineStatus) -> Content:
    last = status.cost.last
    if last is None:
        words = "nothing was sent in it" if status.sync.last is not None else "there was none yet"
        return plain(words, "$text-muted")
    said = token_words(last.tokens, last.estimated)
    return assemble((said, "bold"), _money(last.usd, last.tokens))


def _total(spent: Spending) -> Content:
    pieces: list[str | tuple[str, str]] = [
        (token_words(spent.tokens, spent.estimated), "bold"),
        _money(spent.usd, spent.tokens),
        (f"   {named(spent.provider, spent.model)}", "$text-muted"),
    ]
    if spent.usd is not None and spent.unpriced_tokens:
        more = f", {counted(spent.unpriced_tokens, 'token')} of them without a known price"
        pieces.append((more, "$text-warning"))
    return assemble(*pieces)


def token_words(tokens: int, estimated: bool) -> str:
    """A number of tokens, marked where it is a guess."""
    return f"{'~' if estimated else ''}{counted(tokens, 'token')}"


def _money(usd: float | None, tokens: int) -> str:
    if usd is None:
        return ", money not known" if tokens else ""
    return f", {dollars(usd)}"


def dollars(usd: float) -> str:
    """An amount in US dollars, to a hundredth of a cent while it is small."""
    if not usd:
        return "$0"
    if usd < LEAST_USD:
        return f"less than ${LEAST_USD}"
    return f"about ${usd:,.4f}" if usd < 1 else f"about ${usd:,.2f}"


def price_words(price: Price | None) -> Content:
    """What a million tokens cost, and who says so."""
    if price is None:
        return plain("not known; the key prices of the settings can tell", "$text-muted")
    whose = "your settings" if price.own else f"our table, {price.dated}"
    return assemble(
        (f"${price.usd_per_million_tokens:g}", "bold"),
        " a million tokens ",
        (f"({whose})", "$text-muted"),
    )
