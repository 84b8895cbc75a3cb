"""The console with its built pages over a small school, served on loopback for a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import cast

from argon2 import PasswordHasher
from embedder_stand_in import EmbedderStandIn
from fastapi import FastAPI
from front_door_server import serving
from playwright.sync_api import Browser, Page
from worded_documents import documents_only

from channels.delivery.database import Database
from console.accounts import Accounts
from console.api.dependencies import Console
from console.app import create_app
from console.database import open_database
from console.first_run import Surroundings
from console.publishing import Publisher
from covan.commands.console import PAGES, console_over
from rag.engine import Engine
from rag.index.format import Index
from rag.ingest.build import build_index
from rag.language_model.exchange import ModelAccess
from rag.retrieve.embedder import Embedder
from rag.settings import Settings

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
LOGIN, PASSWORD = "lan", "mat-khau-du-dai"
TIMEOUT_MS = 30_000


class DocumentsFirst(Publisher):
    """A publisher whose engine answers from documents first, so that a model has something to word."""

    def __init__(self, knowledge: Path, index: Path, embedder: Embedder) -> None:
        super().__init__(knowledge, index, embedder)

        def engine_over(index: Index, *, model: ModelAccess | None = None) -> Engine:
            return Engine(index, documents_only(), embedder, model=model)

        self.live.engine_over = engine_over  # type: ignore[method-assign,assignment]


@contextmanager
def console_pages(
    school: Path,
    settings: Settings,
    publisher_type: type[Publisher] = Publisher,
    around: Surroundings | None = None,
) -> Iterator[str]:
    """Serve the console of a knowledge folder, which an index is built of; yields its address.

    `around` is what the page of the first steps tells beside the folder.
    """
    build_index(school, settings.index_dir, EmbedderStandIn())
    publisher = publisher_type(school, settings.index_dir, EmbedderStandIn())
    Database(settings.channels_database).close()
    database = open_database(settings.console_database)
    console = console_over(settings, publisher, database, EmbedderStandIn(), EmbedderStandIn())
    console = replace(console, accounts=Accounts(database, hasher=QUICK), around=around or Surroundings())
    console.accounts.create(LOGIN, "Cô Lan", ["administrator"], PASSWORD)
    try:
        with serving(app_with_pages(console)) as url:
            yield url
    finally:
        console.close()


def app_with_pages(console: Console) -> FastAPI:
    """Return the application with the real pages, over `console` from here on: there is one of them."""
    app = _app_with_pages()
    app.state.console = console
    return app


@cache
def _app_with_pages() -> FastAPI:
    # FastAPI prepares its hundred routes at the first request, a third of a second.
    return create_app(cast(Console, None), PAGES)


def sign_in(page: Page, url: str, first: str = "Hôm nay") -> None:
    """Enter the console as an administrator, which leads to the page with the heading `first`."""
    page.goto(url)
    page.get_by_label("Tên đăng nhập").fill(LOGIN)
    page.get_by_role("textbox", name="Mật khẩu").fill(PASSWORD)
    page.get_by_role("button", name="Đăng nhập").click()
    page.get_by_role("heading", name=first).wait_for()


def signed_in(browser: Browser, address: str, size: tuple[int, int], first: str) -> Iterator[Page]:
    """Sign in, which leads to the page with the heading `first`, and yield the page.

    Fails on an error of a script, and on what is wider than the screen.
    """
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="vi-VN", reduced_motion="reduce"
    )
    context.set_default_timeout(TIMEOUT_MS)
    opened = context.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    sign_in(opened, address, first)
    yield opened
    assert faults == []
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def open_place(page: Page, name: str) -> None:
    """Open a page by its link, which is in the menu on a phone."""
    menu = page.get_by_role("button", name="Mở trình đơn")
    if menu.is_visible():
        menu.click()
    page.get_by_role("link", name=name).click()
