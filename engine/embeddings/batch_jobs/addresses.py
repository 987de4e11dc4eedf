"""Addresses with a query of their own below a base address, which may have one too."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from engine.net.host_guard import joined


def below(base_url: str, path: str) -> str:
    """The address of a path that may end in ``?`` and a query."""
    plain, _, query = path.partition("?")
    return with_query(joined(base_url, plain), query)


def with_query(url: str, more: str) -> str:
    """The address with more fields after those of its own query."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query="&".join(filter(None, (parts.query, more)))))
