"""Whether a student's question would be answered: every now and then one goes through Rasa and the action server.

What the front door sees by itself (a Rasa process with a model, its database, the disk) is told as it is at the moment;
what the question showed is some seconds old. A problem is logged once when it begins, and once when it is over.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from channels.connections import Connections
from channels.delivery.delivery_worker import DeliveryWorker
from channels.rasa_client import CheckedProcess, RasaClient
from rag.database_fault import explain
from rag.settings import Settings

logger = logging.getLogger(__name__)

FRESH_S = 5.0
"""Seconds for which the outcome of a question is told again."""

FRESH_WITH_PROBLEMS_S = 1.0
"""The same after a question that showed a problem: the end of it should not be told late."""

LOOK_EVERY_S = 30.0
"""Seconds between two questions when nobody asks for the health, so that the log tells of problems."""

LOW_DISK_BYTES = 200_000_000

SILENT_MEND = (
    "If it hangs, end it (kill -9): covan up starts it again by itself. Its log is .covan/logs/{}.log."
)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that an operator should mend. While a `fatal` one lasts, students get no answers."""

    part: str
    message: str
    mend: str
    fatal: bool = True


class Health:
    """The state of a front door and of what stands behind it."""

    def __init__(
        self, settings: Settings, rasa: RasaClient, delivery: DeliveryWorker, connections: Connections
    ) -> None:
        self._settings = settings
        self._rasa = rasa
        self._delivery = delivery
        self._connections = connections
        self._checked: Sequence[CheckedProcess] = ()
        self._checked_at = float("-inf")
        self._checking: asyncio.Task[None] | None = None
        self._logged: dict[str, Problem] = {}

    def report(self) -> Mapping[str, Any]:
        """Return the body of `GET /api/health`; `look` makes it fresh."""
        problems = list(self._problems())
        broken = {problem.part for problem in problems if problem.fatal}
        return {
            "status": "unavailable" if broken else "ok",
            "rasa": "rasa" not in broken,
            "database": "database" not in broken,
            "actions": "actions" not in broken,
            "problems": [asdict(problem) for problem in problems],
            "connections": self._connections.counts(),
            "refused": self._delivery.refusals.counts(),
            "retention": self._retention(),
        }

    def _retention(self) -> Mapping[str, Any]:
        """Return the days for which things are kept, and when each store was last tidied (s since 1970; None: not since
        the start)."""
        rasa = [at for each in self._checked if isinstance(at := (each.told or {}).get("tidied_at"), float)]
        return {
            "days": self._settings.retention_days,
            "channels_tidied_at": self._delivery.tidied_at,
            "rasa_tidied_at": max(rasa, default=None),
        }

    async def look(self) -> None:
        """Ask a question, unless that was done just now. Returns within `channels.rasa_client.CHECKED_WITHIN_S`."""
        fresh_s = FRESH_WITH_PROBLEMS_S if any(self._behind()) else FRESH_S
        if time.monotonic() - self._checked_at > fresh_s:
            if self._checking is None:
                self._checking = asyncio.create_task(self._check())
            # All who ask at the same time wait for the same question.
            await asyncio.shield(self._checking)
        self._log()

    async def watch(self) -> None:
        """Look every now and then, until cancelled."""
        while True:
            try:
                await self.look()
            except Exception:
                logger.exception("The health could not be checked.")
            await asyncio.sleep(LOOK_EVERY_S)

    async def _check(self) -> None:
        try:
            self._checked = await self._rasa.check()
            self._checked_at = time.monotonic()
        finally:
            self._checking = None

    def _log(self) -> None:
        # The client of Rasa and the delivery log their own problems when they meet them.
        now = {problem.part: problem for problem in (*self._behind(), *self._disk())}
        for part, problem in now.items():
            if part not in self._logged:
                logger.error("%s. %s", _sentence(problem.message), problem.mend)
        for part, problem in self._logged.items():
            if part not in now:
                logger.warning("This is over: %s.", problem.message)
        self._logged = now

    # --- the problems -------------------------------------------------------------------------------------------------

    def _problems(self) -> Iterator[Problem]:
        if fault := self._delivery.fault:
            yield Problem("database", fault.message, fault.mend)
        if not self._rasa.ready:
            yield Problem(
                "rasa",
                "no Rasa process with a model is there; students' messages wait for it",
                "See .covan/logs/rasa.log, and run: covan doctor",
            )
        yield from self._behind()
        yield from self._disk()

    def _behind(self) -> Iterator[Problem]:
        """Yield what the question showed; a problem of some of several Rasa processes is not fatal."""
        if not self._rasa.ready:
            return
        kinds: tuple[Callable[[CheckedProcess], Problem | None], ...] = (_silent, _actions, _question, _index)
        for kind in (*kinds, self._tracker_store):
            found = [problem for each in self._checked if (problem := kind(each)) is not None]
            if found:
                first, everywhere = found[0], len(found) == len(self._checked)
                yield Problem(first.part, first.message, first.mend, first.fatal and everywhere)

    def _tracker_store(self, checked: CheckedProcess) -> Problem | None:
        error = str(checked.told.get("store") or "") if checked.told else ""
        if not error:
            return None
        file = self._settings.state_dir / "tracker.sqlite"
        fault = explain(error, str(file) if file.exists() else "Rasa's tracker store")
        return Problem("tracker_store", fault.message, fault.mend)

    def _disk(self) -> Iterator[Problem]:
        try:
            free = shutil.disk_usage(self._settings.state_dir).free
        except OSError:
            return
        if free < LOW_DISK_BYTES:
            message = f"the disk of {self._settings.state_dir} is nearly full: {free / 1e6:.0f} MB are free"
            yield Problem("disk", message, "Free at least 1 GB.", fatal=False)


def _silent(checked: CheckedProcess) -> Problem | None:
    if checked.told is not None:
        return None
    return Problem("rasa", f"Rasa at {checked.url} does not answer", SILENT_MEND.format("rasa"))


def _actions(checked: CheckedProcess) -> Problem | None:
    told = (checked.told or {}).get("actions")
    if not isinstance(told, Mapping) or told.get("status") == "ok":
        return None
    if told.get("status") == "loading":
        why = f": {told['problem']}" if told.get("problem") else ""
        return Problem("actions", f"the action server has not opened its index{why}", "Run: covan index")
    return Problem("actions", "the action server does not answer", SILENT_MEND.format("actions"))


def _question(checked: CheckedProcess) -> Problem | None:
    told = checked.told or {}
    if _actions(checked) is not None or told.get("question", True):
        return None
    return Problem(
        "question",
        "a question gets no answer, although Rasa and the action server run",
        "See .covan/logs/rasa.log and .covan/logs/actions.log.",
    )


def _index(checked: CheckedProcess) -> Problem | None:
    actions = (checked.told or {}).get("actions")
    problem = actions.get("problem") if isinstance(actions, Mapping) and actions.get("status") == "ok" else ""
    if not problem:
        return None
    message = f"the new index cannot be used, and the one before stays in use: {problem}"
    return Problem("index", message, "Run: covan index", fatal=False)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def outside(report: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what everybody may see of a report: the parts with problems, without files and addresses."""
    return {**report, "problems": [problem["part"] for problem in report["problems"]]}
