"""The console with its built pages over a small school, served on loopback for a browser."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from argon2 import PasswordHasher
from embedder_stand_in import EmbedderStandIn
from front_door_server import serving
from playwright.sync_api import Page
from worded_documents import documents_only

from channels.delivery.database import Database
from channels.proxies import TrustedProxies
from channels.web.limits import Rate
from console.accounts import Accounts
from console.api.dependencies import Console
from console.app import create_app
from console.audit import AuditLog
from console.database import open_database
from console.model_desk import ModelDesk
from console.nlu_files import NluFiles
from console.publishing import Publisher
from console.training import Training
from console.turns import Turns
from covan.advisors import connected
from covan.commands.console import PAGES
from covan.locale import languages, sentences_in
from covan.training_data.seeds import read_seeds
from rag.engine import Engine
from rag.index.format import Index
from rag.ingest.build import build_index
from rag.language_model.exchange import ModelAccess
from rag.settings import Settings

LOGIN, PASSWORD = "lan", "mat-khau-du-dai"


class DocumentsFirst(Publisher):
    """A publisher whose engine answers from documents first, so that a model has something to word."""

    def _engine(self, index: Index, model: ModelAccess | None = None) -> Engine:
        return Engine(index, documents_only(), EmbedderStandIn(), model=model)


@contextmanager
def console_pages(school: Path, settings: Settings) -> Iterator[str]:
    """Serve the console of a knowledge folder, which an index is built of; yields its address."""
    state = settings.state_dir
    build_index(school, settings.index_dir, EmbedderStandIn())
    publisher = DocumentsFirst(school, settings.index_dir, EmbedderStandIn())
    channels = f"sqlite:///{state / 'channels.sqlite'}"
    Database(channels).close()
    database = open_database(f"sqlite:///{state / 'console.sqlite'}")
    training = Training(publisher, [sys.executable, "-c", ""])
    console = Console(
        Accounts(database, hasher=PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)),
        AuditLog(database),
        Turns(channels),
        publisher,
        database,
        lambda: connected(settings),
        NluFiles(publisher.files, read_seeds()),
        training,
        client=TrustedProxies(settings.proxy_networks).client,
        wrong_sign_ins=Rate(60, most=60),
        model=ModelDesk(settings),
        graph_words={language: sentences_in(language, "graph") for language in languages()},
    )
    console.accounts.create(LOGIN, "Cô Lan", ["administrator"], PASSWORD)
    try:
        with serving(create_app(console, PAGES)) as url:
            yield url
    finally:
        training.close()
        publisher.close()
        database.dispose()


def sign_in(page: Page, url: str) -> None:
    """Enter the console as an administrator."""
    page.goto(url)
    page.get_by_label("Tên đăng nhập").fill(LOGIN)
    page.get_by_role("textbox", name="Mật khẩu").fill(PASSWORD)
    page.get_by_role("button", name="Đăng nhập").click()
    page.get_by_role("heading", name="Hôm nay").wait_for()
