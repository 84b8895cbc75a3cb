"""The fixture `browser`: a real Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""The shell has no windows and menus of a whole browser and takes less than half of its processor time for a page."""

CHROMIUM_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

EXPECT_TIMEOUT_MS = 20_000
"""Other processes of tests use the processors, too."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium. Not kept for longer than a module: while it is there, this thread has a running event loop, and
    no test could start one of its own."""
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    assert executable, "the browser tests need Chromium, e.g.: sudo apt install chromium-headless-shell"
    expect.set_options(timeout=EXPECT_TIMEOUT_MS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()
