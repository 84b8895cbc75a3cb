"""The facts: the values that change every year, who uses them, and their edits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import PurePosixPath
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query

from console.api import answers
from console.api.dependencies import Console, Editor, Parts, Reader
from console.api.faq import told_checked
from console.api.models import FactReview, FactValue, NewFact, SeenFact
from console.fact_files import FactText, Uses
from console.fact_labels import FactLabels
from console.fact_reviews import groups_of, review_by
from console.knowledge_files import Edit
from console.loose_search import has_words, search_words
from console.reviews import REVIEW_DAYS, Review
from rag.answer.curated import passages_at
from rag.index.format import Index
from rag.types import Passage, Source
from vietnamese.text import fold

MOST_FOUND = 100
MOST_CHANGED = 50
MOST_CHARS = 1_200

_DAY = re.compile(r"(?<!\d)(\d{1,2})/(\d{1,2})(?:/\d{4})?(?!\d)")
_NUMBER = re.compile(r"\d(?:[\d.,/]*\d)?")

router = APIRouter()


@router.get("/facts", response_model=answers.FactPage)
def facts(
    _: Reader,
    console: Parts,
    text: Annotated[str, Query(max_length=200)] = "",
    file: Annotated[str, Query(max_length=400)] = "",
    owner: Annotated[str, Query(max_length=200)] = "",
    skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    *,
    due: bool = False,
) -> Mapping[str, Any]:
    """Return `MOST_FOUND` facts after the first `skip` that have `text`, and how many there are.

    `owner`: an office is in charge of them. `due`: nobody has reviewed them for `REVIEW_DAYS`; the ones reviewed
    longest ago come first.

    It is looked for in their names, values and notes, in the names of the topics and things of the catalogue whose ids
    their names have, and in the questions that they answer: a fact's own name is no Vietnamese.
    """
    known = console.publisher.facts
    found, uses = known.facts(), known.uses()
    wanted = search_words(text)
    labels = console.fact_labels()
    told, today = known.reviews.told(), date.fromtimestamp(console.clock())
    reviews = {fact.name: review_by(told, fact.name) for fact in found}
    unreviewed = {name for name, review in reviews.items() if review.is_due(today)}
    matching = [
        fact
        for fact in found
        if (not file or fact.file == file)
        and (not owner or reviews[fact.name].owner == owner)
        and (not due or fact.name in unreviewed)
        and (not wanted or has_words(_said_of(fact, uses, labels.names), wanted))
    ]
    if due:
        matching.sort(key=lambda fact: reviews[fact.name].reviewed_at)
    return {
        "facts": [
            _listed(fact, labels, uses, reviews[fact.name]) for fact in matching[skip : skip + MOST_FOUND]
        ],
        "count": len(matching),
        "due": len(unreviewed),
        "due_days": REVIEW_DAYS,
        "files": [
            {"file": file, "label": labels.of(f"facts.{PurePosixPath(file).stem}")}
            for file in dict.fromkeys(fact.file for fact in found)
        ],
    }


@router.get("/facts/value", response_model=answers.UsedFact)
def fact(
    _: Reader, console: Parts, name: Annotated[str, Query(min_length=1, max_length=400)]
) -> Mapping[str, Any]:
    """Return a fact with the entries and calculators that use it, and the clauses that these rest on.

    `told` has who is in charge and the last review, as they are told of the fact itself and of each group that it is
    in, the smallest first.
    """
    publisher = console.publisher
    found = publisher.facts.fact(name)
    if found is None:
        raise HTTPException(404, {"error": "not_found", "message": "there is no such fact"})
    uses, index = publisher.facts.uses(), publisher.live.index()
    entries = uses.entries.get(name, ())
    using = set(uses.calculators(found))
    calculators = [each for each in publisher.calculators.calculators() if each.entry.id in using]
    sources = [source for entry in entries for source in entry.record.get("sources") or ()]
    sources += [source for each in calculators for source in each.entry.record.get("sources") or ()]
    told = publisher.facts.reviews.told()
    return {
        **_listed(found, console.fact_labels(), uses, review_by(told, name)),
        "told": [
            {"name": each, **asdict(told[each].review if each in told else Review())}
            for each in groups_of(name)
        ],
        "entries": [{"id": each.id, "question": str(each.record.get("question") or "")} for each in entries],
        "calculators": [
            {"id": each.entry.id, "question": str(each.entry.record.get("question") or "")}
            for each in calculators
        ],
        "clauses": clauses(
            index,
            dict.fromkeys(
                Source(str(each.get("document")), str(each.get("locator") or "")) for each in sources
            ),
            found.value,
        ),
    }


@router.post("/facts/try", response_model=answers.TriedFact)
def try_fact(body: FactValue, _: Editor, console: Parts) -> Mapping[str, Any]:
    """Check a new value, and tell which answers and checked questions it changes."""
    edit, calculators = _edit(console, body)
    tried = console.publisher.trials.try_values(edit, calculators)
    return {
        "changed": [
            {"id": new.id, "question": new.question, "before": old.answer, "after": new.answer}
            for old, new in tried.changed[:MOST_CHANGED]
        ],
        "count": len(tried.changed),
        "calculators": len(calculators),
        "checked": told_checked(tried.checked),
    }


@router.put("/facts/value", response_model=answers.SavedFact)
def change_fact(body: FactValue, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Publish a new value; 409 with the value in the file when it changed meanwhile."""
    with console.kept_drafts.published(body.draft):
        commit = console.publisher.publish_values(
            lambda: _edit(console, body),
            (account.name, account.login),
            "fact",
            f"{console.fact_labels().of(body.name)}: {body.value}",
        )
    console.audit.note(
        account.login, "change_fact", body.name, before=body.seen, after=body.value, commit=commit
    )
    return {"name": body.name, "commit": commit, "index": console.publisher.live.version}


@router.post("/facts", status_code=201, response_model=answers.SavedFact)
def add_fact(body: NewFact, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Add a fact; 409 with its value when it is there already."""
    with console.kept_drafts.published(body.draft):
        commit = console.publisher.publish_values(
            lambda: (console.publisher.facts.added(body.name, body.value), frozenset()),
            (account.name, account.login),
            "fact",
            f"{console.fact_labels().of(body.name)}: {body.value}",
        )
    console.audit.note(account.login, "add_fact", body.name, value=body.value, commit=commit)
    return {"name": body.name, "commit": commit, "index": console.publisher.live.version}


@router.post("/facts/removal", response_model=answers.SavedFact)
def remove_fact(body: SeenFact, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Take a fact away; 409 with the entries and calculators that use it, or its value when it changed meanwhile."""
    commit = console.publisher.publish_texts(
        lambda: console.publisher.facts.removed(body.name, (body.seen, body.seen_note)),
        (account.name, account.login),
        "fact_removed",
        console.fact_labels().of(body.name),
    )
    console.audit.note(account.login, "remove_fact", body.name, before=body.seen, commit=commit)
    return {"name": body.name, "commit": commit, "index": console.publisher.live.version}


@router.put("/facts/review", response_model=answers.MadeVersion)
def review_fact(body: FactReview, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Tell who is in charge of a fact, or of all facts of a group, and when it was last reviewed.

    409 with what is told by now when it changed meanwhile.
    """
    seen, new = Review(body.seen_owner, body.seen_reviewed_at), Review(body.owner, body.reviewed_at)
    commit = console.publisher.publish_texts(
        lambda: [console.publisher.facts.reviewed(body.name, seen, new)],
        (account.name, account.login),
        "fact_reviewed",
        console.fact_labels().of(body.name),
    )
    before, after = (" · ".join(filter(None, (each.owner, each.reviewed_at))) for each in (seen, new))
    console.audit.note(account.login, "review_fact", body.name, before=before, after=after, commit=commit)
    return {"commit": commit, "index": console.publisher.live.version}


def _edit(console: Console, body: FactValue) -> tuple[Edit, set[str]]:
    known = console.publisher.facts
    edit = known.changed(body.name, (body.seen, body.seen_note), body.value, body.note)
    fact = known.fact(body.name)
    return edit, set(known.uses().calculators(fact)) if fact is not None else set()


def _said_of(fact: FactText, uses: Uses, names: Mapping[str, str]) -> str:
    questions = (str(entry.record.get("question") or "") for entry in uses.entries.get(fact.name, ()))
    meant = (names[part] for part in fact.name.split(".") if part in names)
    return " ".join((fact.name, fact.value, fact.note, *meant, *questions))


def _listed(fact: FactText, labels: FactLabels, uses: Uses, review: Review) -> Mapping[str, Any]:
    return {
        **asdict(review),
        "name": fact.name,
        "label": labels.of(fact.name),
        "value": fact.value,
        "file": fact.file,
        "line": fact.line,
        "note": fact.note,
        "used_by": {
            "entries": len(uses.entries.get(fact.name, ())),
            "calculators": len(uses.calculators(fact)),
        },
    }


def clauses(index: Index, sources: Mapping[Source, Any], value: str = "") -> Sequence[Mapping[str, Any]]:
    """Return the text of some clauses; `has_value`: whether a value stands in it word for word."""
    documents = {source.document for source in sources}
    passages: dict[str, list[Passage]] = {}
    for passage in index.passages:
        if passage.document_id in documents:
            passages.setdefault(passage.document_id, []).append(passage)
    found = dict.fromkeys(
        passage
        for source in sources
        for passage in passages_at(passages.get(source.document, ()), source.locator or "")
    )
    told = [
        {
            "document": passage.document_id,
            "title": passage.title,
            "locator": passage.locator,
            "text": passage.text[:MOST_CHARS],
            "has_value": states(passage.text, value),
        }
        for passage in found
    ]
    return sorted(told, key=lambda each: not each["has_value"])[:MOST_CHANGED]


def states(text: str, value: str) -> bool:
    """Return whether a text states a value: all of its days and numbers, or its words when it has none."""
    rest = _DAY.sub(" ", value)
    days = [
        re.search(rf"(?<!\d)0?{int(day)}\s*(?:/|tháng)\s*0?{int(month)}(?!\d)", text)
        for day, month in _DAY.findall(value)
    ]
    numbers = set(_NUMBER.findall(rest))
    if not days and not numbers:
        return bool(value) and fold(value) in fold(text)
    return all(days) and numbers <= set(_NUMBER.findall(text))
