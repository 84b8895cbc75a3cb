"""A real browser, and the page's own server before a scripted chat."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
import sample_school
from chat_driver import Chat, script
from chromium_fixture import browser  # noqa: F401
from front_door_server import serving
from playwright.sync_api import Browser, BrowserContext, Page
from real_stack import Stack, advisors_page, running
from scripted_chat import ScriptedChat, scripted_chat
from scripted_page import scripted_page
from visiting import CONSENT_URL, Visitor, faultless

from covan.front_door import DIST
from covan.project import ROOT
from rag.settings import Settings


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The real servers over a copy of the sample school: one for all tests that need them."""
    knowledge, state = tmp_path_factory.mktemp("school") / "knowledge", tmp_path_factory.mktemp("state")
    shutil.copytree(sample_school.SAMPLE, knowledge)
    sample_school.copy_into(state)
    with running(Stack(state, knowledge)) as stack:
        yield stack


@pytest.fixture
def console(browser: Browser, stack: Stack) -> Iterator[Page]:  # noqa: F811
    """The console of `stack`, signed in."""
    yield from advisors_page(browser, stack)


@pytest.fixture(scope="module")
def scripted() -> Iterator[ScriptedChat]:
    with scripted_chat(script) as stand_in:
        yield stand_in


@pytest.fixture
def bot(scripted: ScriptedChat) -> ScriptedChat:
    """The stand-in as it was at first."""
    scripted.reset(script)
    return scripted


@pytest.fixture(scope="module")
def address(scripted: ScriptedChat) -> Iterator[str]:
    settings = Settings(knowledge_dir=ROOT / "knowledge", consent_url=CONSENT_URL)
    app = scripted_page(settings, DIST, scripted.url)
    with serving(app) as url:
        yield url


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:  # noqa: F811
    """A browser of a student who has never been here."""
    contexts: list[BrowserContext] = []

    def come(width: int = 1200, height: int = 800, **options: object) -> BrowserContext:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale="vi-VN",
            **options,  # type: ignore[arg-type]
        )
        contexts.append(context)
        return context

    yield come
    for context in contexts:
        context.close()


@pytest.fixture(params=[pytest.param((1200, 800), id="desktop")])
def chat(request: pytest.FixtureRequest, visitor: Visitor, address: str, bot: ScriptedChat) -> Iterator[Chat]:
    """The chat's own page, freshly opened and greeted; fails on any error in the browser."""
    width, height = request.param
    page = visitor(width, height).new_page()
    with faultless(page, address):
        page.goto(address)
        opened = Chat(page)
        opened.greeted()
        bot.received.clear()
        yield opened
