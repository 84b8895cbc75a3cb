"""Checked questions: those that are asked before each publication, with the outcome that is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter

from console.api import answers
from console.api.dependencies import Editor, Parts, Reader
from console.api.models import CheckedRemoval
from rag.query.same_words import folded_words

router = APIRouter()


@router.get("/checked-questions", response_model=answers.CheckedQuestionList)
def checked_questions(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the checked questions, in the order of their file, with the questions of the entries that they name.

    `ruled`: a query rule demands the outcome.
    """
    asked = {entry.id: entry.question for entry in console.publisher.live.index().faq}
    ruled = {folded_words(text) for each in console.publisher.rules.rules() for text in each.rule.phrasings}

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
            }
            for each in console.publisher.files.checked()
        ]
    }


@router.post("/checked-questions/removal", response_model=answers.MadeVersion)
def withdraw_checked_question(body: CheckedRemoval, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Take a question out of the checked ones; what it is answered stays. 404 when it is none."""
    commit = console.publisher.withdraw_checked(body.question, (account.name, account.login))
    console.audit.note(account.login, "checked_removed", body.question, commit=commit)
    return {"index": console.publisher.live.version, "commit": commit}
