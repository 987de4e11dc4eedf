"""Isolation for every test, and the rule that nothing is skipped in silence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.shared import SHARED

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

ALLOWED = Path(__file__).with_name("skips.txt")
_unannounced: list[str] = []


@pytest.fixture(autouse=True)
def _isolated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test sees the developer's home, keys, agent or colour settings."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        import os

        for name in list(os.environ):
            if name.startswith(
                ("OPENCLAW_", "CLAWDBOT_", "XDG_", "TEXTUAL", "AWS_")
            ) or name.endswith(("_API_KEY", "_TOKEN", "_PROXY", "_proxy")):
                patch.delenv(name)
        patch.delenv("NO_COLOR", raising=False)
        patch.setenv("HOME", str(home))
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update-screens`` writes the baselines of the screen tests anew."""
    parser.addoption("--update-screens", action="store_true", help="write screen baselines anew")


def allowed_skips() -> tuple[str, ...]:
    """Node id prefixes that may be skipped: none where the shared folder is present."""
    if SHARED.exists():
        return ()
    lines = ALLOWED.read_text("utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember each skip that is not announced in skips.txt."""
    if report.skipped and not hasattr(report, "wasxfail"):
        name = report.nodeid
        if name not in _unannounced and not name.startswith(allowed_skips() or ("\0",)):
            _unannounced.append(name)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Unannounced skips make an otherwise green run red."""
    if _unannounced and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name them."""
    for name in _unannounced:
        terminalreporter.write_line(f"skipped without being named in tests/skips.txt: {name}")
