"""Why a model was not downloaded, each in its own words and with its own remedy."""

from __future__ import annotations

import errno
from pathlib import Path

from engine.errors import ProviderError
from engine.local_models.hub import Hub
from engine.net.error_text import error_text
from engine.net.host_guard import origin, same_origin
from engine.net.messages import HttpResponse, TransportError
from engine.redaction import redact


def offline(name: str) -> ProviderError:
    """HF_HUB_OFFLINE forbids it."""
    return ProviderError(
        "Offline mode",
        f"{name} is not on this machine, and HF_HUB_OFFLINE forbids to download it.",
        "Unset HF_HUB_OFFLINE, or put the file into the model folder yourself.",
    )


def refused(response: HttpResponse, url: str, name: str, hub: Hub) -> ProviderError:
    """The server gives no file."""
    status, host = response.status, origin(url)
    own = same_origin(url, hub.endpoint)
    if status in (401, 403) and own:
        return _closed(status, host, name, hub)
    if status in (404, 410):
        return ProviderError(
            "No such model",
            f"{host} has no {name} ({status}).",
            "Check the spelling of local.modelPath; a private model needs HF_TOKEN.",
            status=status,
        )
    secrets = [hub.token.reveal()] if hub.token else []
    words = error_text(response.body, secrets)
    said = f": {words}" if words else ""
    return ProviderError(
        "Download refused",
        f"{host} does not send {name} ({status}){said}.".replace("..", "."),
        "Try again later." if status >= 500 or status == 429 else "Check local.modelPath.",
        status=status,
    )


def _closed(status: int, host: str, name: str, hub: Hub) -> ProviderError:
    if hub.authorization(hub.endpoint):
        message = f"{host} does not let the token of HF_TOKEN read {name} ({status})."
        hint = "Accept the model's terms on its page with the account that the token belongs to."
    else:
        message = f"{host} gives {name} only to accounts that have accepted its terms ({status})."
        hint = "Set HF_TOKEN to an access token of such an account."
    return ProviderError("Model is not open to all", message, hint, status=status)


def misdirected(url: str, target: str) -> ProviderError:
    """A redirect that is not followed."""
    where = redact(origin(target)) if "://" in target else "nowhere"
    return ProviderError(
        "Redirected elsewhere",
        f"{origin(url)} redirects to {where}, which is not followed.",
        "Check local.modelPath and HF_ENDPOINT.",
    )


def not_a_model(url: str, name: str) -> ProviderError:
    """Something else came, often a page that asks to log in."""
    return ProviderError(
        "No model file",
        f"What {origin(url)} sends as {name} is no GGUF file.",
        "Check local.modelPath; a page that asks to log in may stand before the file.",
    )


def broken(error: TransportError, *, kept: bool) -> TransportError:
    """The connection failed once too often."""
    hint = error.hint
    if kept:
        hint = f"{hint} What came so far is kept; the next attempt goes on from there.".strip()
    return TransportError(error.trouble, error.message, hint)


def confused(url: str, name: str) -> ProviderError:
    """Again and again other bytes came than were asked for."""
    return ProviderError(
        "Download does not fit together",
        f"{origin(url)} keeps sending other parts of {name} than it was asked for.",
        "Try again later, or download the file by other means and name its path.",
    )


def damaged(name: str, why: str) -> ProviderError:
    """The whole file came, but it is not what it should be."""
    return ProviderError(
        "Download damaged",
        f"{name} arrived complete, but {why}; it was thrown away.",
        "Try again; if it happens again, the server or something on the way changes the file.",
    )


def too_big(folder: Path, needed: int, free: int) -> ProviderError:
    """The disk has no room."""
    return ProviderError(
        "Not enough space",
        f"{needed / 1e6:,.0f} MB are still to come and {folder} has {free / 1e6:,.0f} MB free.",
        "Free some space, or name another folder in local.modelCacheDir.",
    )


def unwritable(error: OSError, folder: Path) -> ProviderError:
    """The folder or the disk refuses."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return ProviderError(
            "Disk full",
            f"There is no room left in {folder}. What was downloaded so far is kept.",
            "Free some space and try again; the download goes on where it stopped.",
        )
    return ProviderError(
        "Model folder not writable",
        f"{folder} cannot be written to: {error.strerror}.",
        "Check its permissions, or name another folder in local.modelCacheDir.",
    )
