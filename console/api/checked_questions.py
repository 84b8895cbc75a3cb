"""Checked questions: those that are asked before each publication, with the outcome that is right."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from fastapi import APIRouter, HTTPException

from console.api import answers
from console.api.dependencies import Console, Editor, Parts, Reader
from console.api.faq import refuse_personal_data, told_reply
from console.api.models import CheckedRemoval, NewCheckedQuestion
from console.faq_files import checked_version
from rag.ingest.checked_questions import CheckedQuestion
from rag.query.same_words import folded_words

router = APIRouter()


@router.get("/checked-questions", response_model=answers.CheckedQuestionList)
def checked_questions(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the checked questions, in the order of their file, with the questions of the entries that they name.

    `ruled`: a query rule demands the outcome.
    """
    asked = {entry.id: entry.question for entry in console.publisher.live.index().faq}
    ruled = _ruled(console)

    def named(entry: str) -> Mapping[str, str]:
        return {"id": entry, "question": asked.get(entry, entry)}

    return {
        "questions": [
            {
                "question": each.question,
                "entry": named(each.entry) if each.entry is not None else None,
                "dimension": each.dimension or "",
                "entries": [named(entry) for entry in each.entries],
                "ruled": folded_words(each.question) in ruled,
                "version": checked_version(each),
            }
            for each in console.publisher.files.checked()
        ]
    }


@router.post("/checked-questions", status_code=201, response_model=answers.CheckedVersion)
def check_question(body: NewCheckedQuestion, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Say what is right for a question, or change that; what it is answered stays as it is.

    409 with what is said of it when that has changed, or there is something already; 409 when a rule demands the
    outcome, which is changed there.
    """
    refuse_personal_data([body.question])
    ruled = _ruled(console)
    if any(folded_words(each) in ruled for each in (body.question, body.before) if each):
        told = "a rule says what this question gets; change the rule"
        raise HTTPException(409, {"error": "checked_by_rule", "message": told})
    checked = CheckedQuestion(
        body.question, body.entry or None, body.dimension or None, tuple(dict.fromkeys(body.entries))
    )
    author = (account.name, account.login)
    commit = console.publisher.publish_checked(checked, author, body.before, body.version)
    console.audit.note(account.login, "checked", body.question, reply=body.reply, commit=commit)
    otherwise = console.publisher.trials.otherwise(checked)
    return {
        "index": console.publisher.live.version,
        "commit": commit,
        "version": checked_version(checked),
        "otherwise": told_reply(otherwise) if otherwise is not None else None,
    }


@router.post("/checked-questions/removal", response_model=answers.MadeVersion)
def withdraw_checked_question(body: CheckedRemoval, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Take a question out of the checked ones; what it is answered stays. 404 when it is none."""
    commit = console.publisher.withdraw_checked(body.question, (account.name, account.login))
    console.audit.note(account.login, "checked_removed", body.question, commit=commit)
    return {"index": console.publisher.live.version, "commit": commit}


def _ruled(console: Console) -> Set[tuple[str, ...]]:
    """Return the questions that a query rule demands the outcome of, as words."""
    return {folded_words(text) for each in console.publisher.rules.rules() for text in each.rule.phrasings}
