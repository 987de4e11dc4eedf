"""What ``local.modelPath`` may name: a file of the model hub, a web address, a file on disk."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from engine.errors import ProviderError
from engine.net.host_guard import checked_base_url, without_secrets

DEFAULT_MODEL = "hf:ggml-org/embeddinggemma-300m-qat-q8_0-GGUF/embeddinggemma-300m-qat-Q8_0.gguf"
"""What the agent uses when ``local.modelPath`` is not set."""
EARLIER_DEFAULT = "hf:ggml-org/embeddinggemma-300M-GGUF/embeddinggemma-300M-Q8_0.gguf"
MAIN = "main"
HUB_HOSTS = frozenset({"huggingface.co", "hf.co"})

_PREFIXES = ("hf://", "huggingface://", "hf:", "huggingface:", "hf.co/", "huggingface.co/")


@dataclass(frozen=True, slots=True)
class HubFile:
    """One file of a repository on the hub; ``path`` is below the repository's root."""

    org: str
    repo: str
    path: str
    branch: str = MAIN

    @property
    def name(self) -> str:
        """The one spelling of this address."""
        branch = "" if self.branch == MAIN else f"#{self.branch}"
        return f"hf:{self.org}/{self.repo}/{self.path}{branch}"


@dataclass(frozen=True, slots=True)
class HubRepo:
    """A repository of which the hub says which file is meant; ``tag`` is a quantisation."""

    org: str
    repo: str
    tag: str = ""

    @property
    def name(self) -> str:
        """The one spelling of this address."""
        return f"hf:{self.org}/{self.repo}" + (f":{self.tag}" if self.tag else "")


@dataclass(frozen=True, slots=True)
class WebFile:
    """A file at any http or https address; the query may hold a secret."""

    url: str = field(repr=False)

    @property
    def name(self) -> str:
        """The address without query fields that may hold a credential."""
        return without_secrets(self.url)


ModelAddress = HubFile | HubRepo | WebFile


def parse_address(text: str) -> ModelAddress | None:
    """The address that a text names, None when it can only be the path of a file.

    Knows ``hf:``, ``hf://``, ``huggingface:``, ``huggingface://``, the hub's host names
    with and without scheme, and http(s). Raises ProviderError for a malformed address.
    """
    text = text.strip()
    for prefix in _PREFIXES:
        if text.lower().startswith(prefix):
            return _hub(text[len(prefix) :], text)
    if text.lower().startswith(("http://", "https://")):
        return _web(text)
    return None


def _hub(rest: str, whole: str) -> HubFile | HubRepo:
    org, _, rest = rest.rstrip("/").partition("/")
    repo, _, path = rest.partition("/")
    if repo and (":" in repo or not path):
        repo, _, tag = repo.partition(":")
        if org and repo:
            return HubRepo(_part(org, whole), _part(repo, whole), tag.strip())
        raise _malformed(whole)
    path, _, branch = path.partition("#")
    if not (org and repo and path):
        raise _malformed(whole)
    parts = [_part(part, whole) for part in path.split("/")]
    return HubFile(_part(org, whole), _part(repo, whole), "/".join(parts), branch or MAIN)


def _part(part: str, whole: str) -> str:
    if part in ("", ".", "..") or not re.fullmatch(r"[^\x00-\x1f\x7f\\?#]+", part):
        raise _malformed(whole)
    return part


def _web(text: str) -> HubFile | WebFile:
    """A web address; one of the hub's own becomes the file that it means."""
    if "@" in text.split("/", 3)[2]:
        raise ProviderError(
            "Address holds a password",
            "local.modelPath holds a user name or password before the host name.",
            "Download the file by other means and name its path.",
        )
    url = checked_base_url(text, "local.modelPath")
    parts = urlsplit(url)
    if not parts.path.strip("/"):
        raise _malformed(text)
    pieces = [unquote(piece) for piece in parts.path.strip("/").split("/")]
    if parts.hostname in HUB_HOSTS and len(pieces) > 4 and pieces[2] in ("resolve", "blob"):
        org, repo, _, branch, *path = pieces
        return HubFile(
            _part(org, text), _part(repo, text), "/".join(_part(p, text) for p in path), branch
        )
    return WebFile(url)


def _malformed(text: str) -> ProviderError:
    return ProviderError(
        "Model address cannot be used",
        f"{text!r} does not name a model file.",
        "Write it as hf:org/repo/file.gguf, as https://host/file.gguf, or as a path.",
    )
