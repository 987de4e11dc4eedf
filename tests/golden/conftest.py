"""How many measured cases of each kind were held against ours."""

from __future__ import annotations

from collections import Counter

import pytest

_passed: Counter[str] = Counter()
_failed: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count each test of this folder once, by its module."""
    module = report.nodeid.split("::")[0]
    if module.startswith("tests/golden/") and (report.when == "call" or report.failed):
        (_failed if report.failed else _passed)[module] += 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line a module."""
    for module in sorted(_passed | _failed):
        passed, failed = _passed[module], _failed[module]
        terminalreporter.write_line(f"{module}: {passed} passed, {failed} failed")
