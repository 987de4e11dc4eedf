"""What is known of one kind of provider before any configuration is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.embeddings.contract import ProviderLimits
from engine.embeddings.remote.limits import openai_limits
from engine.embeddings.remote.settings import CONCURRENCY, INDEX_SECONDS, QUERY_SECONDS
from engine.net.credentials import NoKey

EARLY_ERAS = frozenset({"2026.2", "2026.3"})
"""The eras in which a key decided when no provider was named."""

KeyPolicy = Literal["required", "optional", "own"]
"""Whether a key is needed; "own": the way in finds its proof itself, and says what is missing."""


def unchanged(base_url: str) -> str:
    """A base address that is used as it is written."""
    return base_url


def nowhere(environ: Mapping[str, str]) -> str:
    """The own address of a provider that has none before it is configured."""
    return ""


def no_other_host(host: str) -> bool:
    """For providers whose hosts are listed."""
    return False


def no_other_proof(environ: Mapping[str, str]) -> str | NoKey:
    """For providers that are let in by a key only."""
    return NoKey(())


def not_passed_on(model: str) -> bool:
    """For servers that compute every model themselves."""
    return False


def nothing_to_say(model: str) -> str:
    """For models that all do what one expects."""
    return ""


@dataclass(frozen=True, slots=True)
class KnownProvider:
    """A provider id that a configuration may name, and how it is spoken to.

    adapter: its name in ``engine.embeddings.adapters``.
    default_model: used when none is named; empty when one must be.
    base_url: its own address; keys of profiles and of the environment stay with its hosts.
    placeless: needs no address: it knows itself where to ask, if anywhere.
    hosts: further hosts of its own (https only), by the ends of their names.
    own_host: whether a host name is one of its own, where their ends do not tell.
    auth_id: its name in auth profiles and in ``models.providers``; empty when neither counts.
    variables: environment variables with its key, ``later_variables`` more of them from
        2026.7 on.
    era_variables: further ones of a single era.
    passed_on: variables whose values the way in gets beside the key.
    key_header: the header that the key travels in.
    apis: what ``models.providers.<id>.api`` may say to mean this adapter, beside the id.
    prefixes: dropped from model names; with ``prefix_elsewhere`` kept on foreign hosts.
    query_input_type, document_input_type: sent when the configuration names none.
    input_types: the ones that a configuration may name; None is any, () none.
    strict_home: its own host refuses input types.
    base64: its own host sends vectors in base64.
    limits: of a model, by its name.
    concurrency: indexing requests at once.
    query_seconds, index_seconds: limits of one request.
    mended: makes the usual address out of the spellings that people write.
    home: its own address by the environment, where ``base_url`` is empty.
    proof: where the way in finds what lets it in without a key, or why it cannot ("own").
    unfit: why a model cannot be used, empty when it can.
    passes_on: models that a server on this machine has computed elsewhere.
    remark: what a person should know about a model.
    """

    id: str
    adapter: str
    default_model: str = ""
    base_url: str = ""
    placeless: bool = False
    hosts: tuple[str, ...] = ()
    own_host: Callable[[str], bool] = no_other_host
    auth_id: str = ""
    variables: tuple[str, ...] = ()
    later_variables: tuple[str, ...] = ()
    era_variables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    passed_on: tuple[str, ...] = ()
    key: KeyPolicy = "required"
    key_header: str = "authorization"
    apis: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    prefix_elsewhere: bool = False
    query_input_type: str | None = None
    document_input_type: str | None = None
    input_types: tuple[str, ...] | None = ()
    strict_home: bool = False
    base64: bool = False
    limits: Callable[[str], ProviderLimits] = openai_limits
    concurrency: int = CONCURRENCY
    query_seconds: float = QUERY_SECONDS
    index_seconds: float = INDEX_SECONDS
    mended: Callable[[str], str] = unchanged
    home: Callable[[Mapping[str, str]], str] = nowhere
    proof: Callable[[Mapping[str, str]], str | NoKey] = no_other_proof
    unfit: Callable[[str], str] = nothing_to_say
    passes_on: Callable[[str], bool] = not_passed_on
    remark: Callable[[str], str] = nothing_to_say

    def variables_in(self, era: str) -> tuple[str, ...]:
        """The environment variables that hold its key in an era."""
        if era in EARLY_ERAS:
            return self.variables
        return (*self.variables, *self.later_variables, *self.era_variables.get(era, ()))

    def home_in(self, environ: Mapping[str, str]) -> str:
        """Its own address; empty when it has none."""
        return self.base_url or self.home(environ)
