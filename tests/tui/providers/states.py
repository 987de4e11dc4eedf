"""States of providers that the tests and the pictures show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engine.config.resolved import ConfigValue, Provenance
from engine.status import (
    BatchJobState,
    BatchState,
    Cost,
    CostState,
    EngineStatus,
    FallbackSpell,
    FallbackState,
    HostPause,
    PassedOver,
    Price,
    ProbeReport,
    ProviderState,
    ProviderTraffic,
    RequestLimits,
    Spending,
    VectorSpace,
)
from tests.screens.scripted import CLEAN
from tests.screens.stage import NOW_MS
from tests.tui.providers.providing import ProvidingEngine

HOME = Path("/home/ada")
AGENT_FILE = HOME / ".openclaw" / "openclaw.json"
OWN_FILE = HOME / ".config" / "memlens" / "settings.json5"
DEFAULT = Provenance("default")
MINUTE = 60_000.0

UNSET = (
    ConfigValue("provider", "auto", "auto", DEFAULT),
    ConfigValue("model", "", "", DEFAULT),
    ConfigValue("fallback", "none", "none", DEFAULT),
    ConfigValue("remote.apiKey", None, None, DEFAULT),
)
SET_TO_NONE = ConfigValue("provider", "none", "auto", Provenance("user settings", OWN_FILE, 2))
SET = (
    ConfigValue("provider", "openai", "auto", Provenance("agent config", AGENT_FILE, 14)),
    ConfigValue("model", "text-embedding-3-small", "", Provenance("agent config", AGENT_FILE, 15)),
    ConfigValue("fallback", "builtin", "none", Provenance("user settings", OWN_FILE, 3)),
    ConfigValue("remote.apiKey", "***", None, Provenance("agent config", AGENT_FILE, 18)),
    ConfigValue("remote.batch.enabled", True, False, Provenance("--set")),
)

BUILTIN_SPACE = VectorSpace("b" * 64, "builtin", "static-256", 256, 1310, 1204, 0, 0, 0, "in use")
OPENAI_SPACE = VectorSpace(
    "a" * 64, "openai", "text-embedding-3-small", 1536, 1310, 1204, 0, 0, 481_600, "in use", True
)
STANDBY_SPACE = VectorSpace(
    "b" * 64, "builtin", "static-256", 256, 1190, 1190, 14, 5_600, 0, "fallback", False
)
OLD_SPACE = VectorSpace(
    "c" * 64,
    "voyage",
    "voyage-4-large",
    1024,
    310,
    290,
    914,
    365_600,
    124_000,
    missing_usd=0.043872,
)
UNNAMED_SPACE = VectorSpace("d" * 64, None, "", 768, 12, 0, 1204, 481_600, 0)

OPENAI = ProviderState(
    requested="openai",
    provider="openai",
    model="text-embedding-3-small",
    dimensions=1536,
    mode="active",
    reason="Named in the configuration.",
    passed_over=(),
    agent_would="The agent itself would use openai, as named.",
    key_source="OPENAI_API_KEY in the environment",
    remote=True,
)
TRAFFIC = ProviderTraffic(
    provider="openai",
    host="api.openai.com",
    requests=151,
    retries=3,
    last_ms=201.0,
    mean_ms=213.0,
    last_at_ms=NOW_MS - 41_000,
    tokens=412_310,
    limits=RequestLimits(2048, 300_000, 32_000, learned=True),
)
COST = CostState(
    price=Price(0.02, "2026-01-15"),
    last=Cost(9_600, usd=0.000192),
    total=(
        Spending("openai", "text-embedding-3-small", 1_553_000, usd=0.03106),
        Spending("voyage", "voyage-4-large", 124_000, estimated=True),
    ),
)
OVER = FallbackSpell(
    "openai",
    "builtin",
    "HTTP 503: the server is overloaded",
    NOW_MS - 120 * MINUTE,
    NOW_MS - 116 * MINUTE,
)
REMOTE = replace(CLEAN, provider=OPENAI, traffic=(TRAFFIC,), cost=COST, fallback_history=(OVER,))
TOO_MANY = "HTTP 429: rate limit reached for requests"
OUTAGE = replace(
    REMOTE,
    provider=replace(
        OPENAI,
        provider="builtin",
        model="static-256",
        dimensions=256,
        mode="fallback-active",
        remote=False,
        fallback=FallbackState("openai", "builtin", TOO_MANY, NOW_MS - 2 * MINUTE, NOW_MS + 23_000),
        error=TOO_MANY,
        error_hint="Wait, or raise the limit of the account.",
    ),
    pauses=(HostPause("api.openai.com", NOW_MS + 41_000, "it asked for 60 s (Retry-After)"),),
    traffic=(replace(TRAFFIC, retries=8, failures=2, last_error=TOO_MANY, in_flight=1),),
    fallback_history=(FallbackSpell("openai", "builtin", TOO_MANY, NOW_MS - 2 * MINUTE), OVER),
)
JOBS = (
    BatchJobState(
        "a1b2c3", "openai", "in_progress", 120, 2, 400, NOW_MS - 6 * MINUTE, NOW_MS - 3_000
    ),
    BatchJobState("", "openai", "validating", 0, 0, 204, NOW_MS - 4_000),
)
BUSY = replace(
    REMOTE,
    batch=BatchState(enabled=True, active=True, jobs=JOBS),
    sync=replace(CLEAN.sync, phase="running"),
)
REFUSED = replace(
    REMOTE,
    provider=replace(
        OPENAI,
        mode="degraded",
        error="HTTP 401: the key was not accepted",
        error_hint="Check OPENAI_API_KEY.",
        passed_over=(
            PassedOver("mistral", "no use as fallback: no key: MISTRAL_API_KEY is not set"),
        ),
    ),
    fallback_history=(),
)
AUTO = replace(
    CLEAN,
    provider=replace(
        CLEAN.provider,
        reason="None of the providers in the order can be used, so the built-in model is.",
        passed_over=(
            PassedOver("local", "local.modelPath is not set"),
            PassedOver("openai", "no key: OPENAI_API_KEY is not set, and no profile holds one"),
            PassedOver("gemini", "no key: GEMINI_API_KEY is not set, and no profile holds one"),
            PassedOver("voyage", "no key: VOYAGE_API_KEY is not set, and no profile holds one"),
            PassedOver("mistral", "no key: MISTRAL_API_KEY is not set, and no profile holds one"),
        ),
    ),
)
NONE = replace(
    CLEAN,
    search_mode="keyword",
    provider=replace(
        CLEAN.provider,
        requested="none",
        provider="none",
        model="",
        dimensions=None,
        mode="keyword-only",
        reason="Keywords only, as configured.",
    ),
)
UNKNOWN = replace(REMOTE, traffic=(), cost=CostState(), fallback_history=())
GOOD = ProbeReport("openai", "text-embedding-3-small", NOW_MS, 201.0, 1536)
BAD = ProbeReport(
    "openai",
    "text-embedding-3-small",
    NOW_MS,
    8_012.0,
    problem="Too many requests: https://api.openai.com asked for a pause that lasts another 41 s.",
    hint="Search again after it; keyword results do not depend on it.",
)


def engine(name: str) -> ProvidingEngine:
    """An engine in one of the states."""
    spaces = (OPENAI_SPACE, STANDBY_SPACE, OLD_SPACE, UNNAMED_SPACE)
    if name in ("auto", "none"):
        kept = replace(BUILTIN_SPACE, role="kept")
        own = replace(BUILTIN_SPACE, remote=False) if name == "auto" else kept
        values = UNSET if name == "auto" else (SET_TO_NONE, *UNSET[1:])
        return ProvidingEngine(STATES[name], values=values, spaces=(own,))
    return ProvidingEngine(STATES[name], values=SET, spaces=spaces, report=GOOD)


STATES: dict[str, EngineStatus] = {
    "auto": AUTO,
    "remote": REMOTE,
    "outage": OUTAGE,
    "busy": BUSY,
    "refused": REFUSED,
    "none": NONE,
    "unknown": UNKNOWN,
}
