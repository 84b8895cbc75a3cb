"""Checks of drafts that go live with a whole build: the school's checked questions are asked before it is published.

A check is kept with its draft in the console's database, so that its editor may leave the page, and a console that was
killed goes on: what has no result is begun again when its editor looks. Nothing of it is in the knowledge folder or the
school's index.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from console.draft_builds import BuildState, DraftBuildError
from console.tables import draft_checks
from rag.errors import CovanError

logger = logging.getLogger(__name__)

MOST = 10
"""Checks of an account that are kept; the oldest goes."""

KEPT_S = 30 * 24 * 3600.0

LOOK_EVERY_S = 0.2


class DraftCheckError(CovanError):
    """There is no such check; `code` is "no_draft_check"."""

    code = "no_draft_check"


@dataclass(frozen=True, slots=True)
class DraftCheck:
    """A check that `login` began at `at` (seconds since 1970), one for each `place` that its draft changes.

    `draft` is the JSON of `console.api.models.BuiltDraft`, made of the version `seen`. `result` is None until it ends;
    then it has what `Asking` returned, or `told`, why it failed.
    """

    id: int
    login: str
    place: str
    draft: str
    seen: str
    at: float
    result: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a check: the school is read ("building"), or `asked` of `questions` are asked ("asking")."""

    step: str = "building"
    asked: int = 0
    questions: int = 0


Note = Callable[[int, int], None]
Asking = Callable[[Note], Mapping[str, Any]]
"""Asks the checked questions, notes the progress, and returns the result. Raises DraftBuildError "draft_building"."""


class _StoppedError(Exception):
    """The check is not wanted any longer."""


def place(kind: str, of: str) -> str:
    """Return the place of a draft: an account keeps one check of each.

    `kind` is "document" (`of` its id, or that of an uploaded file), "topic", or "part/" and a section of the catalogue.
    """
    return f"{kind}/{of}"


def place_of_removal(kind: str, of: str) -> str:
    """Return the place of the draft that takes such a thing away."""
    return f"removal/{place(kind, of)}"


class DraftChecks:
    """The checks in the console's database, and those that run."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._now = clock
        self._lock = threading.Lock()
        self._progress: dict[int, Progress] = {}
        self._threads: list[threading.Thread] = []
        self._is_closed = threading.Event()

    def of(self, login: str) -> Sequence[DraftCheck]:
        """Return the checks of an account, the latest first."""
        of = draft_checks.c
        own = sa.select(draft_checks).where(of.login == login).order_by(of.id.desc())
        with self._engine.connect() as db:
            return [_check(row) for row in db.execute(own)]

    def under_way(self) -> Set[str]:
        """Return the drafts of all checks that have not ended."""
        with self._engine.connect() as db:
            return set(db.scalars(sa.select(draft_checks.c.draft).where(draft_checks.c.result == "")))

    def progress(self, number: int) -> Progress | None:
        """Return the progress of a check; None when it does not run."""
        return self._progress.get(number)

    def add(self, login: str, place: str, draft: str, seen: str) -> DraftCheck:
        """Keep a new check, in the stead of the one of its place."""
        of, now = draft_checks.c, self._now()
        over = sa.delete(draft_checks).where(of.at < now - KEPT_S)
        new = {"login": login, "place": place, "draft": draft, "seen": seen, "at": now, "result": ""}
        with self._engine.begin() as db:
            db.execute(over)
            db.execute(sa.delete(draft_checks).where(of.login == login, of.place == place))
            kept = sa.select(of.id).where(of.login == login).order_by(of.id.desc()).limit(MOST - 1)
            newest = list(db.scalars(kept))
            db.execute(sa.delete(draft_checks).where(of.login == login, of.id.not_in(newest)))
            made = db.execute(draft_checks.insert().values(**new)).inserted_primary_key
        assert made is not None
        return DraftCheck(int(made[0]), login, place, draft, seen, now, None)

    def run(
        self,
        check: DraftCheck,
        state: Callable[[], BuildState],
        ask: Asking,
        ended: Callable[[], None],
    ) -> None:
        """Wait for the build of a check, which `state` tells of, and ask; unless that goes on. Calls `ended` then."""
        with self._lock:
            if check.id in self._progress or self._is_closed.is_set():
                return
            self._progress[check.id] = Progress()
            self._threads = [each for each in self._threads if each.is_alive()]
            arguments = (check, state, ask, ended)
            thread = threading.Thread(target=self._run, args=arguments, name="draft check", daemon=True)
            self._threads.append(thread)
            thread.start()

    def remove(self, number: int, login: str) -> None:
        """Forget a check of an account, and end it. Raises DraftCheckError."""
        own = draft_checks.c.id == number, draft_checks.c.login == login
        with self._engine.begin() as db:
            if not db.execute(sa.delete(draft_checks).where(*own)).rowcount:
                raise DraftCheckError("there is no such check")

    def forget(self, login: str, kind: str, of: str) -> None:
        """Forget the checks of an account of what was published, discarded or removed: a thing as in `place`."""
        places = (place(kind, of), place_of_removal(kind, of))
        own = draft_checks.c.login == login, draft_checks.c.place.in_(places)
        with self._engine.begin() as db:
            db.execute(sa.delete(draft_checks).where(*own))

    def close(self) -> None:
        """End the checks that run; they are begun again when their editors look."""
        self._is_closed.set()
        for thread in self._threads:
            thread.join()

    def _run(
        self,
        check: DraftCheck,
        state: Callable[[], BuildState],
        ask: Asking,
        ended: Callable[[], None],
    ) -> None:
        def note(asked: int, questions: int) -> None:
            self._go_on(check)
            self._progress[check.id] = Progress("asking", asked, questions)

        try:
            with suppress(_StoppedError):
                self._go_on(check)
                self._end(check, self._result(check, state, ask, note))
            if not self._is_closed.is_set():
                ended()
        except sa.exc.SQLAlchemyError as error:
            logger.error("A check of a draft could not be kept: %s", getattr(error, "orig", None))
        finally:
            self._progress.pop(check.id, None)

    def _result(
        self, check: DraftCheck, state: Callable[[], BuildState], ask: Asking, note: Note
    ) -> Mapping[str, Any]:
        try:
            while True:
                while state() is BuildState.BUILDING:
                    self._go_on(check)
                    self._is_closed.wait(LOOK_EVERY_S)
                try:
                    return ask(note)
                except DraftBuildError as error:
                    if error.code != "draft_building":
                        raise
        except CovanError as error:
            self._go_on(check)
            return {"told": str(error)}
        except (_StoppedError, sa.exc.SQLAlchemyError):
            raise
        except Exception as error:
            self._go_on(check)
            logger.exception("A draft could not be checked.")
            return {"told": type(error).__name__}

    def _go_on(self, check: DraftCheck) -> None:
        """Raises _StoppedError when a check has ended or was removed, or the console ends."""
        of = draft_checks.c
        own = sa.select(of.id).where(of.id == check.id, of.result == "")
        with self._engine.connect() as db:
            if self._is_closed.is_set() or db.scalar(own) is None:
                raise _StoppedError

    def _end(self, check: DraftCheck, result: Mapping[str, Any]) -> None:
        told = json.dumps(result, ensure_ascii=False)
        with self._engine.begin() as db:
            db.execute(sa.update(draft_checks).where(draft_checks.c.id == check.id).values(result=told))


def _check(row: sa.Row[Any]) -> DraftCheck:
    result = json.loads(row.result) if row.result else None
    return DraftCheck(row.id, row.login, row.place, row.draft, row.seen, float(row.at), result)
