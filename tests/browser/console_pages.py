"""The console over a knowledge folder, with nothing behind it, and a browser in which an administrator is signed in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from embedder_stand_in import EmbedderStandIn
from front_door_server import NO_RASA, serving
from playwright.sync_api import Browser, Page

from channels.delivery.database import Database
from channels.web.limits import Rate
from console.accounts import Accounts
from console.advisors_api import AdvisorsApi
from console.api.dependencies import Console
from console.app import create_app
from console.audit import AuditLog
from console.database import open_database
from console.first_run import Surroundings
from console.nlu_files import NluFiles
from console.publishing import Publisher
from console.training import Training
from console.turns import Turns
from covan.project import ROOT
from rag.ingest.build import build_index

LOGIN, PASSWORD = "lan", "mat-khau-du-dai"
TIMEOUT_MS = 30_000


@contextmanager
def served(state: Path, school: Path, around: Surroundings | None = None) -> Iterator[str]:
    """Serve the console over the folder `school`, with its databases and index in `state`; yield its address."""
    embedder = EmbedderStandIn()
    build_index(school, state / "index", embedder)
    channels = f"sqlite:///{state / 'channels.sqlite'}"
    Database(channels)
    database = open_database(f"sqlite:///{state / 'console.sqlite'}")
    publisher = Publisher(school, state / "index", embedder)
    accounts = Accounts(database)
    accounts.create(LOGIN, "Cô Lan", ["administrator"], PASSWORD)
    console = Console(
        accounts,
        AuditLog(database),
        Turns(channels),
        publisher,
        database,
        lambda: AdvisorsApi(NO_RASA, ""),
        NluFiles(publisher.files, {}),
        Training(publisher, ["true"]),
        around=around or Surroundings(),
        client=lambda peer, _forwarded: peer,
        wrong_sign_ins=Rate(10, lambda: 0.0, most=100),
    )
    with serving(create_app(console, ROOT / "console" / "ui" / "dist")) as url:
        yield url
    database.dispose()


def signed_in(browser: Browser, address: str, size: tuple[int, int], first: str) -> Iterator[Page]:
    """Sign in, which leads to the page with the heading `first`, and yield the page.

    Fails on an error of a script, and on what is wider than the screen.
    """
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, locale="vi-VN")
    context.set_default_timeout(TIMEOUT_MS)
    opened = context.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.goto(address)
    opened.get_by_label("Tên đăng nhập").fill(LOGIN)
    opened.get_by_role("textbox", name="Mật khẩu").fill(PASSWORD)
    opened.get_by_role("button", name="Đăng nhập").click()
    opened.get_by_role("heading", name=first).wait_for()
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
