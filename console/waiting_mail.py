"""Mails to advisors when students wait whom nobody has taken.

A mail says how many wait at which office, and where the inbox is: mail servers keep what they carry, so it has no word
of a student.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import sqlalchemy as sa

from console.accounts import Account
from console.advisors_api import AdvisorsError, Waiting
from console.api.dependencies import Console
from console.mailer import Mailer, MailError
from console.roles import Right
from console.tables import told_of_waiting
from school.catalog import Catalog
from vietnamese.data_files import yaml_beside

logger = logging.getLogger(__name__)

EVERY_S = 30.0
KEPT_S = 30 * 24 * 3600.0
"""Seconds after which it is forgotten that a mail told of a student: the conversation has ended long before."""


class WaitingMail:
    """Tells the advisors of an office when students have waited for `after_s` and nobody has taken them.

    Each waiting of a conversation at an office is told once, to those who were reached.
    """

    def __init__(
        self,
        console: Console,
        catalog: Callable[[], Catalog],
        mailer: Mailer,
        url: str,
        after_s: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`url` is the console's address."""
        self._console = console
        self._catalog = catalog
        self._mailer = mailer
        self._url = url
        self._after_s = after_s
        self._words: Mapping[str, str] = yaml_beside(__file__, "waiting_mail.yml")[console.language]
        self._now = clock
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="waiting mail", daemon=True)

    def start(self) -> None:
        """Look at who waits, from now on."""
        self._thread.start()

    def close(self) -> None:
        """End it."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(EVERY_S)

    def look(self) -> None:
        """Tell of those who wait too long now. Raises AdvisorsError, MailError or sqlalchemy.exc.SQLAlchemyError."""
        with self._console.advisors() as api:
            waiting = [each for each in api.queue("waiting") if self._waits_too_long(each)]
        late = self._untold(waiting)
        people = [
            each
            for each in self._console.accounts.all()
            if each.active and each.mail and Right.REPLY in each.rights
        ]
        if not late or not people:
            return
        offices = self._office_ids()
        told: dict[str, list[Waiting]] = {}
        for each in late:
            for person in _in_charge(people, offices.get(each.office, "")):
                told.setdefault(person.mail, []).append(each)
        subject = self._words["subject"].format(n=len(late))
        refused = self._mailer.send(subject, {mail: self._text(some) for mail, some in told.items()})
        for mail, why in refused.items():
            logger.error("The mail server takes no mail for %s (%s).", mail, why)
        self._note([each for mail, some in told.items() if mail not in refused for each in some])

    def _waits_too_long(self, waiting: Waiting) -> bool:
        return self._now() - waiting.opened_at.timestamp() >= self._after_s

    def _untold(self, waiting: Sequence[Waiting]) -> Sequence[Waiting]:
        of = told_of_waiting.c
        ids = [each.id for each in waiting]
        with self._console.database.begin() as db:
            db.execute(sa.delete(told_of_waiting).where(of.at < self._now() - KEPT_S))
            rows = db.execute(sa.select(of.conversation, of.office).where(of.conversation.in_(ids)))
            told = {(row.conversation, row.office) for row in rows}
        return [each for each in waiting if (each.id, each.office) not in told]

    def _note(self, waiting: Sequence[Waiting]) -> None:
        keys = dict.fromkeys((each.id, each.office) for each in waiting)
        rows = [{"conversation": number, "office": office, "at": self._now()} for number, office in keys]
        if rows:
            with self._console.database.begin() as db:
                db.execute(told_of_waiting.insert(), rows)

    def _office_ids(self) -> Mapping[str, str]:
        return {office.name: office.id for office in self._catalog().offices}

    def _text(self, waiting: Sequence[Waiting]) -> str:
        words = self._words
        counts = Counter(" ".join(each.office.split()) or words["no_office"] for each in waiting)
        offices = "\n".join(
            words["office"].format(office=office, n=n) for office, n in sorted(counts.items())
        )
        minutes, url = round(self._after_s / 60), f"{self._url}/inbox"
        return words["text"].format(n=len(waiting), minutes=minutes, offices=offices, url=url)

    def _run(self) -> None:
        while not self._ended.wait(EVERY_S):
            try:
                self.look()
            except AdvisorsError:
                # The front door is down or starts; the pages say so.
                continue
            except (MailError, sa.exc.SQLAlchemyError) as error:
                logger.error("Advisors could not be told of who waits: %s", error)
            except Exception:  # the next look may succeed
                logger.exception("Advisors could not be told of who waits.")


def _in_charge(people: Sequence[Account], office: str) -> Sequence[Account]:
    """Return the people of an office, and those of none in particular; without any, all of them."""
    own = [each for each in people if not each.offices or office in each.offices]
    return own or people
