"""Which region of AWS is meant, by address, environment and the profile's own settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

USUAL = "us-east-1"
_HOST = re.compile(
    r"(?:vpce-[a-z0-9-]+\.)?bedrock-runtime(?:-fips)?\.([a-z0-9-]+)(?:\.vpce)?\.amazonaws\.com(?:\.cn)?"
)


def host_region(host: str) -> str | None:
    """The region in the name of a Bedrock host; None for any other host."""
    found = _HOST.fullmatch(host)
    return found[1] if found else None


def bedrock_home(environ: Mapping[str, str]) -> str:
    """Bedrock's address in the region of the environment, else of the profile, else the usual."""
    region = environment_region(environ) or _profile_region(environ) or USUAL
    end = ".cn" if region.startswith("cn-") else ""
    return f"https://bedrock-runtime.{region}.amazonaws.com{end}"


def environment_region(environ: Mapping[str, str]) -> str:
    """AWS_REGION, else AWS_DEFAULT_REGION; empty when neither holds a region's name."""
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        region = environ.get(name, "").strip()
        if re.fullmatch(r"[a-z0-9-]+", region):
            return region
    return ""


def config_file(environ: Mapping[str, str]) -> Path | None:
    """Where profiles have their settings; None when there is no home."""
    return _aws_file(environ, "AWS_CONFIG_FILE", "config")


def credentials_file(environ: Mapping[str, str]) -> Path | None:
    """Where profiles have their keys; None when there is no home."""
    return _aws_file(environ, "AWS_SHARED_CREDENTIALS_FILE", "credentials")


def profile_name(environ: Mapping[str, str]) -> str:
    """The profile in use."""
    return environ.get("AWS_PROFILE", "").strip() or "default"


def _aws_file(environ: Mapping[str, str], variable: str, name: str) -> Path | None:
    home, written = environ.get("HOME", ""), environ.get(variable, "").strip()
    if not written:
        return Path(home) / ".aws" / name if home else None
    if written.startswith("~/") and home:
        return Path(home) / written[2:]
    return Path(written)


def _profile_region(environ: Mapping[str, str]) -> str:
    from configparser import Error, RawConfigParser

    path, profile = config_file(environ), profile_name(environ)
    if path is None:
        return ""
    parser = RawConfigParser(strict=False)
    try:
        parser.read(path, "utf-8")
        section = profile if profile == "default" else f"profile {profile}"
        region = parser.get(section, "region", fallback="").strip()
    except (Error, OSError, UnicodeDecodeError):
        return ""
    return region if re.fullmatch(r"[a-z0-9-]+", region) else ""
