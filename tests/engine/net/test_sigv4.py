"""Signature Version 4: the published vectors, frozen ones of botocore, and botocore itself."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from hypothesis import given
from hypothesis import strategies as st

from engine.net.messages import HttpRequest
from engine.net.secret import Secret
from engine.net.sigv4 import AwsKeys, SigningScope, canonical_request, signed_request

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
"""The example secret of AWS' own documents."""
KEYS = AwsKeys("AKIDEXAMPLE", Secret(SECRET))
BEDROCK = SigningScope("us-east-1", "bedrock")
JSON = {"content-type": "application/json", "accept": "application/json"}
HOST = "https://bedrock-runtime.us-east-1.amazonaws.com"
TITAN = f"{HOST}/model/amazon.titan-embed-text-v2%3A0/invoke"
ARN = (
    f"{HOST}/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2F"
    "us.cohere.embed-v4%3A0/invoke"
)
FROZEN_AT = datetime(2026, 2, 10, 22, tzinfo=UTC).timestamp() * 1000.0
BODY = b'{"inputText":"a"}'


def ms(moment: datetime) -> float:
    return moment.replace(tzinfo=UTC).timestamp() * 1000.0


def signature(request: HttpRequest) -> str:
    return request.headers["authorization"].rpartition("Signature=")[2]


@pytest.mark.parametrize(
    ("method", "url", "expected"),
    [
        ("GET", "/", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        ("POST", "/", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        (
            "GET",
            "/?Param2=value2&Param1=value1",
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
        ),
    ],
)
def test_the_vectors_that_amazon_publishes(method: str, url: str, expected: str) -> None:
    request = HttpRequest(f"https://example.amazonaws.com{url}", {}, b"", method)
    scope = SigningScope("us-east-1", "service")
    signed = signed_request(request, KEYS, scope, ms(datetime(2015, 8, 30, 12, 36)))
    assert signed.headers["authorization"].startswith(
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
        "SignedHeaders=host;x-amz-date, Signature="
    )
    assert signature(signed) == expected


@pytest.mark.parametrize(
    ("url", "body", "token", "expected"),
    [
        (TITAN, BODY, None, "7ea5830e11a5e1697f48895fb3b160c372e5529d4a89687c36da97bfec904838"),
        (
            ARN,
            b"{}",
            "tok/en+==",
            "38c37fb72768e97c5abda492380367c424c445def01e3e663e75f4bd17b6daad",
        ),
    ],
)
def test_frozen_signatures_of_botocore(
    url: str, body: bytes, token: str | None, expected: str
) -> None:
    keys = AwsKeys("AKIDEXAMPLE", Secret(SECRET), Secret(token) if token else None)
    signed = signed_request(HttpRequest(url, JSON, body), keys, BEDROCK, FROZEN_AT)
    assert signature(signed) == expected


def test_the_path_is_encoded_once_more_than_in_the_address() -> None:
    path = canonical_request(HttpRequest(TITAN, JSON, BODY)).split("\n")[1]
    assert path == "/model/amazon.titan-embed-text-v2%253A0/invoke"


def test_the_secret_is_nowhere_in_the_request() -> None:
    signed = signed_request(HttpRequest(TITAN, JSON, BODY), KEYS, BEDROCK, FROZEN_AT)
    assert SECRET not in str(dict(signed.headers)) + repr(signed) + repr(KEYS)
    assert "AKIDEXAMPLE" not in repr(signed) + repr(KEYS)


SEGMENTS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=20)


@given(
    model=st.text(min_size=1, max_size=30).filter(lambda m: m.isprintable() and bool(m.strip("."))),
    body=st.binary(max_size=200),
    token=st.none() | SEGMENTS,
    region=st.sampled_from(["us-east-1", "eu-central-1", "ap-northeast-1"]),
    port=st.sampled_from(["", ":8443"]),
)
def test_botocore_signs_the_same(
    model: str, body: bytes, token: str | None, region: str, port: str
) -> None:
    host = f"https://bedrock-runtime.{region}.amazonaws.com{port}"
    url = f"{host}/model/{quote(model, safe='')}/invoke"
    theirs = AWSRequest("POST", url, headers=JSON, data=body)
    SigV4Auth(Credentials("AKIDEXAMPLE", SECRET, token), "bedrock", region).add_auth(theirs)
    moment = datetime.strptime(theirs.headers["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
    ours = signed_request(
        HttpRequest(url, JSON, body),
        AwsKeys("AKIDEXAMPLE", Secret(SECRET), Secret(token) if token else None),
        SigningScope(region, "bedrock"),
        ms(moment),
    )
    assert ours.headers["authorization"] == theirs.headers["Authorization"]
