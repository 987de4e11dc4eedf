"""Which adapter a provider's name means, and what belongs to it alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.embeddings.selection.catalogue import COMPATIBLE, KNOWN, speaking
from engine.embeddings.selection.known_provider import EARLY_ERAS, KnownProvider
from engine.embeddings.selection.provider_request import ProviderRequest, RemoteRequest
from engine.embeddings.selection.ready import NotReady

_CHOOSE = f"Choose builtin, none or one of {', '.join(KNOWN)}."


@dataclass(frozen=True, slots=True)
class Wanted:
    """A provider that was asked for: a known one, or an entry that speaks like one.

    ``entry_name`` is the id in ``models.providers`` whose ``entry`` counts, empty when
    none does. ``home`` is the provider's own address, empty when it has none.
    """

    id: str
    known: KnownProvider
    entry_name: str
    entry: RemoteRequest
    home: str
    auth_id: str
    variables: tuple[str, ...]

    def model(self, request: ProviderRequest, *, at_home: bool) -> str:
        """The model that is asked for, without the prefix that only the agent needs."""
        listed = self.entry.model if self.id not in KNOWN else ""
        model = request.model or listed or self.known.default_model
        if at_home or not self.known.prefix_elsewhere or request.era in EARLY_ERAS:
            for prefix in (f"{self.id}/", *self.known.prefixes):
                model = model.removeprefix(prefix)
        return model


def wanted(
    request: ProviderRequest, provider: str, environ: Mapping[str, str]
) -> Wanted | NotReady:
    """What ``provider`` means in a configuration; an address may depend on ``environ``."""
    known = KNOWN.get(provider)
    if known is None:
        return _entry(request, provider)
    entry = request.entries.get(known.auth_id, RemoteRequest())
    variables = known.variables_in(request.era)
    home = known.home_in(environ)
    return Wanted(provider, known, known.auth_id, entry, home, known.auth_id, variables)


def _entry(request: ProviderRequest, provider: str) -> Wanted | NotReady:
    entry = request.entries.get(provider)
    if entry is None:
        reason = f"{provider!r} is neither a provider nor an entry of models.providers"
        return NotReady(reason, _CHOOSE)
    known = speaking(entry.api)
    if known is None:
        return NotReady(
            f"models.providers.{provider} speaks {entry.api!r}, which has no adapter here",
            f"Use an entry whose api is {COMPATIBLE.apis[1]} or the name of a provider.",
        )
    return Wanted(provider, known, provider, entry, "", provider, ())
