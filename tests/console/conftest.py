"""The console over the small school, a database of its own, and a channels' database with a few turns."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient
from postgres_fixture import postgres  # noqa: F401

from channels.delivery.database import Database
from channels.delivery.tables import hand_overs, ratings, said, senders, traces, turns
from console.accounts import Accounts
from console.advisors_api import RefusedError
from console.api import CSRF_HEADER, Console
from console.app import create_app
from console.audit import AuditLog
from console.database import open_database
from console.publishing import Publisher
from console.turns import Turns
from rag.ingest.build import build_index

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
PASSWORD = "mat-khau-du-dai"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Argon2 at its weakest: what it costs is not what these tests are about."""

NOW = 1_795_000_000.0

databases = pytest.mark.parametrize(
    "url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.services)], indirect=True
)


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return f"sqlite:///{tmp_path / 'database.sqlite'}"
    return str(request.getfixturevalue("postgres").new_database())


class Clock:
    """A time that a test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


class Students:
    """Writes turns as the front door and the action server do."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self._embedder = EmbedderStandIn()

    def asks(
        self,
        question: str,
        sender: str = "an",
        *,
        decision: str = "no_answer",
        at: float = NOW - 100,
        channel: str = "web",
        good: bool | None = None,
        handed_over: bool = False,
        **more: Any,
    ) -> int:
        """Store a turn with its reply and trace; return the trace's id."""
        of = {"channel": channel, "sender": sender}
        vector = np.asarray(self._embedder.query(question), np.float16).tobytes()
        trace = {
            "vector": base64.b64encode(vector).decode(),
            "normalized": question,
            "language": "vi",
            "intents": {},
            "mentions": [],
            "profile": {},
            **more.pop("trace", {}),
        }
        row = {"source": "none", "topic": "", "intent": "ask", "confidence": 0.1, "answer_id": "", **more}
        with self.database.write() as db:
            if not db.scalar(sa.select(senders.c.sender).where(senders.c.sender == sender)):
                db.execute(senders.insert().values(**of, address="{}", heard_at=at))
            asked = db.execute(
                said.insert().values(**of, author="student", message=_message("student", question), at=at)
            ).inserted_primary_key
            turn = db.execute(
                turns.insert().values(**of, content="{}", said_id=asked[0], at=at, done_at=at + 0.5)
            ).inserted_primary_key[0]
            reply = db.execute(
                said.insert().values(
                    **of, author="bot", turn_id=turn, message=_message("bot", "Trả lời"), at=at + 0.5
                )
            ).inserted_primary_key[0]
            if good is not None:
                rated = {
                    "said_id": reply,
                    "answer_id": row["answer_id"],
                    "good": good,
                    "reason": "",
                    "at": at,
                }
                db.execute(ratings.insert().values(**of, **rated))
            if handed_over:
                opened = {"status": "waiting", "quiet": True, "question": question}
                db.execute(hand_overs.insert().values(**of, **opened, opened_at=at + 60, last_at=at + 60))
            stored = {"turn_id": turn, "at": at, "question": question, "decision": decision, **row}
            made = db.execute(traces.insert().values(**of, **stored, trace=json.dumps(trace)))
        return int(made.inserted_primary_key[0])


def _message(author: str, text: str) -> str:
    return json.dumps({"author": author, "text": text, "by": "", "options": [], "citations": []})


@pytest.fixture
def students(tmp_path: Path) -> Students:
    return Students(f"sqlite:///{tmp_path / 'channels.sqlite'}")


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


class FrontDoor:
    """The advisors' API without a front door: takes down what it is asked for."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, str]] = []
        self.unreachable: set[str] = set()

    def __enter__(self) -> FrontDoor:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def queue(self, _status: str = "all") -> list[Any]:
        return []

    def conversation(self, _number: int) -> Any:
        raise RefusedError("not_found", "there is no such conversation")

    def take(self, _number: int, by: str) -> None:
        raise RefusedError("taken", f"not for {by}")

    def reply(self, _number: int, _by: str, _text: str) -> int:
        return 1

    def give_back(self, _number: int, _by: str) -> None:
        """Nothing to do."""

    def answer_later(self, channel: str, sender: str, _by: str, text: str) -> None:
        if sender in self.unreachable:
            raise RefusedError("window", "too late")
        self.told.append((channel, sender, text))


@pytest.fixture
def front_door() -> FrontDoor:
    return FrontDoor()


@pytest.fixture
def console(
    url: str, tmp_path: Path, clock: Clock, students: Students, publisher: Publisher, front_door: FrontDoor
) -> Iterator[Console]:
    database = open_database(url)
    del students  # made the tables
    yield Console(
        Accounts(database, clock, QUICK),
        AuditLog(database, clock),
        Turns(f"sqlite:///{tmp_path / 'channels.sqlite'}", clock),
        publisher,
        database,
        lambda: front_door,  # type: ignore[arg-type, return-value]
    )
    database.dispose()


Enter = Callable[..., TestClient]


@pytest.fixture
def enter(console: Console, tmp_path: Path) -> Enter:
    """A browser; of an account with the roles that are named, or of nobody."""
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "index.html").write_text("<title>console</title>")
    app = create_app(console, pages)

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
