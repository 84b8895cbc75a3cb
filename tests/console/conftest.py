"""The console over the small school, a database of its own, and a channels' database with a few turns."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from chromium_fixture import browser  # noqa: F401
from console_driver import (
    FEES,
    NOW,
    PAGES_A_MINUTE,
    PASSWORD,
    QUICK,
    WRONG_SIGN_INS,
    Clock,
    Enter,
    FrontDoor,
    OpenPages,
    StandInRasa,
    Students,
    git,
)
from console_pages import app_with_pages
from embedder_stand_in import EmbedderStandIn
from fastapi import FastAPI
from fastapi.testclient import TestClient
from front_door_server import serving
from made_databases import channels_database, console_database
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from postgres_fixture import postgres  # noqa: F401

from channels.proxies import TrustedProxies
from channels.web.limits import Rate
from console.accounts import Accounts
from console.api.dependencies import CSRF_HEADER, Console
from console.app import create_app
from console.audit import AuditLog
from console.database import open_database
from console.model_comparison import Comparer
from console.model_folder import ModelFolder
from console.nlu_files import NluFiles
from console.publishing import Publisher
from console.thresholds import Thresholds
from console.training import Training
from console.turns import Turns
from covan.calibrating.options import Options
from covan.first_message import hear
from covan.training_data.seeds import read_seeds
from rag.ingest.build import build_index
from rag.settings import Settings

BROWSER_TIMEOUT_MS = 15_000
SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return f"sqlite:///{tmp_path / 'database.sqlite'}"
    return str(request.getfixturevalue("postgres").new_database())


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def students(tmp_path: Path) -> Students:
    return Students(channels_database(tmp_path / "channels.sqlite"))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the small school; copied, never changed."""
    out = tmp_path_factory.mktemp("built") / "index"
    build_index(SMALL_SCHOOL, out, EmbedderStandIn())
    return out


@pytest.fixture
def publisher(tmp_path: Path, built: Path) -> Publisher:
    school = Path(shutil.copytree(SMALL_SCHOOL, tmp_path / "school"))
    index = Path(shutil.copytree(built, tmp_path / "index"))
    return Publisher(school, index, EmbedderStandIn())


@pytest.fixture
def school(publisher: Publisher) -> Path:
    """The folder of `publisher`, as a repository with one commit, of somebody at the shell."""
    folder = publisher.files.knowledge
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "-c", "user.name=Thầy Bình", "-c", "user.email=b@t.invalid", "commit", "-qm", "Bản đầu")
    return folder


@pytest.fixture
def fees(school: Path) -> Path:
    """The folder, with two calculators of majors."""
    for name, text in FEES.items():
        (school / name).write_text(text, encoding="utf-8")
    git(school, "add", "-A")
    git(school, "-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qm", "Học phí")
    return school


@pytest.fixture
def front_door() -> FrontDoor:
    return FrontDoor()


@pytest.fixture(scope="session")
def seeds() -> dict[str, list[str]]:
    """The examples of any school."""
    return read_seeds()


@pytest.fixture
def rasa() -> StandInRasa:
    return StandInRasa()


@pytest.fixture
def models(tmp_path: Path, rasa: StandInRasa) -> ModelFolder:
    """A folder without models."""
    live = tmp_path / "models"
    return ModelFolder(live, tmp_path / "candidate", live / "set-aside", rasa.wait_until_live)


@pytest.fixture
def comparer(tmp_path: Path, publisher: Publisher, students: Students) -> Comparer:
    del students  # made the tables
    turns = Turns(f"sqlite:///{tmp_path / 'channels.sqlite'}", lambda: NOW)
    nlu = NluFiles(publisher.files, {})
    return Comparer(nlu, turns, EmbedderStandIn(), tmp_path / "index" / "vectors.sqlite")


@pytest.fixture
def training(
    publisher: Publisher, models: ModelFolder, comparer: Comparer, clock: Clock
) -> Iterator[Training]:
    """A training that succeeds at once, without a new model."""
    made = Training(publisher, models, comparer, [sys.executable, "-c", ""], clock)
    yield made
    made.close()


@pytest.fixture
def console(
    url: str,
    tmp_path: Path,
    clock: Clock,
    students: Students,
    publisher: Publisher,
    front_door: FrontDoor,
    seeds: dict[str, list[str]],
    training: Training,
) -> Iterator[Console]:
    if url.startswith("sqlite"):
        console_database(tmp_path / "database.sqlite")
    database = open_database(url)
    del students  # made the tables
    thresholds = Thresholds(
        publisher.live.folder,
        "covan",
        tmp_path / "thresholds",
        Options("covan"),
        lambda *_: [sys.executable, "-c", "raise SystemExit('no questions')"],
        clock,
    )
    made = Console(
        Accounts(database, clock, QUICK),
        AuditLog(database, clock),
        Turns(f"sqlite:///{tmp_path / 'channels.sqlite'}", clock),
        publisher,
        database,
        lambda: front_door,  # type: ignore[arg-type, return-value]
        NluFiles(publisher.files, seeds),
        training,
        thresholds,
        clock=clock,
        client=TrustedProxies(Settings().proxy_networks).client,
        wrong_sign_ins=Rate(2, clock, most=WRONG_SIGN_INS),
        page_pictures=Rate(PAGES_A_MINUTE, clock),
        chat=hear,
    )
    yield made
    made.checks.close()
    thresholds.close()
    database.dispose()


@pytest.fixture
def open_pages(console: Console, browser: Browser) -> Iterator[OpenPages]:  # noqa: F811
    """A browser at the real pages; fails on any error in a page."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []
    with serving(app_with_pages(console)) as url:

        def come(role: str, size: tuple[int, int]) -> Page:
            console.accounts.create(role, f"Cô {role}", [role], PASSWORD)
            viewport: ViewportSize = {"width": size[0], "height": size[1]}
            contexts.append(
                browser.new_context(viewport=viewport, locale="vi-VN", base_url=url, reduced_motion="reduce")
            )
            contexts[-1].set_default_timeout(BROWSER_TIMEOUT_MS)
            page = contexts[-1].new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto("/")
            page.get_by_label("Tên đăng nhập").fill(role)
            page.get_by_role("textbox", name="Mật khẩu").fill(PASSWORD)
            page.get_by_role("button", name="Đăng nhập", exact=True).click()
            page.get_by_role("heading", name="Hôm nay").wait_for()
            return page

        yield come
        for context in contexts:
            context.close()
    assert faults == []


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    """The application, made once: FastAPI prepares its hundred routes at the first requests."""
    pages = tmp_path_factory.mktemp("pages")
    (pages / "index.html").write_text("<title>console</title>")
    return create_app(cast(Console, None), pages)


@pytest.fixture
def enter(console: Console, app: FastAPI) -> Enter:
    """A browser; of an account with the roles that are named, or of nobody."""
    app.state.console = console

    def come(*roles: str) -> TestClient:
        client = TestClient(app, base_url="http://console.test")
        if roles:
            login = "-".join(roles)
            if login not in {each.login for each in console.accounts.all()}:
                console.accounts.create(login, f"Cô {login}", roles, PASSWORD)
            me = client.post("/api/session", json={"login": login, "password": PASSWORD})
            assert me.status_code == 200, me.text
            client.headers[CSRF_HEADER] = me.json()["csrf"]
        return client

    return come
