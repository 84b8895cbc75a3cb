"""Finishing publications that a crash interrupted: at the console's start, when their files are written."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import PurePath

from console.api.dependencies import Console
from console.api.faq import tell_students
from console.api.gaps import settle
from console.unfinished_publications import Publication, Unfinished
from rag.types import FaqEntry

WAIT_S = 3.0
MOST_WAITS = 40
"""Times that the front door, which starts beside the console, is waited for."""

_OF_UPLOADS = ("document_added", "document_replaced")

logger = logging.getLogger(__name__)


def resume(console: Console, left: Sequence[Unfinished], wait_s: float = WAIT_S) -> None:
    """Note in the audit log what the start finished, settle the turns of its entries, and tell the students.

    `left` are the publications that were noted before the console served anybody. One whose entry is not in the folder
    was never written: it is forgotten. A file that was published waits among the uploads no longer.
    """
    if (finished := console.publisher.finished_at_start) is not None:
        _, login = finished.change.author
        console.audit.note(login, "finished", finished.change.message, commit=finished.commit)
        written = {PurePath(name).name for name in finished.change.contents}
        uploads = console.publisher.documents.drafts() if finished.change.action in _OF_UPLOADS else ()
        for upload in uploads:
            if upload.path.name in written:
                console.publisher.documents.discard(upload)
    for each in left:
        entry = _published(console, each.publication)
        if entry is not None:
            _finish(console, each, entry, wait_s)
        console.unfinished_publications.forget(each.id)


def _published(console: Console, publication: Publication) -> FaqEntry | None:
    files = {
        entry.id
        for entry in console.publisher.files.entries()
        if publication.is_of(entry.id, str(entry.record.get("question")), str(entry.record.get("answer")))
    }
    return next((entry for entry in console.publisher.live.index().faq if entry.id in files), None)


def _finish(console: Console, unfinished: Unfinished, entry: FaqEntry, wait_s: float) -> None:
    publication, accounts = unfinished.publication, console.accounts.all()
    account = next((each for each in accounts if each.login == unfinished.login), None)
    if account is None:
        logger.error("The account %r is no longer there: nobody is told of %s", unfinished.login, entry.id)
        return
    settle(console, publication.settles, "entry", account, entry.id)
    waiting, told = publication.tells, 0
    for _ in range(MOST_WAITS):
        reached, untold = tell_students(console, waiting, entry, account)
        told += reached
        waiting = [int(each["trace"]) for each in untold if each["why"] == "no_front_door"]
        if not waiting:
            break
        time.sleep(wait_s)
    console.audit.note(account.login, "publish", entry.id, settled=len(publication.settles), told=told)
