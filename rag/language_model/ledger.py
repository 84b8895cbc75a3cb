"""The ledger of a model: tokens and money by day, with a budget that cannot be overdrawn, and a cache of replies.

Every process of an installation uses one SQLite file in the state folder. The cache holds replies by a hash of the
request (question, evidence, model, parameters), never the request itself.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rag.language_model.types import ChatRequest, Completion, ModelFailure, ModelUnavailableError

WAIT_S = 2.0
KEPT_DAYS = 30
"""Days for which replies are kept: their evidence may be out of force later."""
USAGE_DAYS = 400
"""Days for which the usage is kept: a year and a month, to compare with."""
MICRO = 1_000_000

_TABLES = """
CREATE TABLE IF NOT EXISTS usage (day TEXT, model TEXT, calls INTEGER, failed INTEGER, cached INTEGER,
    prompt_tokens INTEGER, completion_tokens INTEGER, micro_cost INTEGER, latency_ms INTEGER, PRIMARY KEY (day, model));
CREATE TABLE IF NOT EXISTS reserved (id INTEGER PRIMARY KEY, day TEXT, tokens INTEGER, micro_cost INTEGER);
CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, day TEXT, text TEXT, prompt_tokens INTEGER,
    completion_tokens INTEGER);
"""


@dataclass(frozen=True, slots=True)
class Budget:
    """The most tokens and money of a day, 0 for no limit, and prices per million tokens, all in one currency."""

    tokens: int = 0
    cost: float = 0.0
    prompt_price: float = 0.0
    completion_price: float = 0.0

    def price(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the price of a call."""
        return (prompt_tokens * self.prompt_price + completion_tokens * self.completion_price) / MICRO


@dataclass(frozen=True, slots=True)
class DayUsage:
    """The usage of one model on one day (UTC)."""

    day: str
    model: str
    calls: int
    failed: int
    cached: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    latency_ms: int


def request_key(model: str, request: ChatRequest) -> str:
    """Return the hash of all that a reply depends on."""
    said = json.dumps([model, asdict(request)], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


class Ledger:
    """Keeps the usage, the reservations and the replies. Every method may raise ModelUnavailableError (LEDGER)."""

    def __init__(
        self, file: Path, budget: Budget, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._file = file
        self._now = now
        self._open = threading.local()
        self.budget = budget

    def reserve(self, prompt_tokens: int, completion_tokens: int) -> int:
        """Set the most that a call may need aside, and return the reservation's number.

        Raises ModelUnavailableError (BUDGET) when that does not fit into what is left of the day's budget. The
        reservation of a process that was killed counts until the day is over.
        """
        day, budget = self._day(), self.budget
        tokens = prompt_tokens + completion_tokens
        micro = round(MICRO * budget.price(prompt_tokens, completion_tokens))
        with self._transaction() as db:
            used = db.execute(
                "SELECT COALESCE(SUM(prompt_tokens + completion_tokens), 0), COALESCE(SUM(micro_cost), 0) "
                "FROM usage WHERE day = ?",
                (day,),
            ).fetchone()
            held = db.execute(
                "SELECT COALESCE(SUM(tokens), 0), COALESCE(SUM(micro_cost), 0) FROM reserved WHERE day = ?",
                (day,),
            ).fetchone()
            if budget.tokens and used[0] + held[0] + tokens > budget.tokens:
                raise ModelUnavailableError(ModelFailure.BUDGET, "tokens")
            if budget.cost and used[1] + held[1] + micro > MICRO * budget.cost:
                raise ModelUnavailableError(ModelFailure.BUDGET, "cost")
            db.execute("DELETE FROM reserved WHERE day < ?", (day,))
            row = db.execute(
                "INSERT INTO reserved (day, tokens, micro_cost) VALUES (?, ?, ?)", (day, tokens, micro)
            )
            return int(row.lastrowid or 0)

    def settle(
        self, reservation: int, model: str, used: tuple[int, int], latency_ms: float, *, failed: bool = False
    ) -> float:
        """Count a call in the place of its reservation, and return its price.

        `used` are the tokens of the prompt and of the completion; of a failed call, those that may be charged for.
        """
        cost = self.budget.price(*used)
        counts = (1, int(failed), 0, *used, round(MICRO * cost), round(latency_ms))
        with self._transaction() as db:
            db.execute("DELETE FROM reserved WHERE id = ?", (reservation,))
            _count(db, self._day(), model, counts)
        return cost

    def reply(self, model: str, key: str) -> Completion | None:
        """Return the kept reply to a request, and count it as cached; None when there is none."""
        with self._transaction() as db:
            row = db.execute(
                "SELECT text, prompt_tokens, completion_tokens FROM replies WHERE key = ? AND day >= ?",
                (key, self._day(-KEPT_DAYS)),
            ).fetchone()
            if row is None:
                return None
            _count(db, self._day(), model, (0, 0, 1, 0, 0, 0, 0))
        return Completion(*row)

    def keep(self, key: str, completion: Completion) -> None:
        """Keep a whole reply; remove those that are too old."""
        day = self._day()
        row = (key, day, completion.text, completion.prompt_tokens, completion.completion_tokens)
        with self._transaction() as db:
            db.execute("DELETE FROM replies WHERE day < ?", (self._day(-KEPT_DAYS),))
            db.execute("DELETE FROM usage WHERE day < ?", (self._day(-USAGE_DAYS),))
            db.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)", row)

    def usage(self, days: int) -> list[DayUsage]:
        """Return the usage of the last `days` days, the latest first."""
        with self._transaction() as db:
            rows = db.execute(
                "SELECT day, model, calls, failed, cached, prompt_tokens, completion_tokens, micro_cost / 1e6, "
                "latency_ms FROM usage WHERE day > ? ORDER BY day DESC, model",
                (self._day(-days),),
            ).fetchall()
        return [DayUsage(*row) for row in rows]

    def _day(self, offset: int = 0) -> str:
        return (self._now() + timedelta(days=offset)).date().isoformat()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            db = self._connection()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            self._close()
            raise ModelUnavailableError(ModelFailure.LEDGER, f"{self._file.name}: {error}") from error

    def _connection(self) -> sqlite3.Connection:
        """Return this thread's connection, a new one when the file has been replaced."""
        db: sqlite3.Connection | None = getattr(self._open, "db", None)
        if db is not None and self._file.exists() and self._file.stat().st_ino == self._open.inode:
            return db
        self._close()
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._open.db = db = sqlite3.connect(self._file, timeout=WAIT_S, isolation_level=None)
        # Four transactions an answer need not wait for the disk: a power failure may lose the last ones, and no more.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(_TABLES)
        self._open.inode = self._file.stat().st_ino
        return db

    def _close(self) -> None:
        if (db := getattr(self._open, "db", None)) is not None:
            self._open.db = None
            db.close()


def _count(db: sqlite3.Connection, day: str, model: str, counts: tuple[int, ...]) -> None:
    columns = ("calls", "failed", "cached", "prompt_tokens", "completion_tokens", "micro_cost", "latency_ms")
    added = ", ".join(f"{column} = {column} + excluded.{column}" for column in columns)
    places = ", ".join("?" * len(columns))
    db.execute(
        f"INSERT INTO usage VALUES (?, ?, {places}) ON CONFLICT (day, model) DO UPDATE SET {added}",
        (day, model, *counts),
    )
