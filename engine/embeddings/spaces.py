"""What the vector spaces of a store are to the providers of a configuration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from engine.status import VectorSpace

if TYPE_CHECKING:
    from engine.embeddings.contract import EmbeddingProvider

Role = Literal["in use", "fallback"]


def spaces_by_role(
    held: Iterable[VectorSpace],
    primary: EmbeddingProvider | None,
    standby: EmbeddingProvider | None,
) -> tuple[VectorSpace, ...]:
    """The spaces with roles and names: the one in use, the fallback's, then the others."""
    roles = dict(_roles(primary, standby))
    found = [_named(space, *roles.get(space.key, (None, None))) for space in held]
    order = {"in use": 0, "fallback": 1, "kept": 2}
    return tuple(sorted(found, key=lambda space: order[space.role]))


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
    )
