"""Marks for the tests that start servers, groups for several processes, and the time that each folder takes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

STACK_FIXTURES = frozenset({"channels", "in_rasa", "model", "office", "outcomes", "servers"})
"""Fixtures that train a model or start a server of Rasa's environment."""

IN_BROWSER = " in a browser"
"""Ends the name of a folder's group of tests that share a browser: its other tests are a group of their own."""

FIRST = (
    "tests/dialogues",
    f"tests/console{IN_BROWSER}",
    "tests/console",
    "tests/actions",
    "tests/channels",
    f"tests/browser{IN_BROWSER}",
)
"""The longest groups. Those before `tests/channels` but the first do without the sample school's model, which the first
process makes meanwhile: they take the minutes for which the other processes would wait for it."""

LONG_MARKS = ("browser", "e5", "services", "slow")
LONG_TEST = 10
"""A test with one of `LONG_MARKS` takes about as long as so many others."""

SLOW = ("tests/channels/", "tests/privacy/", "tests/covan/test_processes.py", "tests/test_sample_school.py")
"""Tests that start processes or local servers and wait for them, or that learn a whole school's intents."""

_seconds: Counter[str] = Counter()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that start servers or are slow; group all for several processes (`PYTEST_ARGS` of the Makefile).

    `FIRST` comes first, then the other tests that start servers, then the other groups, the longest first: the
    processes end at about the same time.
    """
    groups = {item: _group(item) for item in items}
    sizes: Counter[str] = Counter()
    ranks = {}
    for item in items:
        if isinstance(item, pytest.Function) and STACK_FIXTURES & set(item.fixturenames):
            item.add_marker(pytest.mark.stack)
        if item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
        item.add_marker(pytest.mark.xdist_group(groups[item]))
        sizes[groups[item]] += LONG_TEST if any(map(item.get_closest_marker, LONG_MARKS)) else 1
    for item in items:
        group = groups[item]
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


def _group(item: pytest.Item) -> str:
    """Return the name of the tests that run in one process with this one."""
    folder = _shared_folder(item)
    if not folder:
        return item.nodeid.partition("::")[0]
    return folder + IN_BROWSER if _uses_browser(item) else folder


def _uses_browser(item: pytest.Item) -> bool:
    return isinstance(item, pytest.Function) and "browser" in item.fixturenames


def _shared_folder(item: pytest.Item) -> str:
    """Return the folder whose fixtures the test shares with other files: one process makes them once.

    Empty for a test that needs no fixture of a whole session.
    """
    if not isinstance(item, pytest.Function):
        return ""
    definitions = (found[-1] for found in item._fixtureinfo.name2fixturedefs.values())
    return max((made.baseid for made in definitions if made.scope == "session"), key=len, default="")
