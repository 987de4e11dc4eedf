"""What can go wrong on the wire, each in its own words and with its own remedy."""

from __future__ import annotations

from engine.net.host_guard import origin
from engine.net.messages import HttpRequest, TransportError


def unreachable(host: str, why: str) -> TransportError:
    """No connection came about; ``why`` finishes the sentence."""
    return TransportError(
        "unreachable",
        f"{host} cannot be reached: {why}.",
        "Check the address, the network and, for a local server, that it runs.",
    )


def lost(host: str) -> TransportError:
    """The connection broke before the answer was complete."""
    return TransportError(
        "dropped", f"{host} closed the connection before the answer was complete."
    )


def timed_out(request: HttpRequest, seconds: float) -> TransportError:
    """No complete answer within so many seconds."""
    return TransportError(
        "timeout",
        f"{origin(request.url)} gave no complete answer within {seconds:g} s.",
        "Try again later, or raise sync.embeddingBatchTimeoutSeconds for a slow server.",
    )


def stalled(request: HttpRequest, seconds: float) -> TransportError:
    """A download of which nothing more came for so many seconds."""
    return TransportError(
        "timeout", f"{origin(request.url)} has sent nothing for {seconds:g} s.", "Try again later."
    )


def redirected(start: str, target: str) -> TransportError:
    """The server points to another host."""
    return TransportError(
        "redirect",
        f"{origin(start)} redirects to another host ({origin(target)}); nothing was sent there.",
        "Set the base address to the host that is meant.",
    )


def unsendable(request: HttpRequest, error: Exception) -> TransportError:
    """The request is malformed. The error's text may quote a key, so only its name is told."""
    return TransportError(
        "unsendable",
        f"The request to {origin(request.url)} could not be sent ({type(error).__name__}).",
        "Check the key and the extra headers for characters that headers cannot hold.",
    )


def system_words(error: Exception) -> str:
    """What the operating system says of a failed connection, without numbers in brackets."""
    words = str(error).partition("] ")[2] or str(error) or type(error).__name__
    return words[:120].rstrip(".").lower()
