"""What the rows say of each state: the truth, and "not known" where there is none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.config.resolved import ConfigValue, Provenance
from engine.events import ModelDownload, SyncProgress
from engine.local_status import LocalModelState, LocalPhase
from engine.status import (
    BatchState,
    Cost,
    CostState,
    PassedOver,
    Price,
    ProviderTraffic,
    Spending,
)
from tests.screens.scripted import CLEAN
from tests.screens.stage import NOW_MS
from tests.tui.providers.states import (
    BUILTIN_SPACE,
    BUSY,
    JOBS,
    OPENAI_SPACE,
    OUTAGE,
    REMOTE,
    STANDBY_SPACE,
    STATES,
    UNKNOWN,
)
from tui.glyphs import UNICODE
from tui.widgets.index_facts import Setting
from tui.widgets.providers.cost import dollars
from tui.widgets.providers.known import OVER, Known, places_of
from tui.widgets.providers.now import counts_seconds
from tui.widgets.providers.rows import Row, drawn
from tui.widgets.providers.sections import left, right

AT = Setting(NOW_MS, "/home/ada", UNICODE)


def rows(known: Known, at: Setting = AT) -> dict[str, Row]:
    """All rows by their keys."""
    return {row.key: row for part in (*left(known, at), *right(known, at)) for row in part.rows}


def said(known: Known, key: str, at: Setting = AT) -> str:
    """The text of a row."""
    return rows(known, at)[key].said.plain


@pytest.mark.parametrize("name", STATES)
def test_every_row_has_a_key_of_its_own(name: str) -> None:
    known = Known(STATES[name], spaces=(OPENAI_SPACE, STANDBY_SPACE))
    keys = [row.key for part in (*left(known, AT), *right(known, AT)) for row in part.rows]
    assert len(keys) == len(set(keys))


def test_what_nobody_has_told_is_not_known_and_never_zero() -> None:
    known = Known(UNKNOWN)
    for key in ("traffic", "this run", "total", "price", "spaces", "settings"):
        assert said(known, key).startswith("not known"), key
    assert "0" not in "".join(said(known, key) for key in ("traffic", "this run", "total"))


def test_a_sync_that_sent_nothing_and_no_sync_at_all_are_told_apart() -> None:
    assert said(Known(UNKNOWN), "last sync") == "nothing was sent in it"
    never = replace(UNKNOWN, sync=replace(UNKNOWN.sync, last=None))
    assert said(Known(never), "last sync") == "there was none yet"


def test_a_provider_that_was_never_asked_has_no_latency() -> None:
    quiet = replace(REMOTE, traffic=(ProviderTraffic("openai", "api.openai.com"),))
    assert said(Known(quiet), "requests openai") == "none yet"
    assert said(Known(quiet), "latency openai") == "not measured yet"


def test_two_providers_on_the_network_are_told_apart() -> None:
    both = replace(REMOTE, traffic=(*REMOTE.traffic, ProviderTraffic("voyage", "", 2, 0, 1)))
    known = Known(both)
    assert said(known, "requests openai").startswith("openai   151 requests")
    assert said(known, "requests voyage") == "voyage   2 requests · 0 repeated · 1 given up"
    assert rows(known)["requests voyage"].more is not None


def test_a_local_provider_costs_nothing_and_sends_nothing() -> None:
    known = Known(CLEAN)
    assert said(known, "cost").startswith("nothing: no text is sent")
    assert said(known, "traffic") == "nothing is sent over the network"
    assert said(known, "texts") == "stay on this machine"


@pytest.mark.parametrize(
    ("usd", "words"),
    [
        (0.0, "$0"),
        (0.00002, "less than $0.0001"),
        (0.0082, "about $0.0082"),
        (12.3456, "about $12.35"),
    ],
)
def test_money(usd: float, words: str) -> None:
    assert dollars(usd) == words


def test_tokens_without_a_price_have_no_money() -> None:
    spent = CostState(last=Cost(10, estimated=True), total=(Spending("openai", "m", 10),))
    known = Known(replace(REMOTE, cost=spent))
    assert said(known, "last sync") == "~10 tokens, money not known"
    assert said(known, "this run") == "412,310 tokens, money not known"
    assert said(known, "total 0").startswith("10 tokens, money not known")


def test_a_part_without_a_price_is_said() -> None:
    spent = CostState(
        Price(0.1, "", own=True),
        total=(Spending("openai", "m", 30, usd=0.5, unpriced_tokens=10),),
    )
    known = Known(replace(REMOTE, cost=spent))
    assert "10 tokens of them without a known price" in said(known, "total 0")
    assert said(known, "price") == "$0.1 a million tokens (your settings)"


def test_the_price_of_one_provider_is_not_used_for_two() -> None:
    other = ProviderTraffic("voyage", "api.voyageai.com", 2, tokens=1_000_000)
    both = replace(REMOTE, traffic=(*REMOTE.traffic, other))
    assert said(Known(both), "this run") == "1,412,310 tokens, money not known"


def test_a_space_says_what_it_lacks() -> None:
    assert "still embeds 4, ~1,000 tokens, less than $0.0001" in said(
        Known(
            REMOTE,
            spaces=(replace(OPENAI_SPACE, missing=4, missing_tokens=1_000, missing_usd=2e-5),),
        ),
        f"space {'a' * 64}",
    )
    empty = replace(BUILTIN_SPACE, covered=0, missing=0, vectors=0)
    assert "the index is empty" in said(Known(CLEAN, spaces=(empty,)), f"space {'b' * 64}")
    assert said(Known(CLEAN, spaces=()), "spaces") == "none: nothing has been embedded yet"


def test_countdowns_end() -> None:
    known = Known(OUTAGE)
    assert counts_seconds(known, NOW_MS)
    assert said(known, "again").startswith("‖ 23 s until searches ask openai again")
    later = replace(AT, now_ms=NOW_MS + 40_500)
    assert said(known, "pause api.openai.com", later).startswith("‖ 1 s until api.openai.com")
    assert said(known, "again", later).startswith("the next search or sync asks openai again")
    over = replace(AT, now_ms=NOW_MS + 41_000)
    assert "pause api.openai.com" not in rows(known, over)
    assert not counts_seconds(known, NOW_MS + 41_000)


def test_a_long_countdown_has_minutes() -> None:
    fallback = OUTAGE.provider.fallback
    assert fallback is not None
    long = replace(fallback, again_ms=NOW_MS + 599_001)
    known = Known(replace(OUTAGE, provider=replace(OUTAGE.provider, fallback=long)))
    assert said(known, "again").startswith("‖ 10 min 00 s until")


def test_a_fallback_from_the_start_is_not_asked_again() -> None:
    fallback = OUTAGE.provider.fallback
    assert fallback is not None
    start = replace(OUTAGE.provider, fallback=replace(fallback, again_ms=None))
    known = Known(replace(OUTAGE, provider=start, pauses=()))
    assert "again" not in rows(known)
    assert (known.asked, known.failing) == ("builtin", False)
    assert not counts_seconds(known, NOW_MS)


def test_jobs_are_told_with_what_the_provider_counts() -> None:
    known = Known(BUSY)
    first, second = (rows(known)[key] for key in rows(known) if key.startswith("job "))
    assert first.said.plain.startswith("◐ in progress ███░░░░░░░░░ 120/400 · 2 failed\nopenai")
    assert "looked at 3 s ago" in first.said.plain
    assert first.more is not None
    assert "ends in a1b2c3" in first.more.plain
    assert second.more is not None
    assert "no id yet" in second.more.plain
    assert [deed.name for deed in first.deeds] == ["cancel jobs"]


def test_a_job_that_is_over_or_being_cancelled_cannot_be_cancelled() -> None:
    for phase in OVER:
        out = BatchState(enabled=True, jobs=(replace(JOBS[0], phase=phase),))
        known = Known(replace(REMOTE, batch=out))
        assert not known.may_cancel_jobs
        assert all(not row.deeds for key, row in rows(known).items() if key.startswith("job "))


def test_batch_jobs_are_told_only_where_they_were_asked_for() -> None:
    assert "batch" not in rows(Known(REMOTE))
    used = BatchState(enabled=True, active=True, wait=False)
    words = "bulk indexing goes in batch jobs, fetched by a later sync"
    assert said(Known(replace(REMOTE, batch=used)), "batch") == words
    tired = BatchState(
        enabled=True, reason="2 jobs failed in a row", failures=2, last_error="the file was refused"
    )
    known = Known(replace(REMOTE, batch=tired))
    assert said(known, "batch") == "▲ asked for, not used: 2 jobs failed in a row."
    more = rows(known)["batch"].more
    assert more is not None
    assert more.plain.endswith("the file was refused.")


def test_a_download_is_followed_until_it_is_done() -> None:
    name = "embedding.gguf"
    known = Known(CLEAN).with_download(ModelDownload(name, 0, None), NOW_MS)
    assert "0 B of unknown size" in said(known, f"download {name}")
    half = ModelDownload(name, 164_000_000, 328_000_000, 4_100_000.0, 40.0)
    known = known.with_download(half, NOW_MS)
    words = said(known, f"download {name}")
    assert words.startswith("◐ downloading ██████░░░░░░ 164.0 MB of 328.0 MB · 4.1 MB/s\n")
    assert words.endswith(f"{name}, 40 s left")
    quiet = replace(AT, now_ms=NOW_MS + 9_000)
    assert "nothing came for 9.0 s" in said(known, f"download {name}", quiet)
    assert "MB/s" not in said(known, f"download {name}", quiet)
    checking = replace(half, stage="verifying", bytes_per_s=None)
    known = known.with_download(checking, NOW_MS)
    assert "comparing its checksum" in said(known, f"download {name}", quiet)
    assert "nothing came" not in said(known, f"download {name}", quiet)
    assert known.with_download(replace(half, stage="done"), NOW_MS).arriving == ()


def test_a_running_sync_shows_its_progress() -> None:
    known = Known(BUSY, SyncProgress("embedding", 37, 112, 290, 200, 90, 52.0))
    assert said(known, "sync").startswith("◐ embedding")


def test_settings_that_decide_are_told_even_when_nobody_set_them() -> None:
    file = Path("/home/ada/.openclaw/openclaw.json")
    values = [
        ConfigValue("provider", "auto", "auto", Provenance("default")),
        ConfigValue("fallback", "none", "none", Provenance("default")),
        ConfigValue("remote.baseUrl", None, None, Provenance("default")),
        ConfigValue("remote.apiKey", "***", None, Provenance("agent config", file, 18)),
        ConfigValue("chunking.tokens", 800, 400, Provenance("agent config", file, 30)),
    ]
    places = places_of(values)
    assert [place.key for place in places] == ["provider", "fallback", "remote.apiKey"]
    known = Known(CLEAN, places=places)
    assert said(known, "asked") == "auto   by default"
    assert said(known, "setting remote.apiKey") == "***   openclaw.json:18"
    assert [deed.target for deed in rows(known)["setting remote.apiKey"].deeds] == ["remote.apiKey"]
    assert rows(known)["asked"].deeds == ()
    assert "nothing is sent anywhere else" in said(known, "no spells")


def test_plug_ins_are_told_apart_from_the_providers_of_the_order() -> None:
    passed = (
        PassedOver("local", "local.modelPath is not set"),
        PassedOver("acme", "plug-in acme 1.2.0: used where it is named", "usable"),
        PassedOver("odd name", "plug-in odd 1: its name is no word", "unusable"),
    )
    known = Known(replace(CLEAN, provider=replace(CLEAN.provider, passed_over=passed)))
    assert said(known, "passed 0 local") == "✗ local.modelPath is not set."
    assert said(known, "plug-in 0 acme") == "✓ plug-in acme 1.2.0: used where it is named."
    assert said(known, "plug-in 1 odd name").startswith("✗ plug-in odd 1")
    assert said(Known(CLEAN), "no plug-ins") == "no further ones are installed"


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("missing", "▲ not on this machine; the first indexing"),
        ("downloading", "◐ downloading ██████░░░░░░ 150.0 MB of 300.0 MB"),
        ("stopped", "‖ on this machine"),
        ("loading", "◐ its process is starting"),
        ("ready", "✓ loaded, process 4711, llama-cpp-python 0.3.16"),
        ("failed", "✗ failed: the file is damaged."),
    ],
)
def test_the_local_model_is_told_by_its_phase(phase: LocalPhase, words: str) -> None:
    state = LocalModelState(
        "embeddinggemma.gguf",
        phase,
        path="/home/ada/.node-llama-cpp/models/embeddinggemma.gguf",
        pid=4711,
        binding="llama-cpp-python 0.3.16",
        window=2048,
        error="the file is damaged",
        done_bytes=150_000_000,
        total_bytes=300_000_000,
    )
    known = Known(replace(CLEAN, provider=replace(CLEAN.provider, local=state)))
    assert said(known, "model").startswith(words)
    more = rows(known)["model"].more
    assert more is not None
    assert "~/.node-llama-cpp/models" in more.plain
    assert "2,048 tokens at a time" in more.plain


def test_a_local_model_that_was_never_loaded_knows_little() -> None:
    state = LocalModelState("m.gguf", "downloading")
    known = Known(replace(CLEAN, provider=replace(CLEAN.provider, local=state)))
    assert said(known, "model").endswith("0 B of unknown size")
    more = rows(known)["model"].more
    assert more is not None
    assert more.plain.count("not known") == 3


def test_a_provider_left_alone_without_a_fallback_counts_down_too() -> None:
    alone = replace(REMOTE.provider, mode="degraded", error="No answer", again_ms=NOW_MS + 9_000)
    known = Known(replace(REMOTE, provider=alone))
    assert said(known, "again").startswith("‖ 9 s until searches ask openai again")
    assert counts_seconds(known, NOW_MS)
    assert known.failing


def test_texts_that_wait_for_consent_have_not_left_yet() -> None:
    waiting = replace(REMOTE, sync=replace(REMOTE.sync, awaits_consent=True))
    words = "▲ will leave this machine once you agree, for api.openai.com"
    assert said(Known(waiting), "texts") == words


def test_a_long_row_is_cut_and_keeps_to_its_width() -> None:
    status = replace(CLEAN, provider=replace(CLEAN.provider, reason="word " * 200))
    row = rows(Known(status))["because"]
    lines = drawn(row, 10, 40, UNICODE).split("\n")
    assert len(lines) == 4
    assert all(line.cell_length <= 40 for line in lines)
    assert lines[-1].plain.endswith("…")
