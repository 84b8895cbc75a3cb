"""Marks for the tests that start servers, and the time that each folder takes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

STACK_FIXTURES = frozenset({"channels", "in_rasa", "model", "office", "outcomes", "servers"})
"""Fixtures that train a model or start a server of Rasa's environment."""

_seconds: Counter[str] = Counter()


SHARED_SERVERS = frozenset({"tests/browser", "tests/channels", "tests/dialogues"})
"""Folders whose tests share servers that start once a session; they run in one process, and first."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that start servers, and group the tests for two processes (`pytest -n 2 --dist loadgroup`).

    A folder of `SHARED_SERVERS` is one group; elsewhere a file is one, since its fixtures are made once for it.
    """
    for item in items:
        if isinstance(item, pytest.Function) and STACK_FIXTURES & set(item.fixturenames):
            item.add_marker(pytest.mark.stack)
        file = item.nodeid.partition("::")[0]
        folder = Path(file).parent.as_posix()
        item.add_marker(pytest.mark.xdist_group(folder if folder in SHARED_SERVERS else file))
    items.sort(key=lambda item: Path(item.nodeid.partition("::")[0]).parent.as_posix() not in SHARED_SERVERS)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the seconds of each folder."""
    folder = Path(report.nodeid.partition("::")[0]).parent.as_posix()
    _seconds[folder] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the seconds of each folder, the slowest first."""
    terminalreporter.section("time of each folder")
    for folder, seconds in _seconds.most_common():
        terminalreporter.write_line(f"{seconds:7.1f} s  {folder}")
