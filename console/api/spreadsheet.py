"""Entries from a spreadsheet: read and shown first, then published together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import partial
from itertools import chain, count
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from console.api import answers
from console.api.catalogue import refuse_taken
from console.api.dependencies import FILE_BODY, Console, Editor, Parts
from console.api.faq import entry_fields, listed_contacts, refuse_personal_data, refuse_unconfirmed
from console.api.models import MAX_ANSWER_CHARS, MAX_LINE_CHARS, ManyEntries
from console.personal_data import has_personal_data, unlisted_contacts
from console.spreadsheet import Row, rows_of
from school.catalog import Topic
from school.intents import GENERAL_INTENTS, intent_of
from vietnamese.text import fold, words

router = APIRouter()

_NOT_IN_ID = re.compile(r"[^a-z0-9]+")
_MOST_ID_CHARS = 50


@router.post("/faq/spreadsheet", openapi_extra=dict(FILE_BODY), response_model=answers.SheetRows)
async def spreadsheet(
    request: Request,
    _: Editor,
    console: Parts,
    name: Annotated[str, Query(min_length=1, max_length=300)],
) -> Mapping[str, Any]:
    """Return the rows of a spreadsheet as entries to look at; nothing is published.

    `same` are the lines of other rows that ask a row's question.
    """
    content = await request.body()
    return await run_in_threadpool(_read, console, name, content)


@router.post("/faq/spreadsheet/entries", status_code=201, response_model=answers.MadeEntries)
def publish(body: ManyEntries, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Publish entries together: all of them or, with an error that names what is wrong, none.

    With new topics, they go live with the early version that follows, in seconds.
    """
    refuse_personal_data(said for entry in body.entries for said in (entry.question, *entry.variants))
    answers = "\n".join(entry.answer for entry in body.entries)
    refuse_unconfirmed(
        unlisted_contacts(answers, listed_contacts(console.publisher.parts)), body.public_contacts
    )
    many = [entry_fields(entry) for entry in body.entries]
    author = (account.name, account.login)
    for topic in body.new_topics:
        refuse_taken(topic.id, (known.id for known in console.publisher.dictionaries.topics()))
    if body.new_topics:
        topics = [topic.model_dump() for topic in body.new_topics]
        ids, commit = console.publisher.publish_with_topics(topics, many, author)
    else:
        published = console.publisher.publish(lambda files: files.added(*many), author, "add")
        ids, commit = [entry.id for entry in published.entries], published.commit
    for topic in body.new_topics:
        console.audit.note(account.login, "add_topic", topic.id, commit=commit)
    console.audit.note(account.login, "publish_many", ids[0], count=len(ids), commit=commit)
    return {"ids": ids, "index": console.publisher.live.version, "commit": commit}


def _read(console: Console, name: str, content: bytes) -> Mapping[str, Any]:
    index = console.publisher.live.index()
    topics = index.dictionaries.topics
    listed = listed_contacts(console.publisher.parts)
    new_id = partial(_new_id, taken={topic.id for topic in topics})
    known = {
        _words(said): entry.question for entry in index.faq for said in (entry.question, *entry.variants)
    }
    rows = rows_of(name, content)
    asked: dict[tuple[str, ...], list[int]] = {}
    for row in rows:
        for wording in {_words(said) for said in (row.question, *row.variants) if said}:
            asked.setdefault(wording, []).append(row.line)
    return {
        "rows": [
            {
                "line": row.line,
                "question": row.question,
                "answer": row.answer,
                "variants": list(row.variants),
                "topic": (topic := _topic(row.topic, topics)),
                "unknown_topic": "" if topic else row.topic,
                "new_topic": "" if topic or not row.topic else new_id(row.topic),
                "known": known.get(_words(row.question), ""),
                "same": [line for line in asked.get(_words(row.question), ()) if line != row.line],
                "faults": _faults(row),
                "contacts": unlisted_contacts(row.answer, listed),
            }
            for row in rows
        ]
    }


def _words(question: str) -> tuple[str, ...]:
    """Return the words of a question without diacritics and marks: questions that differ in nothing else are one."""
    return tuple(words(fold(question)))


def _topic(said: str, topics: Sequence[Topic]) -> str:
    """Return the topic of this id or name, or the only one whose name has these words; "" when there is none."""
    wanted = fold(said)
    exact = [topic.id for topic in topics if wanted in (fold(topic.id), fold(topic.name))]
    near = [topic.id for topic in topics if wanted and wanted in fold(topic.name)]
    return next((found[0] for found in (exact, near) if len(found) == 1), "")


def _new_id(name: str, taken: Set[str]) -> str:
    """Return the id that a new topic of this name gets: its letters, and a number when that is taken."""
    letters = _NOT_IN_ID.sub("_", fold(name)).strip("_")[:_MOST_ID_CHARS]
    stem = letters if letters[:1].isalpha() else f"topic_{letters}".rstrip("_")
    numbered = (f"{stem}_{number}" for number in count(2))
    return next(
        each
        for each in chain([stem], numbered)
        if each not in taken and intent_of(each) not in GENERAL_INTENTS
    )


def _faults(row: Row) -> Sequence[str]:
    """Return why a row cannot become an entry as it is."""
    found = {
        "no_question": not row.question,
        "no_answer": not row.answer,
        "long": len(row.question) > MAX_LINE_CHARS or len(row.answer) > MAX_ANSWER_CHARS,
        "personal": any(map(has_personal_data, (row.question, *row.variants))),
    }
    return [fault for fault, is_so in found.items() if is_so]
