"""Who visits a page in the browser, and what a page must not do meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, Page

CONSENT_URL = "https://www.daihocsaola.example/du-lieu-ca-nhan"
Visitor = Callable[..., BrowserContext]


@contextmanager
def faultless(page: Page, *origins: str) -> Iterator[None]:
    """Fails on any error in the page, and on any request to another origin than these."""
    faults: list[str] = []
    outside: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda message: faults.append(message.text) if "Content Security Policy" in message.text else None,
    )
    page.on("request", lambda sent: None if sent.url.startswith(origins) else outside.append(sent.url))
    yield
    assert faults == []
    assert outside == []
