"""No key survives in text that a person or a log gets to see."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.redaction import MASK, redact

S = "s" + "k-"
DASHES = "-" * 5


@pytest.mark.parametrize(
    ("text", "secret", "kept"),
    [
        (f"Incorrect API key provided: {S}abc123def456.", "abc123", "Incorrect API key"),
        (f"key {S}proj-aB3_dE-fgh1jk", "aB3_dE", "key"),
        (f"echo {S}abcd****wxyz done", "wxyz", "done"),
        ("Authorization: Bearer qwerty123456", "qwerty", "Authorization"),
        ('{"authorization": "Basic dXNlcjpwYXNz", "a": 1}', "dXNlcjpwYXNz", '"a": 1'),
        ("got bearer abcdef.ghijkl-mno", "ghijkl", "got bearer"),
        ('{"api_key":"zzzz-yyyy"}', "zzzz", "api_key"),
        ("x-goog-api-key: AbCdEf12345", "AbCdEf", "x-goog-api-key"),
        ("GET https://host/v1?key=topsecret&alt=json", "topsecret", "alt=json"),
        ("proxy http://joe:hunter2@proxy:8080 failed", "hunter2", "proxy:8080"),
        ("AIza" + "B" * 35, "BBBB", ""),
        ("token gh" + "p_" + "c" * 36 + " end", "cccc", "end"),
        ("xox" + "b-1234567890-abcdef rest", "abcdef", "rest"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl tail", "c2lnbmF0", "tail"),
        (
            f"a {DASHES}BEGIN RSA PRIVATE KEY{DASHES}\nMIIE\n{DASHES}END RSA PRIVATE KEY{DASHES} z",
            "MIIE",
            "z",
        ),
        (f"cut {DASHES}BEGIN PRIVATE KEY{DASHES}\nMIIE", "MIIE", "cut"),
    ],
)
def test_key_shapes_are_masked_and_the_rest_is_kept(text: str, secret: str, kept: str) -> None:
    redacted = redact(text)
    assert secret not in redacted
    assert MASK in redacted
    assert kept in redacted


@pytest.mark.parametrize(
    "text",
    [
        "risk-averse task-force disk-usage",
        "the key to the router is on the shelf; bearer of news",
        "memory/2026-02-10.md:12 saffron order 481516",
        "http://127.0.0.1:8080/v1/embeddings answered 500",
        "",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


def test_short_secrets_are_masked_only_where_they_stand_alone() -> None:
    assert redact("x-ray of x, boxes", ["x"]) == f"{MASK}-ray of {MASK}, boxes"


@settings(deadline=None)
@given(
    st.text("abcdefgh123", min_size=8, max_size=30),
    st.text(max_size=40),
    st.text(max_size=40),
)
def test_a_known_secret_never_survives(secret: str, before: str, after: str) -> None:
    assert secret not in redact(before + secret + after, [secret, secret[:9]])
