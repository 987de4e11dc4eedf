"""Whether an index fits the configuration, in sentences."""

from __future__ import annotations

from dataclasses import replace

from engine.chunking.chunk import ChunkingRules
from engine.embeddings.contract import ProviderIdentity
from engine.index.identity import (
    compare,
    keywords_only,
    same_chunks,
    same_space,
    stored_rules,
    wanted_identity,
)

TOY_3 = ProviderIdentity("fake", "toy-3", "http://a/v1", 3)
RULES = ChunkingRules(400, 80)
STORED = wanted_identity(RULES, "unicode61", TOY_3)


def test_an_index_that_fits() -> None:
    assert compare(STORED, STORED).status == "valid"
    assert compare(None, STORED).status == "missing"


def test_each_change_names_old_and_new() -> None:
    wanted = wanted_identity(ChunkingRules(200, 40), "trigram", replace(TOY_3, model="other-3"))
    state = compare(STORED, wanted)
    assert state.status == "mismatched"
    assert state.changes == (
        "chunking 400/80 -> 200/40",
        "tokenizer unicode61 -> trigram",
        "model toy-3 -> other-3",
    )


def test_another_rule_set_is_named() -> None:
    wanted = wanted_identity(ChunkingRules(400, 80, "2026.7"), "unicode61", TOY_3)
    assert compare(STORED, wanted).changes == (
        "chunking 400/80 by the rules of 2026.3 -> 400/80 by the rules of 2026.7",
    )


def test_dimensions_and_endpoint_make_another_space() -> None:
    for changed, sentence in (
        (replace(TOY_3, dimensions=4), "dimensions 3 -> 4"),
        (replace(TOY_3, dimensions=None), "dimensions 3 -> the model's own"),
        (replace(TOY_3, endpoint="http://a/v2"), "endpoint http://a/v1 -> http://a/v2"),
    ):
        wanted = wanted_identity(RULES, "unicode61", changed)
        assert not same_space(STORED, wanted)
        assert same_chunks(STORED, wanted)
        assert compare(STORED, wanted).changes == (sentence,)


def test_the_document_input_type_makes_another_space() -> None:
    wanted = wanted_identity(RULES, "unicode61", replace(TOY_3, document_input_type="passage"))
    assert not same_space(STORED, wanted)
    assert compare(STORED, wanted).changes == ("document input type none -> passage",)


def test_what_only_the_space_shows_is_still_said() -> None:
    (change,) = compare(STORED, replace(STORED, vector_space="another")).changes
    assert change.startswith("vector space ")


def test_without_a_provider_nothing_is_asked_of_the_vectors() -> None:
    assert compare(STORED, wanted_identity(RULES, "unicode61", None)).status == "valid"
    assert compare(keywords_only(STORED), STORED).changes[0] == "provider none -> fake"


def test_rules_are_read_back_from_the_stamp() -> None:
    assert stored_rules(STORED) == RULES
    for stamp in ("", "400/80", "2026.3:x/y", "unknown:400/80", "2026.3:400"):
        assert stored_rules(replace(STORED, chunking=stamp)) is None
