"""Pictures and sound through the facade and a fake Gemini host: indexed, found, told as a card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.memory import MemoryEngine
from engine.ranking.profiles import TUNED
from engine.tools.memory_search import memory_search
from tests.engine.agent_home import AgentHome
from tests.fakes import media_bytes as heads
from tests.fakes.gemini_host import KEY, GeminiHost
from tests.fakes.media_bytes import medium

MAST, TALK = "../pics/mast.png", "../pics/talk.mp3"


def memory_search_keys(fake: GeminiHost, **keys: Any) -> dict[str, Any]:
    return {
        "provider": "gemini",
        "model": "gemini-embedding-2",
        "outputDimensionality": 256,
        "extraPaths": ["../pics"],
        "multimodal": {"enabled": True},
        "remote": {"baseUrl": fake.base_url, "apiKey": KEY},
        **keys,
    }


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    home = AgentHome(tmp_path)
    home.write("MEMORY.md", "# Network\nrouter gateway\n")
    put(home, "mast.png", medium(heads.PNG, "kestrel nesting antenna"))
    put(home, "talk.mp3", medium(heads.MP3, "budget meeting plans"))
    return home


def put(home: AgentHome, name: str, data: bytes) -> Path:
    file = home.root / "pics" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def paths(engine: MemoryEngine) -> dict[str, str]:
    return {state.path: state.state for state in engine.scan()}


def parts_of(fake: GeminiHost) -> list[list[dict[str, Any]]]:
    return [
        request["content"]["parts"]
        for received in fake.requests
        for request in received.json.get("requests", [received.json])
    ]


def uploads(fake: GeminiHost) -> list[str]:
    """The texts that files were sent with."""
    return [parts[0]["text"] for parts in parts_of(fake) if len(parts) == 2]


def test_they_are_embedded_by_content_and_found_by_it(home: AgentHome) -> None:
    with GeminiHost() as fake:
        home.configure(memory_search_keys(fake), meta={"lastTouchedVersion": "2026.9.6"})
        with home.open() as engine:
            report = engine.sync("demand")
            assert (report.embedded, report.not_embedded) == (3, 0)
            assert paths(engine) == dict.fromkeys(("MEMORY.md", MAST, TALK), "indexed")
            assert uploads(fake) == [
                f"title: none | text: Image file: {MAST}",
                f"title: none | text: Audio file: {TALK}",
            ]
            inline = parts_of(fake)[1][1]["inlineData"]
            assert inline["mimeType"] == "image/png"
            answer = memory_search(engine, "kestrel nesting antenna", min_score=0)
            best = answer.results[0]
            assert (best.ranked.candidate.path, best.snippet) == (MAST, f"Image file: {MAST}")
            assert best.ranked.score == pytest.approx(best.ranked.candidate.cosine)
            sent = len(fake.requests)
            engine.sync("demand")
            assert len(fake.requests) == sent


def test_a_picture_keeps_its_whole_vector_score_and_a_note_does_not(home: AgentHome) -> None:
    with GeminiHost() as fake:
        home.configure(memory_search_keys(fake))
        with home.open() as engine:
            engine.sync("demand")
            pool = engine.retrieve("kestrel nesting antenna", TUNED)
            ranking = engine.rank(pool, TUNED)
    scores = {each.candidate.path: each for each in (*ranking.kept, *ranking.lost)}
    picture, note = scores[MAST], scores["MEMORY.md"]
    assert picture.score == pytest.approx(picture.candidate.cosine)
    assert note.score < (note.candidate.cosine or 0.0) or note.candidate.cosine == 0.0


def test_a_name_is_found_by_keywords(home: AgentHome) -> None:
    with GeminiHost() as fake:
        home.configure(memory_search_keys(fake))
        with home.open() as engine:
            engine.sync("demand")
            pool = engine.retrieve("mast", TUNED, send_query=False)
            assert engine.rank(pool, TUNED).kept[0].candidate.path == MAST
            card = engine.media_card(MAST)
            assert (card.modality, card.mime_type) == ("image", "image/png")


def test_a_note_with_the_very_words_sends_no_file(home: AgentHome) -> None:
    home.write("memory/a.md", f"Image file: {MAST}")
    with GeminiHost() as fake:
        home.configure(memory_search_keys(fake))
        with home.open() as engine:
            engine.sync("demand")
            assert engine.status().vector.vectors == 4
        assert len(uploads(fake)) == 2
        (alone,) = [
            parts
            for parts in parts_of(fake)
            if len(parts) == 1 and parts[0]["text"].endswith(f"Image file: {MAST}")
        ]
        assert len(alone) == 1


def test_changed_renamed_and_removed_files(home: AgentHome) -> None:
    with GeminiHost() as fake:
        home.configure(memory_search_keys(fake))
        with home.open() as engine:
            engine.sync("demand")
            put(home, "mast.png", medium(heads.PNG, "heron pond"))
            (home.root / "pics" / "talk.mp3").unlink()
            assert paths(engine) == {
                "MEMORY.md": "indexed",
                MAST: "changed",
                TALK: "deleted",
            }
            report = engine.sync("demand")
            assert (report.embedded, report.files_removed) == (1, 1)
            assert len(uploads(fake)) == 3
            best = memory_search(engine, "heron pond", min_score=0).results[0]
            assert best.ranked.candidate.path == MAST


def test_a_format_that_is_refused_costs_only_its_file(home: AgentHome) -> None:
    put(home, "a.webp", medium(heads.WEBP, "refused"))
    with GeminiHost() as fake:
        home.configure(memory_search_keys(fake))
        with home.open() as engine:
            report = engine.sync("demand")
            assert (report.embedded, report.not_embedded) == (3, 1)
            assert report.embedding_error is None
            status = engine.status()
            assert any(".webp may be refused" in each.message for each in status.warnings)
            (file,) = [state for state in engine.scan() if state.path == "../pics/a.webp"]
            assert "Unsupported MIME type: image/webp" in (file.reason or "")


def test_one_that_comes_later_and_is_refused_ends_nothing(home: AgentHome) -> None:
    with GeminiHost() as fake:
        home.configure(memory_search_keys(fake))
        with home.open() as engine:
            engine.sync("demand")
        put(home, "a.gif", medium(heads.GIF, "refused"))
        put(home, "z.png", medium(heads.PNG, "taken"))
        with home.open() as engine:
            report = engine.sync("demand")
            assert (report.embedded, report.not_embedded, report.embedding_error) == (1, 1, None)


def test_vectors_that_are_missing_are_made_later_from_the_file(home: AgentHome) -> None:
    with GeminiHost() as fake:
        home.configure(memory_search_keys(fake))
        with home.open() as engine:
            engine.sync("start")
            assert fake.requests == []
            assert engine.status().sync.awaits_consent
            put(home, "talk.mp3", medium(heads.MP3, "other words"))
            report = engine.sync("demand")
            assert (report.embedded, report.not_embedded) == (3, 0)
        assert len(uploads(fake)) == 2


def test_the_estimate_sends_nothing_and_counts_them(home: AgentHome) -> None:
    with GeminiHost() as fake:
        home.configure(memory_search_keys(fake))
        with home.open() as engine:
            estimate = engine.estimate_rebuild()
        assert (estimate.to_embed, estimate.files) == (3, 3)
        assert "2 media files are sent whole" in estimate.note
        assert fake.requests == []


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"provider": "openai"}, "needs provider gemini, not openai"),
        ({"model": "gemini-embedding-001"}, "needs model gemini-embedding-2"),
        ({"model": ""}, "not the default model"),
        ({"fallback": "openai"}, "needs fallback none"),
    ],
)
def test_what_cannot_work_is_told_and_left_out(
    home: AgentHome, keys: dict[str, Any], words: str
) -> None:
    with GeminiHost() as fake:
        home.configure(memory_search_keys(fake, **keys))
        with home.open() as engine:
            (problem,) = [p for p in engine.config.problems if "multimodal" in p.message]
            assert words in problem.message
            assert problem.hint
            assert problem.line is not None
            assert list(paths(engine)) == ["MEMORY.md"]


def test_the_largest_file_is_what_a_request_holds(home: AgentHome) -> None:
    with GeminiHost() as fake:
        media = {"enabled": True, "maxFileBytes": 100_000_000}
        home.configure(memory_search_keys(fake, multimodal=media))
        with home.open() as engine:
            assert any("more than a request holds" in p.message for p in engine.config.problems)
            assert engine.roots.media is not None
            assert engine.roots.media.max_file_bytes == 14 * 1024 * 1024
