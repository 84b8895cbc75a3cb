"""Entries from a spreadsheet: read and shown first, then published together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from console.api.dependencies import FILE_BODY, Console, Editor, Parts
from console.api.faq import entry_fields, listed_contacts, refuse_personal_data, refuse_unconfirmed
from console.api.models import MAX_ANSWER_CHARS, MAX_LINE_CHARS, ManyEntries
from console.personal_data import has_personal_data, unlisted_contacts
from console.spreadsheet import Row, rows_of
from school.catalog import Topic
from vietnamese.text import fold

router = APIRouter()


@router.post("/faq/spreadsheet", openapi_extra=dict(FILE_BODY))
async def spreadsheet(
    request: Request,
    _: Editor,
    console: Parts,
    name: Annotated[str, Query(min_length=1, max_length=300)],
) -> Mapping[str, Any]:
    """Return the rows of a spreadsheet as entries to look at; nothing is published."""
    content = await request.body()
    return await run_in_threadpool(_read, console, name, content)


@router.post("/faq/spreadsheet/entries", status_code=201)
def publish(body: ManyEntries, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Publish entries together: all of them or, with an error that names what is wrong, none."""
    refuse_personal_data(said for entry in body.entries for said in (entry.question, *entry.variants))
    answers = "\n".join(entry.answer for entry in body.entries)
    refuse_unconfirmed(unlisted_contacts(answers, listed_contacts(console)), body.public_contacts)
    many = [entry_fields(entry) for entry in body.entries]
    published = console.publisher.publish(
        lambda files: files.added(*many), (account.name, account.login), "add"
    )
    ids = [entry.id for entry in published.entries]
    console.audit.note(account.login, "publish_many", ids[0], count=len(ids), commit=published.commit)
    return {"ids": ids, "index": console.publisher.index_version, "commit": published.commit}


def _read(console: Console, name: str, content: bytes) -> Mapping[str, Any]:
    index = console.publisher.index()
    topics = index.dictionaries.topics
    listed = listed_contacts(console)
    known = {fold(said): entry.question for entry in index.faq for said in (entry.question, *entry.variants)}
    return {
        "rows": [
            {
                "line": row.line,
                "question": row.question,
                "answer": row.answer,
                "variants": list(row.variants),
                "topic": (topic := _topic(row.topic, topics)),
                "unknown_topic": "" if topic else row.topic,
                "known": known.get(fold(row.question), ""),
                "faults": _faults(row),
                "contacts": unlisted_contacts(row.answer, listed),
            }
            for row in rows_of(name, content)
        ]
    }


def _topic(said: str, topics: Sequence[Topic]) -> str:
    """Return the topic of this id or name, or the only one whose name has these words; "" when there is none."""
    wanted = fold(said)
    exact = [topic.id for topic in topics if wanted in (fold(topic.id), fold(topic.name))]
    near = [topic.id for topic in topics if wanted and wanted in fold(topic.name)]
    return next((found[0] for found in (exact, near) if len(found) == 1), "")


def _faults(row: Row) -> Sequence[str]:
    """Return why a row cannot become an entry as it is."""
    found = {
        "no_question": not row.question,
        "no_answer": not row.answer,
        "long": len(row.question) > MAX_LINE_CHARS or len(row.answer) > MAX_ANSWER_CHARS,
        "personal": any(map(has_personal_data, (row.question, *row.variants))),
    }
    return [fault for fault, is_so in found.items() if is_so]
