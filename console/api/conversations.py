"""What was asked and answered: the figures of some days, lists of turns, and transcripts with their traces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query

from console.accounts import Account
from console.advisors_api import AdvisorsError
from console.api import answers
from console.api.dependencies import Console, Parts, Reader, ReadIn
from console.api.gaps import corrected
from console.api.inbox import names_of
from console.api.turn_views import Days, added_by_context, named_trace, text_for, turn_view
from console.knowledge_files import KnowledgeFileError
from console.personal_data import masked
from console.roles import Right
from console.turns import PAGE, Filters
from rag.types import DecisionKind
from vietnamese.ellipsis import continuation, names_nothing

router = APIRouter()


@router.get("/today", response_model=answers.Statistics)
def today(account: Reader, console: Parts, days: Days = 7) -> Mapping[str, Any]:
    """Return the statistics of the last `days` days beside the days before, and how many students wait.

    `waiting_by` counts them by the name of their office, "" for those of none.
    """
    try:
        with console.advisors() as api:
            waiting: Sequence[Any] | None = api.queue("waiting")
    except AdvisorsError:
        waiting = None
    found = console.turns.statistics(days, names_of(console)[0].school.time_zone)
    top = [{**row, "question": text_for(row["question"], account)} for row in found["top"]]
    return {
        **found,
        "top": top,
        "waiting": None if waiting is None else len(waiting),
        "waiting_by": Counter(each.office for each in waiting or ()),
        "waiting_since": min((each.opened_at.timestamp() for each in waiting), default=None)
        if waiting
        else None,
    }


@router.get("/conversations", response_model=answers.TurnPage)
def conversations(
    account: Reader,
    console: Parts,
    filters: Annotated[Filters, Depends()],
    before: Annotated[int | None, Query(ge=1, lt=2**63)] = None,
) -> Mapping[str, Any]:
    """Return a page of turns, the newest first; `before` is the id of the last one seen.

    Those that an advisor has put right have who did so, and how, as `corrected`.
    """
    found = console.turns.page(filters, before)
    known = corrected(console, [row["id"] for row in found])
    return {
        "turns": [{**turn_view(row, account), "corrected": known.get(row["id"])} for row in found],
        "more": len(found) == PAGE,
    }


@router.get("/conversations/filters", response_model=answers.FilterValues)
def filter_values(_: Reader, console: Parts, language: ReadIn) -> Mapping[str, Any]:
    """Return the values that conversations can be filtered by."""
    topics = {
        topic.id: topic.called(language) for topic in console.publisher.live.index().dictionaries.topics
    }
    return {**console.turns.values(), "topic_names": topics}


@router.get("/conversations/{trace}", response_model=answers.Conversation)
def conversation(trace: int, account: Reader, console: Parts, language: ReadIn) -> Mapping[str, Any]:
    """Return the transcript around a turn, with the trace of each turn.

    Each has `corrected` as in the list. A turn `needs_context` when its words only go on with what was said before;
    `follows` is the last FAQ entry that answered a turn before it.
    """
    found = console.turns.conversation(trace) if 0 < trace < 2**63 else None
    if found is None:
        raise HTTPException(404, {"error": "not_found", "message": "this turn is no longer there"})
    console.audit.note(account.login, "read_conversation", str(trace))
    messages = [{**each, "text": text_for(each["text"], account)} for each in found["messages"]]
    catalog, topics = names_of(console, language)
    known = corrected(console, [row["id"] for row in found["turns"].values()])
    followed = _answers_before(console, found["turns"].values())
    first = min((row["id"] for row in found["turns"].values()), default=0)
    turns = {
        turn: {
            **turn_view(row, account),
            "trace": named_trace(_trace(row, account, is_first=row["id"] == first), catalog, topics),
            "corrected": known.get(row["id"]),
            "needs_context": names_nothing(row["question"]) or continuation(row["question"]) is not None,
            "follows": followed[row["id"]],
        }
        for turn, row in found["turns"].items()
    }
    sender = found["sender"] if Right.PERSONAL in account.rights else masked(found["sender"])
    return {**found, "sender": sender, "messages": messages, "turns": turns}


def _answers_before(
    console: Console, rows: Iterable[Mapping[str, Any]]
) -> Mapping[int, Mapping[str, str] | None]:
    """Return the last FAQ entry that answered a turn before each one, by the turns' ids; None without one.

    Entries that are gone do not count, and while a file of the FAQ is faulty none does.
    """
    questions: dict[str, str] = {}
    with suppress(KnowledgeFileError):
        questions = {
            each.id: str(each.record.get("question") or each.id) for each in console.publisher.files.entries()
        }
    found: dict[int, Mapping[str, str] | None] = {}
    last: Mapping[str, str] | None = None
    for row in sorted(rows, key=lambda each: int(each["id"])):
        found[row["id"]] = last
        if row["decision"] == DecisionKind.ANSWER and row["answer_id"] in questions:
            last = {"id": row["answer_id"], "question": questions[row["answer_id"]]}
    return found


def _trace(row: Mapping[str, Any], account: Account, *, is_first: bool) -> Mapping[str, Any]:
    trace = {name: value for name, value in row["trace"].items() if name != "vector"}
    trace["resolved"] = added_by_context(trace, row["answer_id"], is_first=is_first)
    for name in ("normalized", "resolved"):
        trace[name] = text_for(trace.get(name) or "", account)
    return trace
