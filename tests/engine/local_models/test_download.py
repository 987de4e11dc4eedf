"""Downloads from a hub that breaks off, changes its mind, refuses and lies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.errors import CancelledError, EngineError, ProviderError
from engine.local_models.download_lock import downloading_alone
from engine.local_models.partial import PartialFile, lock_path
from tests.engine.local_models.conftest import TOKEN, Desk
from tests.fakes.fake_hub import FILES, HUB, FakeHub, Fault
from tests.fakes.gguf_bytes import gguf_bytes

MODEL = "hf:acme/tiny-GGUF/tiny-Q8_0.gguf"
NAME = "hf_acme_tiny-Q8_0.gguf"
CONTENT = gguf_bytes(400_000)
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def published(hub: FakeHub) -> None:
    hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", CONTENT)


def part_of(desk: Desk, size: int) -> None:
    """Leave what a broken download of so many bytes leaves."""
    desk.hub.script(*[Fault(cut=size)], *[Fault(cut=0)] * 5)
    with pytest.raises(ProviderError) as caught:
        desk.fetch(MODEL)
    assert "goes on from there" in caught.value.hint
    assert PartialFile(desk.cache.folder / NAME).size == size
    desk.time.slept.clear()


def test_a_download_gets_the_name_that_the_agent_looks_for(desk: Desk) -> None:
    path = desk.fetch(MODEL)
    assert path == desk.cache.folder / NAME
    assert path.read_bytes() == CONTENT
    assert desk.files == [NAME]


def test_what_is_here_is_not_downloaded_again(desk: Desk) -> None:
    path = desk.fetch(MODEL)
    asked = len(desk.hub.requests)
    assert desk.fetch("huggingface://acme/tiny-GGUF/tiny-Q8_0.gguf") == path
    assert len(desk.hub.requests) == asked


def test_a_break_is_continued_within_the_same_call(desk: Desk) -> None:
    desk.hub.script(Fault(cut=100_000), Fault(cut=50_000))
    assert desk.fetch(MODEL).read_bytes() == CONTENT
    assert desk.hub.ranges == [None, "bytes=100000-", "bytes=150000-"]
    assert desk.time.slept == [1.0, 1.0]  # bytes came, so the second pause is no longer one


def test_a_later_process_goes_on_where_the_first_stopped(desk: Desk) -> None:
    part_of(desk, 123_456)
    before = len(desk.hub.ranges)
    assert desk.fetch(MODEL).read_bytes() == CONTENT
    assert desk.hub.ranges[before:] == ["bytes=123456-"]
    assert desk.hub.requests[-1].headers["if-range"].startswith('"')
    assert desk.files == [NAME]


def test_a_killed_process_leaves_what_a_later_one_continues(desk: Desk, tmp_path: Path) -> None:
    held = threading.Event()
    desk.hub.script(Fault(cut=200_000, hold=held))
    script = (
        "import sys; from pathlib import Path; from engine.cli.main import run\n"
        "sys.exit(run(['model', 'pull', sys.argv[1]], lambda *_: 9))"
    )
    home = tmp_path / "home"
    environ = {"HF_ENDPOINT": desk.hub.endpoint, "HOME": str(home), "PATH": os.environ["PATH"]}
    process = subprocess.Popen(
        [sys.executable, "-c", script, MODEL],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    desk.cache.folder = home / ".node-llama-cpp" / "models"
    part = PartialFile(desk.cache.folder / NAME)
    while part.size < 65_536:
        assert process.poll() is None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = part.size
    assert desk.fetch(MODEL).read_bytes() == CONTENT
    assert desk.hub.ranges[-1] == f"bytes={kept}-"


def test_another_file_under_the_same_address_starts_over(desk: Desk) -> None:
    part_of(desk, 123_456)
    changed = gguf_bytes(300_000, seed=11)
    desk.hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", changed)
    assert desk.fetch(MODEL).read_bytes() == changed
    assert desk.hub.ranges[-1] is None  # the hub's redirect told it before any byte came


def test_a_file_that_changes_without_a_checksum_is_caught_by_if_range(desk: Desk) -> None:
    desk.hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", CONTENT, etag="first", direct=True)
    desk.hub.script(Fault(cut=100_000), *[Fault(cut=0)] * 5)
    with pytest.raises(ProviderError):
        desk.fetch(MODEL)
    changed = gguf_bytes(300_000, seed=11)
    desk.hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", changed, etag="first", direct=True)
    assert desk.fetch(MODEL).read_bytes() == changed


def test_a_server_that_ignores_ranges_sends_everything_anew(desk: Desk) -> None:
    part_of(desk, 100_000)
    desk.hub.script(Fault(ignore_range=True))
    assert desk.fetch(MODEL).read_bytes() == CONTENT


def test_a_server_that_sends_other_parts_than_asked_for_is_given_up(desk: Desk) -> None:
    part_of(desk, 100_000)
    desk.hub.script(Fault(wrong_start=5))
    assert desk.fetch(MODEL).read_bytes() == CONTENT  # started over, from the beginning

    desk.cache.remove(NAME)
    desk.hub.script(*[Fault(body=CONTENT[:1000])] * 9)
    with pytest.raises(ProviderError, match="fit together"):
        desk.fetch(MODEL)


def test_a_complete_part_needs_no_more_bytes(desk: Desk) -> None:
    part_of(desk, 100_000)
    part = PartialFile(desk.cache.folder / NAME)
    part.path.write_bytes(CONTENT)
    asked = len(desk.hub.requests)
    assert desk.fetch(MODEL).read_bytes() == CONTENT
    assert len(desk.hub.requests) == asked


def test_a_complete_part_without_checksum_is_done_by_416(desk: Desk) -> None:
    desk.hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", CONTENT, etag="short")
    desk.hub.script(Fault(cut=100_000), *[Fault(cut=0)] * 5)
    with pytest.raises(ProviderError):
        desk.fetch(MODEL)
    PartialFile(desk.cache.folder / NAME).path.write_bytes(CONTENT)
    assert desk.fetch(MODEL).read_bytes() == CONTENT
    assert desk.hub.ranges[-1] == f"bytes={len(CONTENT)}-"


def test_damaged_bytes_of_an_earlier_run_are_fetched_once_more(desk: Desk) -> None:
    part_of(desk, 100_000)
    part = PartialFile(desk.cache.folder / NAME)
    part.path.write_bytes(CONTENT[:50_000] + bytes(50_000))
    assert desk.fetch(MODEL).read_bytes() == CONTENT


def test_a_wrong_checksum_is_no_model(desk: Desk) -> None:
    desk.hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", CONTENT, etag="0" * 64)
    with pytest.raises(ProviderError, match="SHA-256") as caught:
        desk.fetch(MODEL)
    assert caught.value.title == "Download damaged"
    assert not any(name.endswith((".gguf", "-part")) for name in desk.files)


def test_a_truncated_model_is_no_model(desk: Desk) -> None:
    desk.hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", CONTENT[:-1])
    with pytest.raises(ProviderError, match="cut off"):
        desk.fetch(MODEL)


def test_a_page_instead_of_a_model_is_noticed_at_once(desk: Desk) -> None:
    page = b"<!doctype html>" + b" " * 500_000
    desk.hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", page)
    with pytest.raises(ProviderError, match="no GGUF file"):
        desk.fetch(MODEL)
    assert not any(name.endswith(".gguf") for name in desk.files)
    desk.hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", CONTENT)
    assert desk.fetch(MODEL).read_bytes() == CONTENT


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_busy_server_is_asked_again(desk: Desk, status: int) -> None:
    desk.hub.script(Fault(status=status, headers={"Retry-After": "7"}))
    assert desk.fetch(MODEL).read_bytes() == CONTENT
    assert desk.time.slept == [7.0]


def test_a_server_that_stays_busy_is_given_up(desk: Desk) -> None:
    desk.hub.script(*[Fault(status=503, body=b"overloaded")] * 9)
    with pytest.raises(ProviderError, match=r"503.*overloaded"):
        desk.fetch(MODEL)
    assert len(desk.time.slept) == 5


def test_a_gated_model_says_how_to_get_it(desk: Desk) -> None:
    desk.hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", CONTENT, gated=True)
    with pytest.raises(ProviderError, match="terms") as caught:
        desk.fetch(MODEL)
    assert caught.value.status == 401
    assert "HF_TOKEN" in caught.value.hint
    with pytest.raises(ProviderError, match="token of HF_TOKEN") as caught:
        desk.fetch(MODEL, environ={"HF_TOKEN": "hf_wrongwrongwrongwrong"})
    assert "hf_wrong" not in str(caught.value)


def test_the_token_goes_to_the_hub_and_nowhere_else(desk: Desk) -> None:
    desk.hub.put("acme/tiny-GGUF", "tiny-Q8_0.gguf", CONTENT, gated=True)
    desk.fetch(MODEL, environ={"HF_TOKEN": TOKEN})
    at_hub = [r for r in desk.hub.requests if r.host == HUB]
    at_files = [r for r in desk.hub.requests if r.host == FILES]
    assert [r.headers.get("authorization") for r in at_hub] == [f"Bearer {TOKEN}"]
    assert at_files
    assert not any(TOKEN in str(r.headers) or TOKEN in r.path for r in at_files)
    assert not any(TOKEN in p.read_text("latin-1") for p in desk.cache.folder.iterdir())


def test_a_model_that_is_not_there(desk: Desk) -> None:
    with pytest.raises(ProviderError, match=r"has no hf:acme/tiny-GGUF/other\.gguf") as caught:
        desk.fetch("hf:acme/tiny-GGUF/other.gguf")
    assert caught.value.status == 404


def test_offline_mode_asks_nobody(desk: Desk) -> None:
    offline = {"HF_HUB_OFFLINE": "1"}
    with pytest.raises(ProviderError, match="HF_HUB_OFFLINE"):
        desk.fetch(MODEL, environ=offline)
    assert desk.hub.requests == []
    path = desk.fetch(MODEL)
    assert desk.fetch(MODEL, environ=offline) == path


def test_a_cancel_keeps_what_came(desk: Desk) -> None:
    stop = threading.Event()
    desk.hub.script(Fault(cut=131_072, hold=threading.Event()))
    failures: list[EngineError] = []

    def work() -> None:
        try:
            desk.fetch(MODEL, stop.is_set)
        except EngineError as error:
            failures.append(error)

    worker = threading.Thread(target=work)
    worker.start()
    desk.hub.wait_for_requests(1)
    part = PartialFile(desk.cache.folder / NAME)
    while part.size < 65_536:
        assert worker.is_alive()
    stop.set()
    worker.join(timeout=30)
    assert [type(error) for error in failures] == [CancelledError]
    kept = part.size
    assert kept >= 65_536
    assert desk.fetch(MODEL).read_bytes() == CONTENT
    assert desk.hub.ranges[-1] == f"bytes={kept}-"


def test_only_one_of_two_downloads_the_other_waits(desk: Desk) -> None:
    let_go = threading.Event()
    desk.hub.script(Fault(cut=100_000, hold=let_go))
    other = Desk(desk.hub, desk.cache, desk.environ)
    paths: list[Path] = []
    threads = [threading.Thread(target=lambda: paths.append(desk.fetch(MODEL)))]
    threads[0].start()
    desk.hub.wait_for_requests(1)
    threads.append(threading.Thread(target=lambda: paths.append(other.fetch(MODEL))))
    threads[1].start()
    while not any(event.stage == "waiting" for event in other.told):
        assert threads[1].is_alive()
    let_go.set()
    for thread in threads:
        thread.join(timeout=30)
    assert paths == [desk.cache.folder / NAME] * 2
    assert len(desk.hub.ranges) == 1
    assert desk.files == [NAME]


def test_waiting_for_another_download_can_be_cancelled(desk: Desk) -> None:
    desk.cache.folder.mkdir()
    target = desk.cache.folder / NAME
    with downloading_alone(lock_path(target), lambda: None), pytest.raises(CancelledError):
        desk.fetch(MODEL, lambda: True)
    assert desk.hub.requests == []


def test_a_full_disk_is_told_before_anything_is_written(desk: Desk) -> None:
    desk.free = lambda folder: 1000
    with pytest.raises(ProviderError, match="still to come") as caught:
        desk.fetch(MODEL)
    assert caught.value.title == "Not enough space"
    assert "modelCacheDir" in caught.value.hint


def test_a_folder_that_cannot_be_written_to(desk: Desk) -> None:
    desk.cache.folder.parent.mkdir(exist_ok=True)
    desk.cache.folder.write_text("a file in the way")
    with pytest.raises(ProviderError, match="cannot be written to"):
        desk.fetch(MODEL)


def test_an_unreachable_hub(desk: Desk) -> None:
    with pytest.raises(ProviderError, match="cannot be reached"):
        desk.fetch(MODEL, environ={"HF_ENDPOINT": "http://127.0.0.1:9"})


def test_a_file_that_is_not_redirected(desk: Desk) -> None:
    desk.hub.put("acme/small", "s.gguf", CONTENT, direct=True)
    desk.fetch("hf:acme/small/s.gguf")
    assert desk.files == ["hf_acme_small_s.gguf"]
    assert desk.hub.ranges == []


def test_a_split_model_counts_as_one(desk: Desk) -> None:
    parts = [gguf_bytes(50_000, seed=seed) for seed in (3, 5)]
    for place, content in enumerate(parts, start=1):
        desk.hub.put("acme/big-GGUF", f"q8/big-Q8_0-{place:05d}-of-00002.gguf", content)
    desk.hub.script(Fault(), *[Fault(cut=0)] * 6)
    with pytest.raises(ProviderError):
        desk.fetch("hf:acme/big-GGUF/q8/big-Q8_0-00001-of-00002.gguf")
    assert [(m.name, m.state) for m in desk.cache.models()] == [
        ("hf_acme_q8_big-Q8_0-00001-of-00002.gguf", "partial")
    ]
    first = desk.fetch("hf:acme/big-GGUF/q8/big-Q8_0-00001-of-00002.gguf")
    assert first.name == "hf_acme_q8_big-Q8_0-00001-of-00002.gguf"
    assert [desk.cache.folder.joinpath(name).read_bytes() for name in desk.files] == parts
    assert [(m.state, m.bytes) for m in desk.cache.models()] == [("ready", sum(map(len, parts)))]


def test_a_repository_whose_file_the_hub_names(desk: Desk) -> None:
    desk.hub.name_file("acme/tiny-GGUF", "Q8_0", "tiny-Q8_0.gguf")
    path = desk.fetch("hf:acme/tiny-GGUF:Q8_0")
    assert path.name == "hf_acme_tiny.Q8_0.gguf"
    asked = len(desk.hub.requests)
    assert desk.fetch("hf:acme/tiny-GGUF:q8_0") == path
    assert len(desk.hub.requests) == asked
    with pytest.raises(ProviderError, match="names no GGUF file"):
        desk.fetch("hf:acme/tiny-GGUF:Q2_K")
    desk.hub.name_file("acme/tiny-GGUF", "Q4_0", "../../escape.gguf")
    with pytest.raises(ProviderError, match="names no GGUF file"):
        desk.fetch("hf:acme/tiny-GGUF:Q4_0")


def test_web_addresses_with_one_file_name_are_told_apart(desk: Desk) -> None:
    other = gguf_bytes(1000, seed=13)
    desk.hub.put("a/one", "m.gguf", CONTENT, direct=True)
    desk.hub.put("a/two", "m.gguf", other, direct=True)
    one = desk.fetch(f"{desk.hub.endpoint}/a/one/resolve/main/m.gguf?token=geheim-geheim")
    two = desk.fetch(f"{desk.hub.endpoint}/a/two/resolve/main/m.gguf")
    assert (one.read_bytes(), two.read_bytes()) == (CONTENT, other)
    assert one.name.startswith("m.") and one.name != two.name


def test_progress_tells_bytes_and_stages(desk: Desk) -> None:
    desk.fetch(MODEL)
    assert [event.stage for event in desk.told] == ["downloading", "verifying", "done"]
    assert {event.total_bytes for event in desk.told} == {len(CONTENT)}
    assert desk.told[-1].done_bytes == len(CONTENT)
    assert {event.name for event in desk.told} == {"tiny-Q8_0.gguf"}
