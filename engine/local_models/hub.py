"""Where the model hub is reached, with which token, and what may be asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from engine.errors import ProviderError
from engine.local_models.address import MAIN, HubFile, HubRepo, WebFile
from engine.net.host_guard import checked_base_url, is_loopback, joined, same_origin
from engine.net.secret import Secret

PUBLIC_HUB = "https://huggingface.co"
_TRUE = frozenset({"1", "true", "yes", "on"})


@dataclass(frozen=True, slots=True)
class Hub:
    """The hub as the environment names it: HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE."""

    endpoint: str = PUBLIC_HUB
    token: Secret | None = None
    offline: bool = False

    def url(self, address: HubFile | WebFile) -> str:
        """Where the file of an address is downloaded from."""
        if isinstance(address, WebFile):
            return address.url
        parts = [address.org, address.repo, "resolve", address.branch, *address.path.split("/")]
        return joined(self.endpoint, "/".join(quote(part, safe="") for part in parts))

    def manifest_url(self, address: HubRepo) -> str:
        """Where the hub says which file of a repository is meant."""
        parts = ["v2", address.org, address.repo, "manifests", address.tag or "latest"]
        return joined(self.endpoint, "/".join(quote(part, safe="") for part in parts))

    def authorization(self, url: str) -> dict[str, str]:
        """The header with the token, for the hub's own host alone and never in the clear."""
        if self.token is None or not self.token.sendable or not same_origin(url, self.endpoint):
            return {}
        if not url.startswith("https:") and not is_loopback(url):
            return {}
        return {"authorization": f"Bearer {self.token.reveal()}"}


def hub_of(environ: Mapping[str, str]) -> Hub:
    """The hub that an environment names. Raises ProviderError for an unusable HF_ENDPOINT."""
    endpoint = environ.get("HF_ENDPOINT", "").strip()
    token = environ.get("HF_TOKEN", "").strip()
    return Hub(
        checked_base_url(endpoint, "HF_ENDPOINT") if endpoint else PUBLIC_HUB,
        Secret(token) if token else None,
        environ.get("HF_HUB_OFFLINE", "").strip().lower() in _TRUE,
    )


def file_of_manifest(address: HubRepo, manifest: object) -> HubFile:
    """The file that the hub's answer names. Raises ProviderError when it names none."""
    file = manifest.get("ggufFile") if isinstance(manifest, dict) else None
    path = file.get("rfilename") if isinstance(file, dict) else None
    parts = path.split("/") if isinstance(path, str) else []
    if not parts or any(part in ("", ".", "..") or "\\" in part for part in parts):
        raise ProviderError(
            "No model file",
            f"The hub names no GGUF file for {address.name}.",
            "Name the file itself: hf:org/repo/file.gguf.",
        )
    return HubFile(address.org, address.repo, "/".join(parts), MAIN)
