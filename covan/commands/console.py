"""`covan console`: the advisors' console, and its first administrator."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from typing import Annotated

import typer
from sqlalchemy.exc import SQLAlchemyError

# Read when the embedder is imported: a second thread spins against the first in a busy server.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from channels.delivery.database import Database
from channels.proxies import TrustedProxies
from channels.web.limits import Rate
from console.accounts import Accounts
from console.api.dependencies import Console
from console.app import create_app, serve
from console.audit import AuditLog
from console.database import open_database
from console.faq_files import FaqFileError
from console.first_run import Model, Surroundings
from console.nlu_files import NluFiles
from console.publishing import Publisher
from console.training import Training
from console.turns import Turns
from covan import priority
from covan.advisors import connected
from covan.classifier_fit import newest_model, untrained_topics
from covan.front_door import running_url
from covan.project import NEW_SCHOOL, ROOT
from covan.rasa import models_dir
from covan.rasa_model import fingerprint
from covan.state_folder import keep_private
from covan.training_data.school_teaching import SchoolTeaching
from covan.training_data.seeds import read_seeds
from covan.web_setup import origins, wrong_with
from privacy.wordless_logs import leave_words_out
from rag.errors import CovanError
from rag.ingest.build import is_current
from rag.retrieve.embedder import Embedder, load_embedder
from rag.settings import Settings, settings

PAGES = ROOT / "console" / "ui" / "dist"
"""The built pages."""

WRONG_SIGN_INS, WRONG_SIGN_INS_PER_MINUTE = 20, 2
"""Of an address: at once, and from then on. All of a school may have one address."""

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.command()
def run(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; loopback unless set (COVAN_HOST).")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on (COVAN_CONSOLE_PORT).")] = None,
) -> None:
    """Serve the console."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    leave_words_out()
    wanted = _settings()
    if not (PAGES / "index.html").is_file():
        raise CovanError(f"{PAGES} has no pages; build them with `make setup`")
    keep_private(wanted)
    try:
        # The console reads these tables: they must be those of this release.
        Database(wanted.channels_database).close()
        database = open_database(wanted.console_database)
    except SQLAlchemyError as error:
        raise CovanError(f"a database cannot be used: {getattr(error, 'orig', None) or error}") from None
    rebuild = [
        sys.executable,
        "-m",
        "covan",
        "index",
        str(wanted.knowledge_dir),
        "--out",
        str(wanted.index_dir),
    ]
    embedder = load_embedder(wanted.embedder)
    publisher = Publisher(
        wanted.knowledge_dir,
        wanted.index_dir,
        embedder,
        wanted.preset,
        priority.with_niceness(priority.TRAINING, rebuild),
    )
    train = [sys.executable, "-m", "covan", "train"]
    training = Training(publisher, priority.with_niceness(priority.TRAINING, train))
    console = Console(
        Accounts(database),
        AuditLog(database),
        Turns(wanted.channels_database),
        publisher,
        database,
        lambda: connected(wanted),
        NluFiles(publisher.files, read_seeds()),
        training,
        wanted.language,
        wanted.console_https,
        around=_around(wanted, embedder),
        client=TrustedProxies(wanted.proxy_networks).client,
        wrong_sign_ins=Rate(WRONG_SIGN_INS_PER_MINUTE, most=WRONG_SIGN_INS),
    )
    threading.Thread(target=_read_faq, args=(publisher,), daemon=True).start()
    try:
        serve(create_app(console, PAGES), host or wanted.host, port or wanted.console_port)
    finally:
        training.close()
        publisher.close()


@app.command("create-admin")
def create_admin(
    login: Annotated[str, typer.Argument(help="Name to sign in with, e.g. a mail address.")],
    name: Annotated[str, typer.Option(prompt="Name (students see it)", help="The person's name.")],
    password: Annotated[
        str,
        typer.Option(
            prompt="Password (10 characters or more)",
            hide_input=True,
            confirmation_prompt=True,
            envvar="COVAN_CONSOLE_PASSWORD",
            help="Asked for on the terminal unless COVAN_CONSOLE_PASSWORD holds it.",
        ),
    ],
) -> None:
    """Create an administrator: the first one, or one more when nobody can sign in any longer."""
    wanted = _settings()
    keep_private(wanted)
    try:
        database = open_database(wanted.console_database)
    except SQLAlchemyError as error:
        raise CovanError(f"a database cannot be used: {getattr(error, 'orig', None) or error}") from None
    made = Accounts(database).create(login, name, ["administrator"], password)
    AuditLog(database).note("", "create_admin", made.login)
    typer.echo(f"{made.login} can sign in to the console as an administrator.")


def _around(wanted: Settings, embedder: Embedder) -> Surroundings:
    """Return what the page of the first steps tells beside the knowledge folder."""
    teaching, models = SchoolTeaching(), models_dir(wanted)

    def model() -> Model:
        return Model(
            newest_model(models) is not None,
            (models / f"covan-{fingerprint(wanted)}.tar.gz").is_file(),
            untrained_topics(wanted.knowledge_dir, models),
        )

    return Surroundings(
        [folder for folder in NEW_SCHOOL.iterdir() if folder.is_dir()],
        lambda: is_current(wanted.index_dir, wanted.knowledge_dir, embedder, teaching),
        model,
        lambda: wanted.public_url.strip() or running_url(wanted),
        bool(wanted.public_url.strip()),
        origins(wanted),
        [origin for origin in origins(wanted) if wrong_with(origin)],
    )


def _read_faq(publisher: Publisher) -> None:
    """Parse the FAQ before somebody looks at it: one of 20,000 entries takes seconds."""
    # The page tells the fault of a file.
    with contextlib.suppress(FaqFileError):
        publisher.files.entries()


def _settings() -> Settings:
    return settings().model_copy(
        update={
            "knowledge_dir": ROOT / settings().knowledge_dir,
            "state_dir": ROOT / settings().state_dir,
        }
    )
