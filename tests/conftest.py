"""Marks for the tests that start servers, groups for several processes, and the time that each folder takes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

STACK_FIXTURES = frozenset({"channels", "in_rasa", "model", "office", "outcomes", "servers"})
"""Fixtures that train a model or start a server of Rasa's environment."""

FIRST = ("tests/dialogues", "tests/console", "tests/actions", "tests/channels", "tests/browser")
"""The longest groups. The second and third do without the sample school's model, which the first process makes
meanwhile: they take the minutes for which the other processes would wait for it."""

SLOW = ("tests/channels/", "tests/privacy/", "tests/covan/test_processes.py", "tests/test_sample_school.py")
"""Tests that start processes or local servers and wait for them, or that learn a whole school's intents."""

_seconds: Counter[str] = Counter()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that start servers or are slow; group all for several processes (`PYTEST_ARGS` of the Makefile).

    `FIRST` comes first, then the other tests that start servers, then the other groups, the largest first: the
    processes end at about the same time.
    """
    groups = {item: _shared_folder(item) or item.nodeid.partition("::")[0] for item in items}
    sizes = Counter(groups.values())
    ranks = {}
    for item in items:
        if isinstance(item, pytest.Function) and STACK_FIXTURES & set(item.fixturenames):
            item.add_marker(pytest.mark.stack)
        if item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
        group = groups[item]
        item.add_marker(pytest.mark.xdist_group(group))
        late = item.get_closest_marker("stack") is None
        rank = FIRST.index(group) if group in FIRST else len(FIRST) + late
        ranks[item] = rank, -sizes[group] if late else 0
    items.sort(key=ranks.__getitem__)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the seconds of each folder."""
    folder = Path(report.nodeid.partition("::")[0]).parent.as_posix()
    _seconds[folder] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the seconds of each folder, the slowest first."""
    terminalreporter.section("time of each folder")
    for folder, seconds in _seconds.most_common():
        terminalreporter.write_line(f"{seconds:7.1f} s  {folder}")


def _shared_folder(item: pytest.Item) -> str:
    """Return the folder whose fixtures the test shares with other files: one process makes them once.

    Empty for a test that needs no fixture of a whole session.
    """
    if not isinstance(item, pytest.Function):
        return ""
    definitions = (found[-1] for found in item._fixtureinfo.name2fixturedefs.values())
    return max((made.baseid for made in definitions if made.scope == "session"), key=len, default="")
