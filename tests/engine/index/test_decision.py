"""What happens by itself, and what waits for the person's word."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from engine.chunking.chunk import ChunkingRules
from engine.embeddings.contract import ProviderIdentity
from engine.events import SyncReason
from engine.index.decision import Decision, SyncRequest, asks_first, decide
from engine.index.identity import keywords_only, wanted_identity
from engine.index.settings import IndexSettings, OnIdentityChange
from engine.sources.found import SourceRoots
from engine.store.contract import StoredIdentity

NEW_RULES, OLD_RULES = ChunkingRules(400, 80), ChunkingRules(200, 40)
TOY = ProviderIdentity("toy", "toy", "nowhere", 4)
WANTED = wanted_identity(NEW_RULES, "unicode61", TOY)
OTHER_CHUNKS = wanted_identity(OLD_RULES, "unicode61", TOY)
OTHER_SPACE = wanted_identity(NEW_RULES, "unicode61", ProviderIdentity("toy", "old", "nowhere", 4))


def settings(rule: OnIdentityChange = "ask") -> IndexSettings:
    return IndexSettings(SourceRoots(Path("w")), NEW_RULES, on_identity_change=rule)


def decided(
    stored: StoredIdentity | None,
    *,
    rule: OnIdentityChange = "ask",
    paid: bool = False,
    reason: SyncReason = "start",
    force: bool = False,
    wanted: StoredIdentity = WANTED,
) -> Decision:
    return decide(SyncRequest(reason, force), settings(rule), stored, wanted, lambda: paid)


@pytest.mark.parametrize("reason", get_args(SyncReason))
@pytest.mark.parametrize("paid", [False, True])
def test_an_index_that_fits_is_kept_up_to_date_in_place(reason: SyncReason, paid: bool) -> None:
    assert decided(WANTED, reason=reason, paid=paid) == Decision(False, NEW_RULES, True, False)


def test_a_forced_reindex_builds() -> None:
    assert decided(WANTED, reason="demand", force=True) == Decision(True, NEW_RULES, True, False)


def test_a_free_change_is_followed_without_asking() -> None:
    assert decided(OTHER_CHUNKS) == Decision(True, NEW_RULES, True, False)
    assert decided(OTHER_SPACE) == Decision(False, NEW_RULES, True, False)


def test_a_paid_change_of_space_waits_and_keywords_go_on() -> None:
    assert decided(OTHER_SPACE, paid=True) == Decision(False, NEW_RULES, False, True)
    assert decided(OTHER_SPACE, paid=True, reason="demand") == Decision(
        False, NEW_RULES, True, False
    )


def test_while_a_paid_rebuild_waits_the_old_rules_keep_the_index_fresh() -> None:
    assert decided(OTHER_CHUNKS, paid=True) == Decision(False, OLD_RULES, True, True)
    assert decided(OTHER_CHUNKS, paid=True, reason="demand").build


def test_a_first_index_that_costs_is_built_for_keywords() -> None:
    assert decided(None, paid=True) == Decision(True, NEW_RULES, False, True)
    assert decided(None, paid=True, reason="demand") == Decision(True, NEW_RULES, True, False)
    assert decided(None, rule="pause") == Decision(True, NEW_RULES, True, False)


def test_keyword_only_never_waits() -> None:
    wanted = wanted_identity(NEW_RULES, "unicode61", None)
    assert decided(None, wanted=wanted) == Decision(True, NEW_RULES, False, False)
    assert decided(WANTED, wanted=wanted) == Decision(False, NEW_RULES, False, False)


def test_pause_waits_even_when_it_is_free_and_rebuild_never_does() -> None:
    assert decided(OTHER_CHUNKS, rule="pause").waits
    assert decided(OTHER_SPACE, rule="pause").waits
    assert not decided(OTHER_CHUNKS, rule="rebuild", paid=True).waits
    assert decided(None, rule="rebuild", paid=True).embed


def test_the_state_says_the_same() -> None:
    def waits(stored: StoredIdentity | None, *, paid: bool) -> bool:
        return asks_first(settings(), stored, WANTED, lambda: paid)

    for stored in (None, OTHER_CHUNKS, OTHER_SPACE, keywords_only(WANTED)):
        assert waits(stored, paid=True)
        assert not waits(stored, paid=False)
    assert not waits(WANTED, paid=True)
