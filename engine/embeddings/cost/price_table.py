"""What a million tokens cost, where that is known: a dated table, and a person's own prices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.status import Cost, Price

if TYPE_CHECKING:
    from engine.embeddings.contract import ProviderIdentity


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by ``provider/model``; ``own`` ones outweigh the table of the package.

    An own price counts wherever the provider is reached, None says that the price is not
    known. Those of the package count only for the vendor's own hosts.
    """

    own: Mapping[str, float | None] = field(default_factory=dict)

    def price_of(self, identity: ProviderIdentity) -> Price | None:
        """The price of a provider's model; None when it is not known."""
        name = f"{identity.provider}/{identity.model}"
        if name in self.own:
            usd = self.own[name]
            return None if usd is None else Price(usd, "", own=True)
        listed = _listed()
        vendor = listed.get(identity.provider)
        if not isinstance(vendor, dict) or not _at_home(identity.endpoint, vendor["hosts"]):
            return None
        usd = vendor["models"].get(_base_name(identity.model))
        if usd is None:
            return None
        return Price(
            float(usd), str(listed["dated"]), batch_share=float(vendor.get("batch_share", 1.0))
        )


def cost_of(tokens: int, price: Price | None, *, estimated: bool, by_batch: int = 0) -> Cost:
    """So many tokens at a price; money only where the price is known.

    ``by_batch`` of the tokens were charged for batch jobs.
    """
    if price is None:
        return Cost(tokens, estimated)
    full = tokens - by_batch + by_batch * price.batch_share
    return Cost(tokens, estimated, full * price.usd_per_million_tokens / 1_000_000, price)


def total(costs: Iterable[Cost]) -> Cost | None:
    """All of it; without money when the price of any part is not known. None for no cost."""
    parts = tuple(costs)
    if not parts:
        return None
    known = [part.usd for part in parts if part.usd is not None]
    usd = sum(known) if len(known) == len(parts) else None
    price = parts[0].price if len(parts) == 1 else None
    tokens = sum(part.tokens for part in parts)
    return Cost(tokens, any(part.estimated for part in parts), usd, price)


def _listed() -> Mapping[str, Any]:
    """The table of the package; read anew each time, which is seldom."""
    import tomllib
    from importlib.resources import files

    return tomllib.loads((files("engine.embeddings.cost") / "prices.toml").read_text("utf-8"))


def _at_home(endpoint: str, hosts: list[str]) -> bool:
    """Whether an endpoint's address is one of the vendor's own hosts."""
    from fnmatch import fnmatchcase
    from urllib.parse import urlsplit

    host = (urlsplit(endpoint.partition(";")[0]).hostname or "").lower()
    return any(fnmatchcase(host, pattern) for pattern in hosts)


def _base_name(model: str) -> str:
    """Without the vendor's prefix of a path, a region profile or a throughput suffix."""
    name = model.rpartition("/")[2]
    region, dot, rest = name.partition(".")
    if dot and region in ("us", "eu", "ap", "apac", "au", "jp", "global"):
        name = rest
    parts = name.split(":")
    return ":".join(parts[:2]) if len(parts) > 2 else name
