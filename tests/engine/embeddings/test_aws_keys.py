"""Keys of AWS from the environment and, by way of botocore, from profiles on disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.embeddings.ways_in.aws_keys import keys_in, keys_place
from engine.embeddings.ways_in.aws_region import bedrock_home, host_region
from engine.errors import ProviderError
from engine.net.credentials import NoKey
from engine.net.secret import Secret
from engine.net.sigv4 import AwsKeys
from tests.engine.embeddings.selected import Asked, assert_right
from tests.fakes.bedrock import ACCESS, SECRET, FakeBedrock, keys_of

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with two profiles; no question ever goes to the machine's own metadata."""
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    folder = tmp_path / ".aws"
    folder.mkdir()
    (folder / "credentials").write_text(
        f"[default]\naws_access_key_id = {ACCESS}\naws_secret_access_key = {SECRET}\n"
    )
    program = tmp_path / "login.py"
    program.write_text(
        "import json, pathlib\n"
        "count = pathlib.Path(__file__).with_name('count')\n"
        "n = int(count.read_text()) + 1 if count.exists() else 1\n"
        "count.write_text(str(n))\n"
        f"print(json.dumps({{'Version': 1, 'AccessKeyId': {ACCESS!r},\n"
        f"    'SecretAccessKey': {SECRET!r}, 'SessionToken': f'session-{{n}}',\n"
        "    'Expiration': '2099-01-01T00:00:00Z'}))\n"
    )
    (folder / "config").write_text(
        "[default]\nregion = eu-west-3\n"
        f"[profile work]\nregion = eu-central-1\ncredential_process = {sys.executable} {program}\n"
        "[profile empty]\nregion = us-west-2\n"
        "[profile broken]\ncredential_process = /does/not/exist\n"
    )
    return tmp_path


def secrets(environ: dict[str, str]) -> dict[str, Secret]:
    return {name: Secret(value) for name, value in environ.items()}


def test_keys_of_the_environment() -> None:
    source = keys_in(secrets(keys_of("token-1")))
    assert source.keys() == AwsKeys(ACCESS, Secret(SECRET), Secret("token-1"))
    assert not source.renew()
    assert SECRET not in repr(source.keys())


def test_a_profile_on_disk(home: Path) -> None:
    source = keys_in(secrets({"HOME": str(home)}))
    assert source.keys() == AwsKeys(ACCESS, Secret(SECRET))


def test_a_profile_that_asks_a_program(home: Path) -> None:
    source = keys_in(secrets({"HOME": str(home), "AWS_PROFILE": "work"}))
    token = source.keys().token
    assert token is not None
    assert source.keys().token == token
    assert source.renew()
    assert source.keys().token != token


@pytest.mark.parametrize("profile", ["empty", "broken", "none"])
def test_a_profile_without_keys_says_how_to_log_in(home: Path, profile: str) -> None:
    source = keys_in(secrets({"HOME": str(home), "AWS_PROFILE": profile}))
    with pytest.raises(ProviderError) as caught:
        source.keys()
    assert caught.value.title == "No AWS credentials"
    assert f"aws sso login --profile {profile}" in caught.value.hint


def test_where_keys_come_from_is_told_before_they_are_looked_up() -> None:
    both = "environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    assert keys_place(keys_of(), botocore=False) == both
    assert keys_place({}, botocore=True) == "AWS profile default"
    assert keys_place({"AWS_PROFILE": "work"}, botocore=True) == "AWS profile work"
    nothing = keys_place({"AWS_ACCESS_KEY_ID": ACCESS}, botocore=False)
    assert isinstance(nothing, NoKey)
    assert "AWS_SECRET_ACCESS_KEY is not set" in nothing.reason
    assert "AWS_ACCESS_KEY_ID" not in nothing.reason
    assert "pip install 'memlens[bedrock]'" in nothing.reason


def test_without_botocore_a_missing_key_is_told_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); sys.modules['botocore'] = None\n"
        "import importlib.util as u; found = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'botocore' else found(name, *a)\n"
        "from tests.engine.embeddings.selected import Asked\n"
        "print(Asked('bedrock').choose().error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(ROOT)],
        capture_output=True,
        text=True,
        check=True,
        env={"HOME": str(tmp_path)},
    )
    assert "profiles and SSO need an extra" in done.stdout


def test_requests_are_signed_with_the_keys_of_a_profile(home: Path) -> None:
    environ = {"HOME": str(home), "AWS_PROFILE": "work", "AWS_REGION": "eu-central-1"}
    with FakeBedrock(region="eu-central-1", tokens=["session-1"]) as fake:
        with Asked("bedrock", fake.origin, environ).open() as it:
            assert it.choice.key_source == "AWS profile work"
            assert_right(it.embed("kestrel"), "kestrel")
            fake.tokens = ["session-2"]  # the old ones were revoked: new ones are asked for
            assert_right(it.embed("router"), "router")
        assert len(fake.requests) == 3


@pytest.mark.parametrize(
    ("environ", "region"),
    [
        ({}, "eu-west-3"),
        ({"AWS_PROFILE": "work"}, "eu-central-1"),
        ({"AWS_PROFILE": "none"}, "us-east-1"),
        ({"AWS_PROFILE": "work", "AWS_REGION": "us-west-1"}, "us-west-1"),
        ({"AWS_CONFIG_FILE": "~/elsewhere"}, "us-east-1"),
        ({"AWS_REGION": "evil.example/x"}, "eu-west-3"),
    ],
)
def test_the_region_of_a_profile_comes_after_the_environment(
    home: Path, environ: dict[str, str], region: str
) -> None:
    address = bedrock_home({"HOME": str(home), **environ})
    assert address == f"https://bedrock-runtime.{region}.amazonaws.com"


def test_a_broken_file_of_profiles_is_as_good_as_none(home: Path) -> None:
    for content in (b"[default\nregion", b"\xff\xfe[default]", b"[default]\nregion = a b"):
        (home / ".aws" / "config").write_bytes(content)
        assert "us-east-1" in bedrock_home({"HOME": str(home)})
    (home / ".aws" / "config").unlink()
    assert "us-east-1" in bedrock_home({"HOME": str(home)})


@pytest.mark.parametrize(
    ("host", "region"),
    [
        ("bedrock-runtime.eu-west-1.amazonaws.com", "eu-west-1"),
        ("bedrock-runtime-fips.us-east-1.amazonaws.com", "us-east-1"),
        ("bedrock-runtime.cn-north-1.amazonaws.com.cn", "cn-north-1"),
        ("vpce-0a1.bedrock-runtime.us-east-1.vpce.amazonaws.com", "us-east-1"),
        ("bedrock-runtime.evil.s3.amazonaws.com", None),
        ("bedrock-runtime.us-east-1.amazonaws.com.evil.example", None),
        ("s3.amazonaws.com", None),
        ("127.0.0.1", None),
    ],
)
def test_only_bedrocks_own_hosts_have_a_region(host: str, region: str | None) -> None:
    assert host_region(host) == region
