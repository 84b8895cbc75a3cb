"""Entries of the FAQ that nearly ask the same: read side by side, merged, or marked as differing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query

from console.api import answers
from console.api.dependencies import Console, Editor, Parts, Reader
from console.api.models import MAX_VARIANTS, EntryPair, MergedEntries
from console.differing_entries import DifferingEntries, key_of
from console.faq_files import EntryText, wordings_of
from console.near_duplicates import NearPair
from console.same_questions import applies_to_of, covers, overlap, students_of
from rag.ingest.facts import Facts
from school.catalog import Catalog

MOST_SHOWN = 25

router = APIRouter()


@router.get("/faq/duplicates", response_model=answers.NearDuplicateList)
def duplicates(
    _: Reader,
    console: Parts,
    *,
    differing: bool = False,
    skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Mapping[str, Any]:
    """Return `MOST_SHOWN` pairs of entries after the first `skip`, the nearest first, and how many there are.

    Of pairs with the same two questions, for other students each, the nearest is there, with their number as `alike`.
    `differing`: those that editors have marked as such, else all others. `searching`: the pairs of the index as it is
    now are still being looked for, and those before are shown.
    """
    pairs, is_current = console.duplicates.found()
    entries = {entry.id: entry for entry in console.publisher.files.entries()} if pairs else {}
    catalog = console.publisher.live.index().dictionaries.catalog
    marked = DifferingEntries(console.database).keys()
    found: dict[str, list[tuple[NearPair, EntryText, EntryText]]] = {}
    count = {False: set[str](), True: set[str]()}
    for pair in pairs:
        one, other = entries.get(pair.one), entries.get(pair.other)
        if one is None or other is None or not _compete(one, other, catalog):
            continue
        key = key_of(one, other)
        count[key in marked].add(key)
        if (key in marked) == differing:
            found.setdefault(key, []).append((pair, one, other))
    facts = Facts({fact.name: fact.value for fact in console.publisher.facts.facts()})
    shown = list(found.values())[skip : skip + MOST_SHOWN]
    return {
        "pairs": [{**_told(*alike[0], catalog, facts), "alike": len(alike)} for alike in shown],
        "count": len(found),
        "near": len(count[False]),
        "differing": len(count[True]),
        "searching": not is_current,
    }


@router.put("/faq/duplicates/differing", response_model=answers.DifferingMark)
def mark_differing(body: EntryPair, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Mark two entries as differing, so that they are shown no more, or take the mark away."""
    one, other = _entry(console, body.one), _entry(console, body.other)
    marks, key = DifferingEntries(console.database, console.clock), key_of(one, other)
    if body.differ:
        marks.add(key, account.login)
        console.audit.note(account.login, "entries_differ", body.one, id=body.other)
    else:
        marks.remove(key)
        console.audit.note(account.login, "entries_alike", body.one, id=body.other)
    return {"differ": body.differ}


@router.post("/faq/duplicates/merge", response_model=answers.MadeVersion)
def merge(body: MergedEntries, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Give an entry the wordings and checked questions of another one, which goes, as one version.

    409 with the text of the one that has changed since it was seen, or with the rules and calculators that name the one
    that goes. 422 when some students of the one that goes would have no answer, or there are too many wordings.
    """
    kept, gone = _entry(console, body.kept.id), _entry(console, body.gone.id)
    if kept.id == gone.id:
        raise HTTPException(422, {"error": "one_entry", "message": "an entry is not merged with itself"})
    catalog = console.publisher.live.index().dictionaries.catalog
    if not covers(students_of(kept.record, catalog), students_of(gone.record, catalog), catalog):
        told = f"{kept.id} is not for all students of {gone.id}: some of them would have no answer"
        raise HTTPException(422, {"error": "fewer_students", "message": told})
    if len(wordings_of(kept.record)) + len(wordings_of(gone.record)) > MAX_VARIANTS:
        told = f"together they have more than {MAX_VARIANTS} wordings; take some away first"
        raise HTTPException(422, {"error": "too_many_wordings", "message": told})
    question, commit = console.publisher.merge_entries(
        body.kept.id, body.kept.version, body.gone.id, body.gone.version, (account.name, account.login)
    )
    console.audit.note(account.login, "merge_entries", body.kept.id, before=question, commit=commit)
    console.audit.note(account.login, "remove_entry", body.gone.id, called=question, commit=commit)
    return {"index": console.publisher.live.version, "commit": commit}


def _told(
    pair: NearPair, one: EntryText, other: EntryText, catalog: Catalog, facts: Facts
) -> Mapping[str, Any]:
    first, second = (students_of(each.record, catalog) for each in (one, other))
    return {
        "likeness": round(pair.likeness, 3),
        "entries": [
            {
                "id": entry.id,
                "question": str(entry.record.get("question") or entry.id),
                "variants": wordings_of(entry.record)[1:],
                "answer": facts.fill(str(entry.record.get("answer") or ""))[0],
                "applies_to": applies_to_of(entry.record),
                "topic": str(entry.record.get("topic") or ""),
                "version": entry.version,
                "text": entry.text,
                "may_stay": covers(own, others, catalog),
            }
            for entry, own, others in ((one, first, second), (other, second, first))
        ],
    }


def _compete(one: EntryText, other: EntryText, catalog: Catalog) -> bool:
    return overlap(students_of(one.record, catalog), students_of(other.record, catalog), catalog)


def _entry(console: Console, entry_id: str) -> EntryText:
    entry = console.publisher.files.entry(entry_id)
    if entry is None:
        raise HTTPException(404, {"error": "not_found", "message": "there is no such entry"})
    return entry
