"""Where keys of AWS come from: the environment, else a profile by way of botocore."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from engine.embeddings.ways_in.aws_region import config_file, credentials_file, profile_name
from engine.errors import ProviderError
from engine.net.credentials import NoKey
from engine.net.secret import Secret
from engine.net.sigv4 import AwsKeys

if TYPE_CHECKING:
    from botocore.session import Session

ACCESS, SECRET, TOKEN = "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"
VARIABLES = (
    *(ACCESS, SECRET, TOKEN, "AWS_PROFILE", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"),
    *("AWS_REGION", "AWS_DEFAULT_REGION", "HOME"),
)
"""What the way in looks at."""
INSTALL = "pip install 'memlens[bedrock]'"


class KeySource(Protocol):
    """Gives keys that are good now; thread-safe enough for one caller at a time."""

    def keys(self) -> AwsKeys:
        """The keys. Raises ProviderError."""
        ...

    def renew(self) -> bool:
        """After expired keys were refused: True when others may come now."""
        ...


class EnvironmentKeys:
    """Keys of the environment, as they were at the start."""

    def __init__(self, variables: Mapping[str, Secret]) -> None:
        self._keys = AwsKeys(
            variables[ACCESS].reveal(), variables[SECRET], variables.get(TOKEN, None)
        )

    def keys(self) -> AwsKeys:
        """Always the same."""
        return self._keys

    def renew(self) -> bool:
        """There are no others."""
        return False


class ProfileKeys:
    """Keys of a profile: files, SSO, a process, a role, the machine's own; botocore finds them."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._found: _Credentials | None = None

    def keys(self) -> AwsKeys:
        """Temporary ones are renewed in time. Raises ProviderError."""
        from botocore.exceptions import BotoCoreError

        try:
            if self._found is None:
                self._found = _session(self._environ).get_credentials()
            frozen = None if self._found is None else self._found.get_frozen_credentials()
        except (BotoCoreError, OSError) as error:
            raise self._none(f" ({type(error).__name__})") from None
        if frozen is None or not (frozen.access_key and frozen.secret_key):
            raise self._none("")
        token = Secret(frozen.token) if frozen.token else None
        return AwsKeys(frozen.access_key, Secret(frozen.secret_key), token)

    def renew(self) -> bool:
        """Looked up from the start next time."""
        found, self._found = self._found, None
        return found is not None

    def _none(self, why: str) -> ProviderError:
        name = profile_name(self._environ)
        return ProviderError(
            "No AWS credentials",
            f"The AWS profile {name!r} gives no usable credentials{why}.",
            f"Log in (`aws sso login --profile {name}`), or set {ACCESS} and {SECRET}.",
        )


class _Frozen(Protocol):
    access_key: str
    secret_key: str
    token: str | None


class _Credentials(Protocol):
    def get_frozen_credentials(self) -> _Frozen: ...


def keys_in(variables: Mapping[str, Secret]) -> KeySource:
    """The source that the variables lead to. Raises ProviderError without botocore."""
    if ACCESS in variables and SECRET in variables:
        return EnvironmentKeys(variables)
    environ = {name: value.reveal() for name, value in variables.items()}
    if not environ or not has_botocore():
        raise ProviderError(
            "No AWS credentials",
            f"{ACCESS} and {SECRET} are not set.",
            f"Set them, or use a profile: {INSTALL}.",
        )
    return ProfileKeys(environ)


def keys_place(environ: Mapping[str, str], *, botocore: bool | None = None) -> str | NoKey:
    """Where keys will come from, in words; NoKey when there is no way. Looks nothing up."""
    missing = [name for name in (ACCESS, SECRET) if not environ.get(name, "").strip()]
    if not missing:
        return f"environment variables {ACCESS} and {SECRET}"
    if has_botocore() if botocore is None else botocore:
        return f"AWS profile {profile_name(environ)}"
    return NoKey(
        (
            *(f"{name} is not set" for name in ("AWS_BEARER_TOKEN_BEDROCK", *missing)),
            f"profiles and SSO need an extra ({INSTALL})",
        )
    )


def has_botocore() -> bool:
    """True when the extra is installed."""
    return find_spec("botocore") is not None


def _session(environ: Mapping[str, str]) -> Session:
    from botocore.session import Session

    session = Session(profile=environ.get("AWS_PROFILE") or None)
    for name, path in (
        ("config_file", config_file(environ)),
        ("credentials_file", credentials_file(environ)),
    ):
        if path is not None:
            session.set_config_variable(name, str(path))
    return session
