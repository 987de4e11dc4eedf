"""Outages through the facade: shared by processes, slow ones, pauses, traffic, learned limits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.embeddings.outage import FIRST_WAIT_S
from engine.errors import CancelledError
from engine.events import HostPaused, HostResumed
from engine.memory import MemoryEngine
from engine.tools.memory_search import memory_search
from tests.engine.agent_home import AgentHome
from tests.fakes.answers import Answer, Received, hang_up, status, vectors
from tests.fakes.limits import Limits
from tests.fakes.provider_server import FakeProvider

DOWN = status(500)
SILENT_S = 61.0


def toy(text: str) -> list[float]:
    return [1.0, 1.0 + len(text) % 7, 1.0 + text.count("e")]


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    home = AgentHome(tmp_path)
    home.write("MEMORY.md", "Coffee beans are ordered in May.\n")
    return home


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider(toy) as fake:
        yield fake


@pytest.fixture
def fake2() -> Iterator[FakeProvider]:
    with FakeProvider(toy) as fake:
        yield fake


def configure(home: AgentHome, fallback: str, more: Any = None, **fakes: FakeProvider) -> None:
    providers = {
        name: {
            "baseUrl": fake.base_url,
            "api": "openai-completions",
            "models": [{"id": f"model-of-{name}"}],
        }
        for name, fake in fakes.items()
    }
    search = {"provider": "fake", "fallback": fallback, **(more or {})}
    home.configure(search, models={"providers": providers})


def search(engine: MemoryEngine, query: str) -> Any:
    return memory_search(engine, query, min_score=0)


class Silence:
    """A server that does not answer until the time limit of the request has passed."""

    def __init__(self, home: AgentHome) -> None:
        self._home = home
        self.over = threading.Event()

    def __call__(self, received: Received) -> Answer:
        self._home.time.clock.seconds += SILENT_S
        self._home.time.clock.epoch_ms += SILENT_S * 1000.0
        return Answer(wait=self.over)


def later(home: AgentHome, seconds: float) -> None:
    home.time.clock.seconds += seconds
    home.time.clock.epoch_ms += seconds * 1000.0


def test_the_next_process_does_not_suffer_the_same_time_out(
    home: AgentHome, fake: FakeProvider, fake2: FakeProvider
) -> None:
    configure(home, "fake2", fake=fake, fake2=fake2)
    with home.open() as engine:
        engine.sync("demand")
    silence = Silence(home)
    fake.otherwise = silence
    with home.open() as engine:
        assert search(engine, "coffee in May").provider == "fake2"
    asked = len(fake.requests)
    with home.open() as engine:
        answer = search(engine, "beans in May")
        assert (answer.provider, len(fake.requests)) == ("fake2", asked)
        assert answer.fallback is not None
        assert "no complete answer" in answer.fallback.reason
        (spell,) = engine.status().fallback_history
        assert (spell.from_, spell.to, spell.until_ms) == ("fake", "fake2", None)
    later(home, FIRST_WAIT_S)
    silence.over.set()
    fake.otherwise = vectors
    with home.open() as engine:
        assert search(engine, "order in May").provider == "fake"
    with home.open() as engine:
        assert engine.status().provider.mode == "active"
        (ended,) = engine.status().fallback_history
        assert ended.since_ms == spell.since_ms
        assert ended.until_ms == home.time.clock.now_ms()


def test_a_probe_while_another_answers_is_soon_given_up(
    home: AgentHome, fake: FakeProvider, fake2: FakeProvider
) -> None:
    configure(home, "fake2", fake=fake, fake2=fake2)
    with home.open() as engine:
        engine.sync("demand")
        fake.otherwise = DOWN
        search(engine, "coffee in May")
        asked = len(fake.requests)
        later(home, FIRST_WAIT_S)
        assert search(engine, "beans in May").provider == "fake2"
        assert len(fake.requests) == asked + 1  # one attempt, not three


def test_without_a_fallback_a_time_out_is_not_suffered_with_each_search(
    home: AgentHome, fake: FakeProvider
) -> None:
    configure(home, "none", fake=fake)
    with home.open() as engine:
        engine.sync("demand")
    silence = Silence(home)
    fake.otherwise = silence
    with home.open() as engine:
        first = search(engine, "coffee in May")
        assert "no complete answer" in str(first.error)
    asked = len(fake.requests)
    with home.open() as engine:
        second = search(engine, "beans in May")
        assert (second.mode, len(fake.requests)) == ("keyword", asked)
        assert "not asked again for" in str(second.error)
        assert "no complete answer" in str(second.error)
        assert [r.ranked.candidate.path for r in second.results] == ["MEMORY.md"]
        silence.over.set()
        fake.otherwise = vectors
        assert engine.probe().problem is None
        assert search(engine, "order in May").mode == "hybrid"


def test_a_person_s_sync_asks_at_once_and_an_event_s_does_not(
    home: AgentHome, fake: FakeProvider, fake2: FakeProvider
) -> None:
    configure(home, "fake2", fake=fake, fake2=fake2)
    with home.open() as engine:
        engine.sync("demand")
        fake.otherwise = DOWN
        search(engine, "coffee in May")
        fake.otherwise = vectors
        home.write("memory/a.md", "The kettle is blue.\n")
        asked = len(fake.requests)
        report = engine.sync("watch")
        assert (report.embedded, report.stood_in, len(fake.requests)) == (0, 2, asked)
        assert engine.status().provider.mode == "fallback-active"
        assert engine.sync("demand").embedded == 1
        assert engine.status().provider.mode == "active"


def test_a_pause_of_the_host_is_in_events_and_status(home: AgentHome, fake: FakeProvider) -> None:
    configure(home, "none", fake=fake)
    fake.script(status(429, headers={"Retry-After": "30"}))
    seen: list[Any] = []
    with home.open() as engine:

        def looking(event: object) -> None:
            if isinstance(event, HostPaused):
                seen.append(engine.status().pauses)

        engine.events.subscribe(looking)
        assert engine.sync("demand").embedded == 1
        assert engine.status().pauses == ()
        traffic = engine.status().traffic
    paused = [event for event in home.heard if isinstance(event, HostPaused)]
    resumed = [event for event in home.heard if isinstance(event, HostResumed)]
    assert [(event.host, event.seconds >= 30.0) for event in paused] == [(fake.origin, True)]
    assert [event.host for event in resumed] == [fake.origin]
    ((pause,),) = seen
    assert (pause.host, pause.reason) == (fake.origin, "too many requests (429)")
    assert pause.until_ms == pytest.approx(paused[0].until_ms)
    (counted,) = traffic
    assert (counted.provider, counted.host) == ("fake", fake.origin)
    assert (counted.requests, counted.retries, counted.failures) == (2, 1, 0)
    assert counted.tokens > 0
    assert not counted.estimated
    assert counted.limits is not None
    assert not counted.limits.learned


def test_learned_limits_hold_in_the_next_run_and_are_shown(home: AgentHome) -> None:
    for number in range(40):
        home.write(f"memory/{number:02}.md", f"note {number} about kestrels\n")
    error = {"error": {"message": "batch size is invalid, it should not be larger than 10"}}
    limits = Limits(inputs=10, error_status=400, error_body=error)
    with FakeProvider(toy, limits=limits) as fake:
        configure(home, "none", fake=fake)
        with home.open() as engine:
            assert engine.sync("demand").not_embedded == 0
        for number in range(40):
            home.write(f"memory/{number:02}.md", f"note {number} about routers\n")
        asked = len(fake.requests)
        with home.open() as engine:
            assert engine.sync("demand").embedded == 40
            (traffic,) = engine.status().traffic
        assert len(fake.requests) - asked == 4
        assert traffic.limits is not None
        assert (traffic.limits.inputs_per_request, traffic.limits.learned) == (10, True)


def test_a_query_that_waits_for_the_provider_is_interrupted(
    home: AgentHome, fake: FakeProvider
) -> None:
    configure(home, "none", fake=fake)
    never_set = threading.Event()
    ended: list[str] = []
    with home.open() as engine:
        engine.sync("demand")
        fake.otherwise = lambda received: Answer(wait=never_set)
        asked = len(fake.requests)

        def wait_for_it() -> None:
            try:
                search(engine, "coffee in May")
            except CancelledError as error:
                ended.append(error.title)

        waiting = threading.Thread(target=wait_for_it)
        waiting.start()
        fake.wait_for_requests(asked + 1)
        engine.interrupt()
        waiting.join(60)
        assert ended == ["Cancelled"]
        assert engine.status().provider.mode == "active"
        never_set.set()
        fake.otherwise = vectors
        assert search(engine, "beans in May").mode == "hybrid"


def test_fallback_none_sends_nothing_to_anybody_else(
    home: AgentHome, fake: FakeProvider, fake2: FakeProvider
) -> None:
    home.environ["OPENAI_API_KEY"] = "sk-test-never-chosen"
    configure(home, "none", {"remote": {}}, fake=fake, fake2=fake2)
    fake.otherwise = hang_up
    with home.open() as engine:
        assert engine.sync("demand").embedding_error is not None
        assert search(engine, "coffee").mode == "keyword"
        assert [each.provider for each in engine.status().traffic] == ["fake"]
    assert fake2.requests == []
