"""What a request says its texts are for, where the provider wants to hear it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.embeddings.selection.known_provider import KnownProvider
from engine.embeddings.selection.provider_request import ProviderRequest


@dataclass(frozen=True, slots=True)
class InputTypes:
    """What is sent, None for nothing; ``note`` tells what of the configuration is not."""

    query: str | None
    document: str | None
    note: str = ""


def input_types(known: KnownProvider, request: ProviderRequest, *, at_home: bool) -> InputTypes:
    """The configured types where the provider takes them, else its own."""
    chosen = (request.query_input_type, request.document_input_type)
    if known.strict_home and at_home:
        return InputTypes(None, None, _unsent(known, chosen, "its own host refuses input types"))
    if known.input_types is None:
        return InputTypes(chosen[0], chosen[1])
    taken = [_accepted(known, name) for name in chosen]
    refused = tuple(name for name, took in zip(chosen, taken, strict=True) if took is None)
    why = f"it knows {' and '.join(known.input_types)}" if known.input_types else "it knows none"
    return InputTypes(
        taken[0] or known.query_input_type,
        taken[1] or known.document_input_type,
        _unsent(known, refused, why),
    )


def _accepted(known: KnownProvider, name: str | None) -> str | None:
    """The provider's own spelling of a type that it knows."""
    found = {own.lower(): own for own in known.input_types or ()}
    return found.get((name or "").lower())


def _unsent(known: KnownProvider, names: tuple[str | None, ...], why: str) -> str:
    unsent = list(dict.fromkeys(repr(name) for name in names if name))
    return f"Input type {' and '.join(unsent)} is not sent to {known.id}: {why}." if unsent else ""
