"""The fixture `browser`: a real Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium. Not kept for longer than a module: while it is there, this thread has a running event loop, and
    no test could start one of its own."""
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    assert executable, "the browser tests need Chromium, e.g.: sudo apt install chromium"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()
