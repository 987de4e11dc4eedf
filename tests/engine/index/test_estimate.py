"""What a rebuild would cost, without sending anything."""

from __future__ import annotations

from engine.embeddings.builtin.provider import BuiltinProvider
from engine.embeddings.contract import EmbeddingProvider
from engine.status import Cost, RebuildEstimate
from tests.engine.index.desk import Desk
from tests.engine.index.toy_provider import ToyProvider


def estimate(desk: Desk, provider: EmbeddingProvider | None) -> RebuildEstimate:
    indexer = desk.indexer(provider)
    result = indexer.estimate()
    indexer.close()
    return result


def test_before_and_after(desk: Desk) -> None:
    desk.write("memory/a.md", "heron" * 8)
    desk.write("memory/b.md", "plover" * 10)
    desk.write("memory/c.md", "plover" * 10)
    provider = ToyProvider(remote=True)
    before = estimate(desk, provider)
    assert (before.files, before.chunks, before.cached, before.to_embed) == (3, 3, 1, 2)
    assert (before.tokens, before.remote, before.provider) == (25, True, "toy")
    assert before.note.startswith("2 texts are sent to toy/toy: ~25 tokens, price unknown.")
    assert before.cost == Cost(25, estimated=True)
    assert provider.calls == []
    desk.sync(provider)
    after = estimate(desk, provider)
    assert (after.cached, after.to_embed, after.tokens) == (3, 0, 0)
    assert after.note.startswith("Nothing is embedded")


def test_without_cache_everything_is_sent_again(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    provider = ToyProvider(remote=True)
    desk.sync(provider)
    desk.configure(cache_enabled=False)
    assert estimate(desk, provider).to_embed == 1


def test_free_providers_say_so(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    assert "nothing is sent" in estimate(desk, BuiltinProvider()).note
    none = estimate(desk, None)
    assert (none.provider, none.to_embed, none.cached, none.seconds) == ("none", 0, 0, None)


def test_seconds_come_from_the_pace_measured_before(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    indexer = desk.indexer(ToyProvider())
    assert indexer.estimate().seconds is None
    report = indexer.run("demand")
    seconds = indexer.estimate().seconds
    assert seconds is not None
    assert abs(seconds - report.duration_ms / 1000.0) < 1e-9


def test_the_estimate_holds(desk: Desk) -> None:
    for number in range(20):
        desk.write(f"memory/{number}.md", f"note {number % 7}\n" * 200)
    provider = ToyProvider(remote=True)
    before = estimate(desk, provider)
    report = desk.sync(provider)
    assert (before.files, before.chunks) == (report.files_indexed, report.chunks_added)
    assert (before.to_embed, before.cached) == (report.embedded, report.cached)
