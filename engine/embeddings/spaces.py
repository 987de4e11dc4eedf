"""What the vector spaces of a store are to the providers of a configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from engine.embeddings.contract import ProviderIdentity
from engine.status import Price, VectorSpace

if TYPE_CHECKING:
    from engine.embeddings.contract import EmbeddingProvider

Role = Literal["in use", "fallback"]


def spaces_by_role(
    held: Iterable[VectorSpace],
    primary: EmbeddingProvider | None,
    standby: EmbeddingProvider | None,
    price_of: Callable[[ProviderIdentity], Price | None],
) -> tuple[VectorSpace, ...]:
    """The spaces with roles, names and prices: the one in use, the fallback's, then the others."""
    roles = dict(_roles(primary, standby))
    named = [_named(space, *roles.get(space.key, (None, None))) for space in held]
    order = {"in use": 0, "fallback": 1, "kept": 2}
    return tuple(_priced(space, price_of) for space in sorted(named, key=lambda s: order[s.role]))


def _roles(
    primary: EmbeddingProvider | None, standby: EmbeddingProvider | None
) -> Iterable[tuple[str, tuple[Role, EmbeddingProvider]]]:
    # The primary last: a fallback with the same identity fills the space in use.
    if standby is not None:
        yield standby.identity.key(), ("fallback", standby)
    if primary is not None:
        yield primary.identity.key(), ("in use", primary)


def _named(
    space: VectorSpace, role: Role | None, provider: EmbeddingProvider | None
) -> VectorSpace:
    if role is None or provider is None:
        return space
    identity = provider.identity
    return replace(
        space,
        provider=identity.provider,
        model=identity.model,
        dimensions=space.dimensions or identity.dimensions,
        role=role,
        remote=provider.remote,
        endpoint=identity.endpoint,
    )


def _priced(
    space: VectorSpace, price_of: Callable[[ProviderIdentity], Price | None]
) -> VectorSpace:
    if space.provider is None or space.remote is False:
        return space
    price = price_of(ProviderIdentity(space.provider, space.model, space.endpoint))
    if price is None:
        return space
    return replace(space, missing_usd=space.missing_tokens * price.usd_per_million_tokens / 1e6)
