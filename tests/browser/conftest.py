"""A real browser, and the page's own server before a stand-in for Rasa."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from chat_driver import Chat, script
from page_server import serving
from playwright.sync_api import Browser, sync_playwright
from rasa_stand_in import RasaStandIn, rasa_stand_in

from covan.page.guards import MessageRate
from covan.page.server import create_app
from covan.project import ROOT
from rag.settings import Settings

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


@pytest.fixture(scope="module")
def rasa_server() -> Iterator[RasaStandIn]:
    with rasa_stand_in(script) as stand_in:
        yield stand_in


@pytest.fixture
def rasa(rasa_server: RasaStandIn) -> RasaStandIn:
    """The stand-in as it was at first."""
    rasa_server.turns.clear()
    rasa_server.delay_s = 0.0
    rasa_server.status = 200
    return rasa_server


@pytest.fixture(scope="module")
def address(rasa_server: RasaStandIn) -> Iterator[str]:
    app = create_app(
        Settings(knowledge_dir=ROOT / "knowledge"), rasa_url=rasa_server.url, rate=MessageRate(1_000, 1_000)
    )
    with serving(app) as url:
        yield url


@pytest.fixture(params=[pytest.param((1200, 800), id="desktop")])
def chat(request: pytest.FixtureRequest, browser: Browser, address: str, rasa: RasaStandIn) -> Iterator[Chat]:  # noqa: ARG001
    """The page, freshly opened by a student who has never been here; fails on any error in the browser."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, locale="vi-VN")
    page = context.new_page()
    faults: list[str] = []
    outside: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda message: faults.append(message.text) if "Content Security Policy" in message.text else None,
    )
    page.on("request", lambda sent: None if sent.url.startswith(address) else outside.append(sent.url))
    page.goto(address)
    page.get_by_role("heading", level=1).wait_for()
    yield Chat(page)
    context.close()
    assert faults == []
    assert outside == []
