"""Another process publishes an index in the middle of our sync: nothing is ever mixed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.chunking.chunk import ChunkingRules
from engine.chunking.chunker import chunk_file
from engine.embeddings.builtin.provider import BuiltinProvider
from engine.events import EventBus, Stage, StageReached
from engine.index.batches import RebuiltMeanwhileError
from engine.index.identity import stored_rules
from tests.engine.index.desk import Desk, make_desk, open_store
from tests.engine.index.test_sync import finds, paths
from tests.engine.index.toy_provider import ToyProvider

OURS, THEIRS = ChunkingRules(400, 80), ChunkingRules(20, 0)


@pytest.fixture
def other(desk: Desk) -> Iterator[Desk]:
    """Another process on the same workspace and index, configured for small chunks."""
    bus = EventBus()
    settings = replace(desk.settings, rules=THEIRS)
    other = Desk(desk.folder, settings, open_store(desk.store.path, bus), bus)
    yield other
    other.close()


def at_first(desk: Desk, stage: Stage, act: Callable[[], object]) -> None:
    """Do something when a stage is passed for the first time."""
    done = threading.Event()

    def heard(event: object) -> None:
        if isinstance(event, StageReached) and event.name == stage and not done.is_set():
            done.set()
            act()

    desk.bus.subscribe(heard)


def assert_cut_by_one_rule(desk: Desk) -> None:
    """Every chunk is what the rules in the index's stamp give."""
    identity = desk.store.reader.identity()
    assert identity is not None
    rules = stored_rules(identity)
    assert rules is not None
    for file in desk.store.reader.files():
        text = (desk.workspace / file.path).read_text("utf-8")
        wanted = [chunk.text for chunk in chunk_file(file.path, text, rules)]
        assert [row.text for row in desk.store.reader.chunks(file.path)] == wanted
    assert desk.store.check().sound


def fill(desk: Desk) -> None:
    """An index by our rules, and one more note that waits."""
    desk.write("memory/a.md", "The heron stands in the reeds.\n" * 20)
    desk.sync()
    desk.write("memory/b.md", "The plover runs over the mud.\n" * 20)


@pytest.mark.parametrize("rule", ["ask", "pause"])
def test_a_rebuild_by_other_rules_during_our_sync(rule: str, desk: Desk, other: Desk) -> None:
    fill(desk)
    desk.configure(on_identity_change=rule)
    at_first(desk, "texts-cut", lambda: other.sync(force=True))
    report = desk.sync(reason="watch")
    assert paths(desk) == ["memory/a.md", "memory/b.md"]
    assert_cut_by_one_rule(desk)
    identity = desk.store.reader.identity()
    assert identity is not None
    assert stored_rules(identity) == (THEIRS if rule == "pause" else OURS)
    assert report.files_indexed == (0 if rule == "pause" else 2)
    assert set(finds(desk, "plover")) == {"memory/b.md"}


def test_a_rebuild_by_the_same_rules_during_our_sync(desk: Desk, other: Desk) -> None:
    fill(desk)
    other.configure(rules=OURS)
    at_first(desk, "texts-cut", lambda: other.sync(force=True))
    desk.sync(reason="watch")
    assert paths(desk) == ["memory/a.md", "memory/b.md"]
    assert_cut_by_one_rule(desk)


def test_vectors_that_were_paid_for_survive_the_new_beginning(desk: Desk, other: Desk) -> None:
    desk.write("memory/a.md", "heron\n")
    provider = ToyProvider()
    desk.sync(provider)
    desk.write("memory/b.md", "plover\n")
    other.configure(rules=OURS)
    at_first(desk, "vectors-made", lambda: other.sync(ToyProvider("elsewhere"), force=True))
    desk.sync(provider, "watch")
    assert provider.texts == ["heron\n", "plover\n"]
    assert desk.store.reader.unembedded(provider.identity.key()) == []


def test_who_is_overtaken_again_and_again_says_so(desk: Desk, other: Desk) -> None:
    fill(desk)
    desk.configure(on_identity_change="pause")

    def heard(event: object) -> None:
        if isinstance(event, StageReached) and event.name == "texts-cut":
            other.write("memory/c.md", f"A dunlin, version {len(desk.events)}.\n")
            other.sync(force=True)
            other.write("memory/d.md", f"A wagtail, version {len(desk.events)}.\n")

    desk.bus.subscribe(heard)
    with pytest.raises(RebuiltMeanwhileError) as failed:
        desk.sync(reason="watch")
    assert "Another process has published a new index" in failed.value.message
    other.sync()
    assert_cut_by_one_rule(other)


def test_two_processes_that_take_up_the_same_changes(desk: Desk, other: Desk) -> None:
    fill(desk)
    other.configure(rules=OURS)
    at_first(desk, "texts-cut", lambda: other.sync(BuiltinProvider(), "watch"))
    desk.sync(BuiltinProvider(), "watch")
    assert_cut_by_one_rule(desk)
    fresh = make_desk(Path(desk.folder, "fresh"))
    fresh.configure(roots=desk.settings.roots)
    fresh.sync(BuiltinProvider())
    assert [c.text for c in fresh.store.reader.chunks()] == [
        c.text for c in desk.store.reader.chunks()
    ]
    fresh.close()
