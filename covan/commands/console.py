"""`covan console`: the advisors' console, and its first administrator."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import sys
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import sqlalchemy as sa
import typer
from sqlalchemy.exc import SQLAlchemyError

# Read when the embedder is imported: a second thread spins against the first in a busy server.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from channels.delivery.database import Database
from channels.proxies import TrustedProxies
from channels.web.limits import Rate
from console.accounts import Accounts
from console.api.dependencies import Console
from console.api.inbox import names_of
from console.api.resumption import resume
from console.app import create_app, serve
from console.audit import AuditLog
from console.database import open_database
from console.first_run import Model, Surroundings
from console.graph_lookup import NoGraphError
from console.mailer import Mailer
from console.model_comparison import Comparer
from console.model_desk import ModelDesk
from console.model_folder import ModelFolder
from console.nlu_files import NluFiles
from console.openid import OpenId
from console.publishing import Publisher
from console.thresholds import Thresholds
from console.training import Training
from console.turns import Turns
from console.unfinished_publications import Unfinished
from console.waiting_mail import WaitingMail
from covan import priority, rasa
from covan.advisors import connected
from covan.calibrating.options import Options
from covan.classifier_fit import newest_model, untrained_topics
from covan.first_message import hear
from covan.front_door import running_url
from covan.live_model import wait_until_live
from covan.locale import languages, sentences_in
from covan.project import NEW_SCHOOL, ROOT
from covan.rasa_model import KEPT_MODELS, fingerprint
from covan.state_folder import keep_private
from covan.training_data.school_teaching import SchoolTeaching
from covan.training_data.seeds import read_seeds
from covan.web_setup import origins, wrong_with
from privacy.wordless_logs import leave_words_out
from rag.errors import CovanError
from rag.graph.store import GraphError
from rag.ingest.build import is_current
from rag.retrieve.embedder import Embedder, load_embedder
from rag.settings import Settings, settings
from school.sentence_embedder import SentenceEmbedder

logger = logging.getLogger(__name__)

PAGES = ROOT / "console" / "ui" / "dist"
"""The built pages."""

WRONG_SIGN_INS, WRONG_SIGN_INS_PER_MINUTE = 20, 2
"""Of an address: at once, and from then on. All of a school may have one address."""

COLLECT_AFTER = 10_000
"""New objects, those that are gone taken off; 100,000 gain nothing more."""

PAGES_PER_MINUTE = 120
"""The pictures of pages that an account may have drawn."""

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
    collect_seldom()
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
    embedder = load_embedder(wanted.embedder)
    publisher = Publisher(
        wanted.knowledge_dir,
        wanted.index_dir,
        embedder,
        wanted.preset,
        build_command,
    )
    # Rasa's process has that embedder, whatever the engine's is; it need not be loaded twice.
    of_rasa = embedder if isinstance(embedder, SentenceEmbedder) else SentenceEmbedder()
    console = console_over(wanted, publisher, database, embedder, of_rasa)
    left = console.unfinished_publications.left()
    threading.Thread(target=_read_ahead, args=(console,), daemon=True).start()
    threading.Thread(target=_resume, args=(console, left), daemon=True).start()
    mails = _mails(console, wanted)
    if mails is not None:
        mails.start()
    try:
        serve(create_app(console, PAGES), host or wanted.host, port or wanted.console_port)
    finally:
        if mails is not None:
            mails.close()
        console.close()


def console_over(
    wanted: Settings,
    publisher: Publisher,
    database: sa.Engine,
    embedder: Embedder,
    of_rasa: SentenceEmbedder,
) -> Console:
    """Return the parts of the console that the settings describe.

    `embedder` is that of the index; `of_rasa` embeds as Rasa's process does.
    """
    turns = Turns(wanted.channels_database)
    nlu = NluFiles(publisher.files, read_seeds())
    models = ModelFolder(
        rasa.models_dir(wanted),
        rasa.candidates_dir(wanted),
        rasa.set_aside_file(wanted),
        partial(wait_until_live, wanted),
        KEPT_MODELS,
    )
    comparer = Comparer(nlu, turns, of_rasa, wanted.index_dir / "vectors.sqlite")
    return Console(
        Accounts(database),
        AuditLog(database),
        turns,
        publisher,
        database,
        lambda: connected(wanted),
        nlu,
        Training(publisher, models, comparer, _command("train", "--candidate")),
        Thresholds(
            wanted.index_dir,
            wanted.preset,
            wanted.state_dir / "thresholds",
            Options(wanted.preset),
            partial(_measure, wanted),
        ),
        wanted.language,
        wanted.console_https,
        around=_around(wanted, embedder),
        client=TrustedProxies(wanted.proxy_networks).client,
        wrong_sign_ins=Rate(WRONG_SIGN_INS_PER_MINUTE, most=WRONG_SIGN_INS),
        page_pictures=Rate(PAGES_PER_MINUTE),
        chat=hear,
        mails=bool(wanted.smtp_host),
        openid=_openid(wanted),
        model=ModelDesk(wanted),
        graph_words={language: sentences_in(language, "graph") for language in languages()},
    )


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


@app.command("test-mail")
def test_mail(address: Annotated[str, typer.Argument(help="Where to send it.")]) -> None:
    """Send a mail, to see whether the mail server's settings (COVAN_SMTP_...) are right."""
    mailer = _mailer(_settings())
    if mailer is None:
        raise CovanError(
            "there is no mail server: set COVAN_SMTP_HOST, COVAN_SMTP_FROM and COVAN_CONSOLE_URL"
        )
    refused = mailer.send("Covan", {address: "Covan can send mails. / Covan gửi được thư.\n"})
    if refused:
        raise CovanError(f"the mail server takes no mail for {address} ({refused[address]})")
    typer.echo(f"Sent to {address}.")


def _mailer(wanted: Settings) -> Mailer | None:
    """Return the mail server of the settings; None without one."""
    if not wanted.smtp_host:
        return None
    return Mailer(
        wanted.smtp_host,
        wanted.smtp_port,
        wanted.smtp_tls,
        wanted.smtp_from,
        wanted.smtp_user,
        wanted.smtp_password.get_secret_value(),
    )


def _openid(wanted: Settings) -> OpenId | None:
    """Return the provider at which people may sign in; None without one."""
    if not wanted.openid_issuer:
        return None
    return OpenId(
        wanted.openid_issuer,
        (wanted.openid_client_id, wanted.openid_client_secret.get_secret_value()),
        f"{wanted.console_url}/api/session/openid/callback",
        wanted.openid_name,
        wanted.openid_trust_mail,
    )


def _mails(console: Console, wanted: Settings) -> WaitingMail | None:
    mailer = _mailer(wanted)
    if mailer is None:
        return None
    return WaitingMail(
        console, lambda: names_of(console)[0], mailer, wanted.console_url, 60 * wanted.mail_after_minutes
    )


def _around(wanted: Settings, embedder: Embedder) -> Surroundings:
    """Return what the page of the first steps tells beside the knowledge folder."""
    teaching, models = SchoolTeaching(), rasa.models_dir(wanted)

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


def collect_seldom() -> None:
    """Let Python look for unreachable cycles of objects less often.

    By default it does so after every 700 new objects, and goes through all that the process holds now and then: that
    was three quarters of the time in which 20,000 entries are parsed.
    """
    gc.set_threshold(COLLECT_AFTER)


def _read_ahead(console: Console) -> None:
    """Read the FAQ, its sources, the labels and the graph before somebody looks: in a large school it takes seconds."""
    for read in (console.publisher.sources.changed, console.nlu.known, console.graph.current):
        # The page tells the fault of a file, of the index or of the graph.
        with contextlib.suppress(CovanError, NoGraphError, GraphError):
            read()


def _resume(console: Console, left: Sequence[Unfinished]) -> None:
    """Do what is left of publications that a crash interrupted."""
    try:
        resume(console, left)
    except (CovanError, SQLAlchemyError) as error:
        logger.error("What a crash interrupted is left unfinished: %s", error)


def build_command(knowledge: Path, index: Path) -> Sequence[str]:
    """Return the command line of the whole build of an index, which gives way once the changes answer.

    It begins when its input ends.
    """
    return _covan("index", knowledge, "--out", index, "--wait")


def _command(*arguments: str | Path) -> Sequence[str]:
    """Return the command line of `covan ARGUMENTS` in the background."""
    return priority.with_niceness(priority.TRAINING, _covan(*arguments))


def _covan(*arguments: str | Path) -> Sequence[str]:
    """Return the command line of `covan ARGUMENTS`, which ends with this process even when that is killed."""
    return [sys.executable, "-m", "covan", "--ends-with", str(os.getpid()), *map(str, arguments)]


def _measure(wanted: Settings, questions: Path, out: Path) -> Sequence[str]:
    """Return the command line that asks the labelled questions."""
    place = ("--index", wanted.index_dir, "--preset", wanted.preset, "--out", out)
    return _command("calibrate", "--dry-run", "--questions", questions, *place)


def _settings() -> Settings:
    return settings().model_copy(
        update={
            "knowledge_dir": ROOT / settings().knowledge_dir,
            "state_dir": ROOT / settings().state_dir,
        }
    )
