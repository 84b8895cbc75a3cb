"""Marks for the tests that start servers, and the time that each folder takes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

STACK_FIXTURES = frozenset({"channels", "in_rasa", "model", "office", "outcomes", "servers"})
"""Fixtures that train a model or start a server of Rasa's environment."""

_seconds: Counter[str] = Counter()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the mark `stack` to each test that uses one of `STACK_FIXTURES`."""
    for item in items:
        if isinstance(item, pytest.Function) and STACK_FIXTURES & set(item.fixturenames):
            item.add_marker(pytest.mark.stack)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the seconds of each folder."""
    folder = Path(report.nodeid.partition("::")[0]).parent.as_posix()
    _seconds[folder] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the seconds of each folder, the slowest first."""
    terminalreporter.section("time of each folder")
    for folder, seconds in _seconds.most_common():
        terminalreporter.write_line(f"{seconds:7.1f} s  {folder}")
