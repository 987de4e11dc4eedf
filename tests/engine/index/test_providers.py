"""Providers that fail, refuse, change, cost money: what is stored and what is said."""

from __future__ import annotations

import pytest

from engine.chunking.chunk import ChunkingRules
from engine.embeddings.builtin.provider import BuiltinProvider
from engine.errors import CancelledError
from engine.events import SyncReason
from tests.engine.index.desk import Desk, by_path
from tests.engine.index.test_sync import finds
from tests.engine.index.toy_provider import ToyProvider


def states(desk: Desk, provider: ToyProvider) -> dict[str, tuple[str, str | None]]:
    """State and reason of each file, as a new indexer sees it."""
    indexer = desk.indexer(provider)
    seen = by_path(indexer.scan_now())
    indexer.close()
    return {path: (state.state, state.reason) for path, state in seen.items()}


def test_a_failing_provider_costs_vectors_but_no_words(desk: Desk) -> None:
    for number in range(6):
        desk.write(f"memory/{number}.md", f"heron {number}")
    provider = ToyProvider(inputs_per_request=2, fails=range(3, 99))
    report = desk.sync(provider)
    assert len(provider.calls) == 3
    assert (report.files_indexed, report.embedded, report.not_embedded) == (6, 4, 2)
    assert report.embedding_error == "The toy answered 500: boom."
    assert report.embedding_hint == "Wait."
    assert len(finds(desk, "heron")) == 6


def test_failed_files_are_named_with_the_cause_also_in_the_next_process(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.sync(ToyProvider())
    desk.write("memory/b.md", "plover")
    desk.sync(ToyProvider(fails=[1]), "watch")
    desk.reopen()
    reason = "1 of 1 chunks not embedded: The toy answered 500: boom."
    assert states(desk, ToyProvider()) == {
        "memory/a.md": ("indexed", None),
        "memory/b.md": ("failed", reason),
    }


def test_the_next_sync_embeds_what_was_missing_without_cutting_it_again(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.sync(ToyProvider(fails=[1]))
    rowid = desk.store.reader.chunks()[0].rowid
    provider = ToyProvider()
    report = desk.sync(provider, "watch")
    assert provider.texts == ["heron"]
    assert (report.files_indexed, report.embedded, report.not_embedded) == (0, 1, 0)
    assert desk.store.reader.chunks()[0].rowid == rowid
    assert states(desk, provider) == {"memory/a.md": ("indexed", None)}


def test_a_refused_text_is_said_once_and_not_asked_for_again(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.write("memory/b.md", "plover")
    provider = ToyProvider(refuses=lambda text: text == "plover")
    report = desk.sync(provider)
    assert (report.embedded, report.not_embedded, report.embedding_error) == (1, 1, None)
    assert desk.sync(provider).not_embedded == 1
    assert len(provider.calls) == 1
    reason = "1 of 1 chunks found by keywords only (lines 1-1): the toy does not like it."
    assert states(desk, provider)["memory/b.md"] == ("indexed", reason)


def test_the_built_in_model_refuses_words_it_does_not_know(desk: Desk) -> None:
    desk.write("memory/a.md", "\ua66e \ua66e")
    provider = BuiltinProvider()
    assert desk.sync(provider).not_embedded == 1
    indexer = desk.indexer(provider)
    (state,) = indexer.scan_now()
    assert not state.dirty
    assert "keywords only" in (state.reason or "")


def test_another_model_embeds_the_same_chunks_anew_and_going_back_is_free(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    old, new = ToyProvider("old"), ToyProvider("new")
    desk.sync(old)
    rowid = desk.store.reader.chunks()[0].rowid
    indexer = desk.indexer(new)
    assert indexer.identity().changes == ("model old -> new",)
    indexer.close()
    report = desk.sync(new, "start")
    assert (report.files_indexed, report.embedded) == (0, 1)
    assert desk.store.reader.chunks()[0].rowid == rowid
    identity = desk.store.reader.identity()
    assert identity is not None
    assert identity.vector_space == new.identity.key()
    desk.sync(old, "start")
    assert len(old.calls) == 1


def test_turning_the_provider_off_and_on_again_is_free(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.sync(provider := ToyProvider())
    desk.write("memory/b.md", "plover")
    assert desk.sync(None).files_indexed == 1
    report = desk.sync(provider)
    assert provider.texts == ["heron", "plover"]
    assert (report.embedded, report.not_embedded) == (1, 0)


def test_another_tokenizer_needs_no_new_chunks(desk: Desk) -> None:
    desk.write("memory/a.md", "heronry")
    desk.sync(BuiltinProvider())
    generation = desk.store.counts().generation
    desk.configure(tokenizer="trigram")
    assert desk.sync(BuiltinProvider(), "start").files_indexed == 0
    assert desk.store.counts().generation == generation
    assert [h.rowid for h in desk.store.reader.keyword("documented", '"ronr"', 5)] == [1]


# -- what costs money


def test_a_first_paid_index_is_for_keywords_until_somebody_agrees(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    provider = ToyProvider(remote=True)
    reasons: tuple[SyncReason, ...] = ("start", "search", "watch", "interval")
    for reason in reasons:
        report = desk.sync(provider, reason)
        assert report.not_embedded == 1
    assert provider.calls == []
    assert finds(desk, "heron") == ["memory/a.md"]
    indexer = desk.indexer(provider)
    assert indexer.state().awaits_consent
    assert indexer.identity().status == "mismatched"
    assert by_path(indexer.scan_now())["memory/a.md"].state == "indexed"
    assert indexer.run("demand").embedded == 1
    assert not indexer.state().awaits_consent
    assert indexer.identity().status == "valid"
    desk.write("memory/b.md", "plover")
    assert indexer.run("watch").embedded == 1


def test_consent_survives_a_failing_provider_but_not_a_cancel(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    stopped = ToyProvider(remote=True)
    with pytest.raises(CancelledError):
        desk.sync(stopped, "demand", cancelled=lambda: bool(stopped.calls))
    assert desk.sync(ToyProvider(remote=True), "watch").embedded == 0
    assert desk.sync(ToyProvider(remote=True, fails=[1]), "demand").embedding_error
    assert desk.sync(ToyProvider(remote=True), "watch").embedded == 1


def test_a_paid_model_change_waits_while_keywords_stay_fresh(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.sync(ToyProvider("old", remote=True))
    desk.write("memory/b.md", "plover")
    new = ToyProvider("new", remote=True)
    assert desk.sync(new, "watch").files_indexed == 1
    assert new.calls == []
    assert finds(desk, "plover") == ["memory/b.md"]
    assert desk.sync(new, "demand").embedded == 2


def test_a_paid_rebuild_waits_and_the_old_chunking_is_kept_up(desk: Desk) -> None:
    desk.write("memory/a.md", "heron\n" * 40)
    provider = ToyProvider(remote=True)
    desk.sync(provider)
    desk.configure(rules=ChunkingRules(20, 0))
    desk.write("memory/b.md", "plover\n" * 40)
    report = desk.sync(provider, "watch")
    assert (report.files_indexed, report.chunks_added) == (1, 1)
    indexer = desk.indexer(provider)
    assert indexer.state().awaits_consent
    assert indexer.identity().changes == ("chunking 400/80 -> 20/0",)
    assert desk.sync(provider, "demand").chunks_added > 2
    assert not indexer.state().awaits_consent


def test_a_rebuild_whose_texts_are_all_known_does_not_ask(desk: Desk) -> None:
    desk.write("memory/a.md", "heron\n" * 40)
    provider = ToyProvider(remote=True)
    desk.sync(provider)
    desk.configure(rules=ChunkingRules(20, 0))
    desk.sync(provider)
    sent = len(provider.texts)
    desk.configure(rules=ChunkingRules(400, 80))
    assert desk.sync(provider, "start").chunks_added == 1
    assert len(provider.texts) == sent


def test_pause_lets_nothing_happen_by_itself(desk: Desk) -> None:
    desk.write("memory/a.md", "heron\n" * 40)
    desk.sync(BuiltinProvider())
    desk.configure(rules=ChunkingRules(20, 0), on_identity_change="pause")
    assert desk.sync(BuiltinProvider(), "start").chunks_added == 0
    assert desk.indexer(BuiltinProvider()).state().awaits_consent
    assert desk.sync(BuiltinProvider(), "demand").chunks_added > 1
