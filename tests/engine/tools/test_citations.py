from __future__ import annotations

import pytest

from engine.tools.citations import citation, includes_citations


def test_a_citation_names_path_and_lines() -> None:
    assert citation("memory/a.md", 3, 9) == "memory/a.md#L3-L9"
    assert citation("memory/a.md", 3, 3) == "memory/a.md#L3"


@pytest.mark.parametrize(
    ("key", "direct"),
    [
        (None, True),
        ("agent:main:main", True),
        ("agent:main:whatsapp:direct:5", True),
        ("agent:main:discord:channel:123", False),
        ("agent:main:telegram:group:9", False),
        ("agent:group:main", True),
    ],
)
def test_auto_cites_in_direct_chats_only(key: str | None, direct: bool) -> None:
    assert includes_citations("auto", key) is direct
    assert includes_citations("on", key) is True
    assert includes_citations("off", key) is False
