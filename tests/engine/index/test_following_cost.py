"""What following a change of identity takes, said before anything is done."""

from __future__ import annotations

from dataclasses import replace

from engine.chunking.chunk import ChunkingRules
from engine.embeddings.builtin.provider import BuiltinProvider
from engine.embeddings.contract import EmbeddingProvider
from engine.status import IdentityState
from tests.engine.index.desk import Desk
from tests.engine.index.toy_provider import ToyProvider


def state(desk: Desk, provider: EmbeddingProvider | None) -> IdentityState:
    """The identity as an indexer with that provider sees it."""
    indexer = desk.indexer(provider)
    try:
        return indexer.identity()
    finally:
        indexer.close()


def fill(desk: Desk) -> ToyProvider:
    """Three notes, indexed with a paid model."""
    for number in range(3):
        desk.write(f"memory/{number}.md", f"heron {number} " * 40)
    provider = ToyProvider("old", remote=True)
    desk.sync(provider)
    return provider


def test_an_index_that_fits_costs_nothing(desk: Desk) -> None:
    assert state(desk, None) == IdentityState("missing")
    assert state(desk, fill(desk)) == IdentityState("valid")


def test_another_paid_model_names_chunks_tokens_and_receiver(desk: Desk) -> None:
    fill(desk)
    new = ToyProvider("new", remote=True)
    cost = "3 of 3 chunks, about 240 tokens, are sent to toy/new."
    assert state(desk, new) == IdentityState("mismatched", ("model old -> new",), cost)
    assert new.calls == []


def test_going_back_costs_nothing_and_half_the_way_costs_the_rest(desk: Desk) -> None:
    old = fill(desk)
    desk.sync(ToyProvider("new", remote=True))
    cost = "Nothing is embedded: all 3 chunks have their vectors already."
    assert state(desk, old) == IdentityState("mismatched", ("model new -> old",), cost)
    desk.write("memory/3.md", "plover " * 40)
    desk.sync(ToyProvider("new", remote=True))
    assert state(desk, old).cost.startswith("1 of 4 chunks, about ")
    assert old.texts == [f"heron {number} " * 40 for number in range(3)]


def test_a_model_on_this_machine_sends_nothing(desk: Desk) -> None:
    fill(desk)
    found = state(desk, BuiltinProvider())
    assert found.changes[0] == "provider toy -> builtin"
    assert found.cost.endswith("are embedded on this machine; nothing is sent.")


def test_other_chunk_sizes_cut_every_file_anew(desk: Desk) -> None:
    provider = fill(desk)
    desk.configure(rules=ChunkingRules(40, 0))
    found = state(desk, provider)
    assert found.changes == ("chunking 400/80 -> 40/0",)
    assert found.cost == (
        "3 files (1 KiB) are cut anew. "
        "Texts without a vector, at most about 240 tokens, are sent to toy/old."
    )
    assert state(desk, None).cost == "3 files (1 KiB) are cut anew."


def test_another_tokenizer_reads_no_file(desk: Desk) -> None:
    provider = fill(desk)
    desk.configure(tokenizer="trigram")
    found = state(desk, provider)
    assert found.changes == ("tokenizer unicode61 -> trigram",)
    assert found.cost == "The keyword table is made anew from stored text."


def test_the_document_input_type_is_named_with_what_it_costs(desk: Desk) -> None:
    provider = fill(desk)
    provider.identity = replace(provider.identity, document_input_type="passage")
    found = state(desk, provider)
    assert found.changes == ("document input type none -> passage",)
    assert found.cost.startswith("3 of 3 chunks")
