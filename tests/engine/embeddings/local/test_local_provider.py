"""The provider ``local`` on a library that fails when it is told to."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.clock import SystemClock
from engine.embeddings.contract import EmbeddedBatch
from engine.embeddings.local.call import LIMITS
from engine.embeddings.local.provider import LocalProvider
from engine.embeddings.local.settings import LocalRequest, LocalSettings, local_settings
from engine.errors import CancelledError, EngineError, ProviderError
from engine.events import EngineEvent, EventSink, ModelDownload
from engine.local_models.fetch import fetching
from engine.local_models.model_runner import ModelRunner
from engine.net.messages import Cancelled, never
from tests.fakes.fake_hub import FakeHub, Fault
from tests.fakes.gguf_bytes import gguf_bytes
from tests.fakes.local_model import WAIT_S, ModelFolder
from tests.fakes.still_time import StillTime


class Desk:
    """A model folder, and providers that run what lies in it with the stand-in library."""

    def __init__(self, folder: ModelFolder) -> None:
        self.folder = folder
        self.told: list[EngineEvent] = []
        self.runners: list[ModelRunner] = []
        self.environ = folder.environ

    def provider(self, model_path: str = "") -> LocalProvider:
        settings = local_settings(
            LocalRequest(
                model_path or str(self.folder.model), cache_dir=str(self.folder.folder), context=64
            )
        )
        assert isinstance(settings, LocalSettings)
        runner = ModelRunner(64, self.environ, SystemClock(), binding="llama-cpp-python")
        self.runners.append(runner)
        time = StillTime()

        def fetch(tell: EventSink, cancelled: Cancelled) -> Path:
            assert settings.address is not None
            with fetching(settings.cache, self.environ, time.clock, time) as fetcher:
                return fetcher.fetch(settings.address, tell, cancelled)

        return LocalProvider(settings, runner, fetch, self.told.append)

    @property
    def pid(self) -> int:
        pid = self.runners[-1].state.pid
        assert pid is not None
        return pid


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(ModelFolder(tmp_path / "model"))
    yield made
    for runner in made.runners:
        runner.close()


class Embedding(threading.Thread):
    """``embed_documents`` on a thread of its own."""

    def __init__(self, provider: LocalProvider, texts: list[str]) -> None:
        super().__init__()
        self.stop = threading.Event()
        self.batch: EmbeddedBatch | None = None
        self.error: EngineError | None = None
        self._call = (provider, texts)
        self.start()

    def run(self) -> None:
        provider, texts = self._call
        try:
            self.batch = provider.embed_documents(texts, self.stop.is_set)
        except EngineError as error:
            self.error = error

    def finished(self) -> Embedding:
        self.join(WAIT_S)
        assert not self.is_alive()
        return self


def given(batch: EmbeddedBatch) -> list[bool]:
    return [vector is not None for vector in batch.vectors]


def test_documents_and_queries_share_one_space(desk: Desk) -> None:
    provider = desk.provider()
    texts = ["router", "tea", "\0gateway", "half \ud83d", " \n", "\0"]
    batch = provider.embed_documents(texts, never)
    assert given(batch) == [True, True, True, True, False, False]
    assert {refusal.index: refusal.reason for refusal in batch.refusals} == {
        4: "the text is empty",
        5: "the text is empty",
    }
    assert batch.tokens == 3 + 3 + 3 + 4
    query = provider.embed_query("router")
    assert query is not None
    assert query.dtype == np.float32
    assert np.linalg.norm(query) == pytest.approx(1.0)
    np.testing.assert_array_equal(query, batch.vectors[0])
    assert provider.cached_query("router") is not None
    assert provider.embed_query(" ") is None
    assert (provider.remote, provider.vector_floor) == (False, 0.0)


def test_nothing_starts_before_the_first_text(desk: Desk) -> None:
    provider = desk.provider()
    assert provider.identity.provider == "local"
    assert provider.limits is LIMITS
    assert provider.state().phase == "stopped"
    assert not (desk.folder.folder / "options").exists()
    assert provider.embed_documents(["", " "], never).vectors == (None, None)
    provider.embed_query("one")
    state = provider.state()
    assert (state.phase, state.dimensions, state.window) == ("ready", 27, 64)
    assert state.path == str(desk.folder.model)


def test_the_text_that_ends_the_process_is_found_and_refused(desk: Desk) -> None:
    texts = ["one", "two ABORT", "three", "four"]
    batch = desk.provider().embed_documents(texts, never)
    assert given(batch) == [True, False, True, True]
    assert batch.ended_by is None
    (refusal,) = batch.refusals
    assert refusal.index == 1
    assert "GGML_ASSERT" in refusal.reason


def test_a_process_that_dies_of_everything_is_a_failure(desk: Desk) -> None:
    provider = desk.provider()
    desk.folder.mood("ABORT")
    with pytest.raises(ProviderError, match="SIGABRT"):
        provider.embed_documents(["one", "two"], never)
    state = provider.state()
    assert (state.phase, "SIGABRT" in (state.error or "")) == ("failed", True)
    desk.folder.mood("")
    assert given(provider.embed_documents(["one", "two"], never)) == [True, True]


def test_what_came_before_the_failures_is_kept_and_no_text_is_blamed(desk: Desk) -> None:
    good = [f"text {n}" for n in range(LIMITS.inputs_per_request)]
    bad = [f"ABORT {n}" for n in range(LIMITS.inputs_per_request)]
    batch = desk.provider().embed_documents([*good, *bad], never)
    assert given(batch) == [True] * len(good) + [False] * len(bad)
    assert isinstance(batch.ended_by, ProviderError)
    assert batch.refusals == ()


def test_a_kill_in_the_middle_costs_nothing_but_time(desk: Desk) -> None:
    embedding = Embedding(desk.provider(), ["one", "HANG", "three"])
    desk.folder.wait_until_it_hangs(embedding.is_alive)
    desk.folder.calm_down()
    os.kill(desk.pid, signal.SIGKILL)
    batch = embedding.finished().batch
    assert batch is not None
    assert given(batch) == [True, True, True]
    assert batch.refusals == ()
    assert batch.ended_by is None


def test_a_cancel_keeps_what_came(desk: Desk) -> None:
    first = [f"text {n}" for n in range(LIMITS.inputs_per_request)]
    embedding = Embedding(desk.provider(), [*first, "HANG"])
    desk.folder.wait_until_it_hangs(embedding.is_alive)
    embedding.stop.set()
    batch = embedding.finished().batch
    assert batch is not None
    assert given(batch) == [True] * len(first) + [False]
    assert isinstance(batch.ended_by, CancelledError)


def test_a_cancel_before_anything_came_is_raised(desk: Desk) -> None:
    embedding = Embedding(desk.provider(), ["HANG"])
    desk.folder.wait_until_it_hangs(embedding.is_alive)
    embedding.stop.set()
    assert isinstance(embedding.finished().error, CancelledError)


def test_a_query_fails_with_a_sentence_and_the_next_one_works(desk: Desk) -> None:
    provider = desk.provider()
    with pytest.raises(ProviderError, match="SIGABRT"):
        provider.embed_query("ABORT")
    assert provider.embed_query("router") is not None


def test_a_file_that_went_away(desk: Desk) -> None:
    provider = desk.provider()
    desk.folder.model.unlink()
    with pytest.raises(ProviderError, match="no longer where it was"):
        provider.embed_query("one")
    assert provider.cached_query("one") is None
    assert provider.state().phase == "missing"


def test_the_first_indexing_downloads_and_a_query_does_not(desk: Desk) -> None:
    with FakeHub() as hub:
        hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", gguf_bytes(300_000))
        desk.environ = desk.environ | {"HF_ENDPOINT": hub.endpoint}
        provider = desk.provider("hf:acme/tiny-GGUF/tiny-Q8_0.gguf")
        assert provider.state().phase == "missing"
        assert provider.cached_query("router") is None
        with pytest.raises(ProviderError, match="not on this machine yet") as caught:
            provider.embed_query("router")
        assert "memlens model pull" in caught.value.hint
        assert hub.requests == []

        held = threading.Event()
        hub.script(Fault(cut=100_000, hold=held))
        embedding = Embedding(provider, ["router"])
        hub.wait_for_requests(1)
        while provider.state().phase != "downloading":
            assert embedding.is_alive()
        assert provider.state().total_bytes is not None
        held.set()
        batch = embedding.finished().batch
        assert batch is not None
        assert given(batch) == [True]
    stages = [event.stage for event in desk.told if isinstance(event, ModelDownload)]
    assert (stages[0], stages[-1]) == ("downloading", "done")
    assert provider.state().phase == "ready"
    assert provider.embed_query("router") is not None


def test_a_download_can_be_cancelled(desk: Desk) -> None:
    with FakeHub() as hub:
        hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", gguf_bytes(300_000))
        desk.environ = desk.environ | {"HF_ENDPOINT": hub.endpoint}
        hub.script(Fault(cut=100_000, hold=threading.Event()))
        embedding = Embedding(desk.provider("hf:acme/tiny-GGUF/tiny-Q8_0.gguf"), ["router"])
        hub.wait_for_requests(1)
        embedding.stop.set()
        assert isinstance(embedding.finished().error, CancelledError)


def test_a_download_that_fails_is_the_providers_failure(desk: Desk) -> None:
    with FakeHub() as hub:
        desk.environ = desk.environ | {"HF_ENDPOINT": hub.endpoint}
        provider = desk.provider("hf:acme/tiny-GGUF/tiny-Q8_0.gguf")
        with pytest.raises(ProviderError, match="has no hf:acme"):
            provider.embed_documents(["router"], never)
    assert provider.state().phase == "missing"
