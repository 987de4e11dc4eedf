"""Which proxy a request goes through, by the environment that was handed in."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from engine.net.host_guard import is_loopback


def proxy_for(url: str, environ: Mapping[str, str]) -> str | None:
    """The proxy's address, None for a direct connection.

    HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY count, the lower-case spelling
    first, as in curl. The loopback address is never asked through a proxy.
    """
    parts = urlsplit(url)
    if is_loopback(url):
        return None
    proxy = _setting(environ, f"{parts.scheme}_proxy") or _setting(environ, "all_proxy")
    if not proxy:
        return None
    if _excluded(parts.hostname or "", parts.port, _setting(environ, "no_proxy")):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _excluded(host: str, port: int | None, no_proxy: str) -> bool:
    """NO_PROXY: hosts or domain endings, with or without port, separated by commas; * is all."""
    names = [name.strip().lower().lstrip(".") for name in no_proxy.split(",") if name.strip()]
    spellings = (host, f"{host}:{port}")
    return any(
        name == "*" or spelling == name or spelling.endswith(f".{name}")
        for name in names
        for spelling in spellings
    )


def _setting(environ: Mapping[str, str], name: str) -> str:
    return environ.get(name) or environ.get(name.upper()) or ""
