"""The FAQ: read, try out, publish."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date
from itertools import islice
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Depends, HTTPException, Query

from console.accounts import Account
from console.advisors_api import AdvisorsError, RefusedError
from console.api import answers
from console.api.dependencies import Console, Editor, Parts, Reader, ReadIn
from console.api.gaps import settle, settled_meanwhile
from console.api.models import AnswerText, ChangedEntry, EntryFields, FollowUp, NewEntry, Seen, TryOut
from console.edit_trials import Checked
from console.entry_ranking import rank
from console.faq_files import EntryText, FaqFiles, wordings_of
from console.folder_parts import FolderParts
from console.follow_up_file import SaidAfter
from console.knowledge_files import Edit, text_and_hash
from console.loose_search import are_in, bare, has_words, search_words
from console.name_order import name_order
from console.personal_data import has_personal_data, masked, unlisted_contacts
from console.reviews import REVIEW_DAYS, review_of
from console.same_questions import applies_to_of, entries_with_the_question
from console.telling import later_answer
from console.unfinished_publications import Publication
from rag.answer.curated import CuratedAnswers
from rag.index.format import Index
from rag.index.lexical import top
from rag.ingest.facts import Facts
from rag.rerank.coverage import Coverage, said_in
from rag.types import FAQ_SOURCE, FaqEntry, Passage, Question, Reply, Source
from school.catalog import Catalog

MOST_FOUND = 50

MOST_OPTIONS = 6
MOST_WORDINGS = 10
"""Wordings of a draft that are asked, each in two spellings."""

MAX_NEAR_CHARS = 600

MOST_NEAR = 10
NEAR_BEST = 0.5
NEAR_COVERAGE = 0.25
"""Clauses near to a question: so many, with this share of the best one's BM25 score, and of the question's words.

In the sample school the clause that an entry cites is among them for 96 % of the entries.
"""

MAX_CLAUSE_CHARS = 300
"""Of the text of a clause that is chosen from."""

settling = threading.Lock()
"""Of two who answer one group of questions, the second one is told of the first."""


router = APIRouter()


@dataclass(frozen=True, slots=True)
class Filters:
    """Which entries a list has: all of these hold for each of them.

    `text`: their question, variants or answer have it. `outdated`: their source is no longer in force. `changed`: they
    cite a clause whose text changed after they were last edited or reviewed. `due`: nobody has reviewed them for
    `REVIEW_DAYS`.
    """

    text: Annotated[str, Query(max_length=200)] = ""
    topic: Annotated[str, Query(max_length=200)] = ""
    owner: Annotated[str, Query(max_length=200)] = ""
    outdated: bool = False
    changed: bool = False
    due: bool = False


@router.get("/faq", response_model=answers.EntryPage)
def faq(
    _: Reader,
    console: Parts,
    filters: Annotated[Filters, Depends()],
    near: Annotated[str, Query(max_length=MAX_NEAR_CHARS)] = "",
    skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Mapping[str, Any]:
    """Return `MOST_FOUND` entries after the first `skip`, and how many there are.

    Of those that are due, the ones reviewed longest ago come first. Else the nearest to the text come first, as
    `console.entry_ranking` orders them; without a text, those that a student who asks `near` would get.
    """
    wanted, today = search_words(filters.text), date.fromtimestamp(console.clock())
    over, differing = console.publisher.sources.outdated(today), console.publisher.sources.changed()
    entries = list(console.publisher.files.searched())
    unreviewed = {each.entry.id for each in entries if review_of(each.entry.record).is_due(today)}
    found = [
        each
        for each in entries
        if (not filters.topic or each.entry.record.get("topic") == filters.topic)
        and (not filters.owner or each.entry.record.get("owner") == filters.owner)
        and (not filters.outdated or each.entry.id in over)
        and (not filters.changed or each.entry.id in differing)
        and (not filters.due or each.entry.id in unreviewed)
        and are_in(each.text, wanted)
    ]
    if filters.due:
        found.sort(key=lambda each: review_of(each.entry.record).reviewed_at)
    elif wanted:
        found.sort(key=lambda each: rank(each, filters.text))
    elif near.strip():
        candidates = console.publisher.live.engine().candidates(Question(near), FAQ_SOURCE)
        places = {candidate.item.id: place for place, candidate in enumerate(candidates)}
        found.sort(key=lambda each: places.get(each.entry.id, len(places)))
    facts = facts_of(console.publisher.parts)
    return {
        "entries": [
            {
                **listed,
                "answer": facts.fill(listed["answer"])[0],
                "outdated": listed["id"] in over,
                "changed": listed["id"] in differing,
            }
            for listed in (_listed(each.entry) for each in found[skip : skip + MOST_FOUND])
        ],
        "count": len(found),
        "outdated": len(over),
        "changed": len(differing),
        "due": len(unreviewed),
        "due_days": REVIEW_DAYS,
    }


def _found_clauses(index: Index, text: str, near: str) -> Iterator[Passage]:
    """Yield the passages with the words of `text`, the nearest to `near`, or else to `text`, first."""
    wanted = search_words(text)
    scores = index.passage_terms.scores(near if near.strip() else text)
    for place in np.argsort(-scores, kind="stable"):
        passage = index.passages[place]
        if has_words(f"{passage.title} {passage.locator} {passage.text}", wanted):
            yield passage


def _near_clauses(index: Index, near: str) -> Iterator[Passage]:
    """Yield the passages near to a question with its answer, `MOST_NEAR` at most, the nearest first."""
    scores, coverage = index.passage_terms.scores(near), Coverage(near, index.passage_terms)
    for place in top(scores, MOST_NEAR):
        passage = index.passages[place]
        said = said_in(" ".join((passage.title, *passage.context, passage.text)))
        if scores[place] >= NEAR_BEST * scores.max() and coverage.of(said) >= NEAR_COVERAGE:
            yield passage


@router.get("/faq/sources", response_model=answers.Vocabulary)
def sources(
    _: Reader,
    console: Parts,
    text: Annotated[str, Query(max_length=200)] = "",
    near: Annotated[str, Query(max_length=MAX_NEAR_CHARS)] = "",
    *,
    language: ReadIn,
) -> Mapping[str, Any]:
    """Return what an entry may name: documents and clauses; topics, offices, students.

    The clauses have the words of `text`. Those come first that are nearest to `near`, a question with its answer, or
    else to `text`; with `near` alone, those that are not near are left out.
    """
    index = console.publisher.live.index()
    documents: dict[str, str] = {}
    for passage in index.passages:
        documents.setdefault(passage.document_id, passage.title)
    clauses: dict[tuple[str, str], Mapping[str, str]] = {}
    found = _found_clauses(index, text, near) if text.strip() else _near_clauses(index, near)
    for passage in islice(found, MOST_FOUND):
        clause = {
            "document": passage.document_id,
            "title": passage.title,
            "locator": passage.locator,
            "text": " ".join(passage.text.split())[:MAX_CLAUSE_CHARS],
        }
        clauses.setdefault((passage.document_id, passage.locator), clause)
    return {
        "documents": [
            {"document": name, "title": title}
            for name, title in sorted(documents.items(), key=lambda each: name_order(each[1]))
        ],
        "clauses": [*clauses.values()],
        "topics": _by_name((topic.id, topic.called(language)) for topic in index.dictionaries.topics),
        "offices": _by_name((office.id, office.name) for office in index.dictionaries.catalog.offices),
        "dimensions": _dimensions(index.dictionaries.catalog),
    }


@router.get("/faq/entries/{entry_id}", response_model=answers.Entry)
def faq_entry(entry_id: str, _: Reader, console: Parts) -> Mapping[str, Any]:
    """Return an entry as it stands in its file, with its version, and its sources whose text changed meanwhile.

    `filled` is its answer as a student reads it.
    """
    entry = _entry(_found(console, entry_id))
    changed = console.publisher.sources.changed().get(entry_id, ())
    told = {"filled": facts_of(console.publisher.parts).fill(entry["answer"])[0]}
    return {**entry, **told, "changed_sources": [asdict(source) for source in changed]}


@router.post("/faq/preview", response_model=answers.AnswerPreview)
def preview(body: AnswerText, _: Editor, console: Parts) -> Mapping[str, Any]:
    """Return an answer with the values of the facts that it names, as a student reads it, and its citations.

    `channels` are the messages that it is on each channel that is set up; empty while the front door is not there, and
    for an answer that is too long for it.
    """
    answer = facts_of(console.publisher.parts).fill(body.answer)[0]
    sources = [Source(each.document, each.locator.strip()) for each in body.sources]
    citations = CuratedAnswers(console.publisher.live.index().passages).cited(sources) if sources else ()
    channels: Mapping[str, Sequence[str]] = {}
    if answer.strip():
        with suppress(AdvisorsError), console.advisors() as api:
            channels = api.previews(answer, citations)
    return {
        "answer": answer,
        "channels": channels,
        "citations": [{"title": each.title, "locator": each.locator} for each in citations],
    }


@router.post("/faq/try", response_model=answers.Tried)
def try_out(body: TryOut, _: Editor, console: Parts) -> Mapping[str, Any]:
    """Check a draft, and tell what each question would be answered with it and is answered now.

    `wordings` are the draft's own, as typed and without diacritics: how many were asked, and those that miss it.
    """
    files = console.publisher.files
    fields = entry_fields(body)
    if body.entry_id:
        edit, entry_id = files.changed(body.entry_id, body.version, fields), body.entry_id
    else:
        [edit], [entry_id] = files.added(fields)
    # Those typed last stand at the end.
    typed = [body.question, *reversed(body.variants)][:MOST_WORDINGS]
    wordings = list(dict.fromkeys(each for wording in typed for each in (wording, bare(wording))))
    tried = console.publisher.trials.try_out(edit, body.questions, body.checks, wordings)
    entry = next(each for each in tried.faq if each.id == entry_id)
    questions = {each.id: each.question for each in tried.faq}
    return {
        "entry_id": entry_id,
        "answer": entry.answer,
        "replies": [
            {
                "question": question,
                **told_reply(reply),
                "by_this": reply.answer_id == entry_id,
                "now_by": (now_by := (before.answer_id or "") if before.answer_id != entry_id else ""),
                "now_by_question": questions.get(now_by, now_by),
            }
            for question, reply, before in zip(body.questions, tried.replies, tried.before, strict=True)
        ],
        "wordings": {
            "count": len(wordings),
            "missed": [
                {
                    "question": wording,
                    **told_reply(reply),
                    "by_question": questions.get(reply.answer_id or "", ""),
                }
                for wording, reply in tried.missed(entry_id).items()
            ],
        },
        "checked": told_checked(tried.checked),
        "contacts": unlisted_contacts(body.answer, listed_contacts(console.publisher.parts, body.entry_id)),
    }


@router.post("/faq/entries", status_code=201, response_model=answers.PublishedEntry)
def add_entry(body: NewEntry, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Publish a new entry, settle the turns that it answers, and send it to those who asked.

    409 with who settled some of the turns meanwhile, and how, unless the editor knows of it; 409 with the entries that
    have its question, unless the editor has seen them.
    """
    refuse_personal_data(students_words(body, body.checks, body.follow_up))
    refuse_unconfirmed(
        unlisted_contacts(body.answer, listed_contacts(console.publisher.parts)), body.public_contacts
    )
    fields = entry_fields(body)
    publication = publication_of(body, body.settles, body.tell)
    with console.unfinished_publications.noted(account.login, publication):
        with settling:
            if not body.knows_settled:
                refuse_settled(console, body.settles)
            _refuse_same_question(console, fields, body.same_entries)
            with console.kept_drafts.published(body.draft):
                published = console.publisher.publish(
                    lambda files: files.added(fields),
                    (account.name, account.login),
                    "add",
                    body.checks,
                    said_after(body.follow_up),
                )
            [entry] = published.entries
            settle(console, body.settles, "entry", account, entry.id)
        told, untold = tell_students(console, body.tell, entry, account)
        console.audit.note(
            account.login, "publish", entry.id, settled=len(body.settles), told=told, commit=published.commit
        )
    return {
        "id": entry.id,
        "index": console.publisher.live.version,
        "commit": published.commit,
        "told": told,
        "untold": untold,
    }


@router.put("/faq/entries/{entry_id}", response_model=answers.SavedEntry)
def change_entry(entry_id: str, body: ChangedEntry, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Publish a change of an entry, settle the turns that it answers, and send it to those who asked.

    409 with the text in the file when it changed meanwhile. 409 also, when students are to get it, with who settled
    some of the turns meanwhile, unless the editor knows of it; and with the entries that have one of its new wordings,
    unless the editor has seen them.
    """
    refuse_personal_data(students_words(body, body.checks, body.follow_up))
    contacts = unlisted_contacts(body.answer, listed_contacts(console.publisher.parts, entry_id))
    refuse_unconfirmed(contacts, body.public_contacts)
    fields = entry_fields(body)

    def edit(files: FaqFiles) -> tuple[Sequence[Edit], Sequence[str]]:
        return [files.changed(entry_id, body.version, fields)], [entry_id]

    author = (account.name, account.login)
    publication = publication_of(body, body.settles, body.tell, entry_id)
    with console.unfinished_publications.noted(account.login, publication):
        with settling:
            if body.tell and not body.knows_settled:
                refuse_settled(console, body.settles)
            _refuse_same_question(console, fields, body.same_entries, entry_id)
            with console.kept_drafts.published(body.draft):
                published = console.publisher.publish(
                    edit, author, "change", body.checks, said_after(body.follow_up)
                )
            settle(console, body.settles, "entry", account, entry_id)
        told, untold = tell_students(console, body.tell, published.entries[0], account)
        console.audit.note(
            account.login, "publish", entry_id, settled=len(body.settles), told=told, commit=published.commit
        )
    return {
        **_entry(_found(console, entry_id)),
        "commit": published.commit,
        "told": told,
        "untold": untold,
    }


@router.post("/faq/entries/{entry_id}/removal", response_model=answers.MadeVersion)
def remove_entry(entry_id: str, body: Seen, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Take an entry away; 409 with the rules and calculators that name it, or its text when it has changed."""
    question, commit = console.publisher.remove_entry(entry_id, body.version, (account.name, account.login))
    console.audit.note(account.login, "remove_entry", entry_id, called=question, commit=commit)
    return {"index": console.publisher.live.version, "commit": commit}


def refuse_settled(console: Console, traces: Sequence[int]) -> None:
    """Raises HTTPException when somebody else has settled some turns, whose students may have an answer already."""
    known = settled_meanwhile(console, traces)
    if known is not None:
        told = f"{known['name']} has settled these questions meanwhile"
        raise HTTPException(409, {"error": "already_settled", "message": told, "detail": {"settled": known}})


def _refuse_same_question(
    console: Console, fields: Mapping[str, Any], seen: Sequence[str], entry_id: str = ""
) -> None:
    """Raises HTTPException when other entries have the question of an entry, and its editor has not seen them all."""
    publisher = console.publisher
    known = publisher.files.entry(entry_id) if entry_id else None
    engine = publisher.live.engine()
    found = entries_with_the_question(engine, publisher.files, fields, entry_id, known)
    refuse_unseen(found, seen, facts_of(console.publisher.parts))


def refuse_unseen(found: Sequence[EntryText], seen: Sequence[str], facts: Facts) -> None:
    """Raises HTTPException when an editor has not seen all the entries that have the question of another one."""
    if all(each.id in seen for each in found):
        return
    questions = [str(each.record.get("question") or each.id) for each in found]
    entries = [
        {
            "id": each.id,
            "question": question,
            "answer": facts.fill(str(each.record.get("answer") or ""))[0],
            "applies_to": applies_to_of(each.record),
        }
        for each, question in zip(found, questions, strict=True)
    ]
    told = f"there are answers to this question: {'; '.join(questions)}"
    raise HTTPException(409, {"error": "same_question", "message": told, "detail": {"entries": entries}})


def facts_of(parts: FolderParts) -> Facts:
    """Return the values of the facts of a folder."""
    return Facts({fact.name: fact.value for fact in parts.facts.facts()})


def _listed(entry: EntryText) -> Mapping[str, Any]:
    record = entry.record
    return {
        "id": entry.id,
        "file": entry.file,
        **{
            name: str(record.get(name) or "")
            for name in ("question", "answer", "topic", "owner", "reviewed_at")
        },
        "variants": len(wordings_of(record)) - 1,
        "applies_to": applies_to_of(record),
    }


def _entry(entry: EntryText) -> Mapping[str, Any]:
    return {
        **_listed(entry),
        "variants": wordings_of(entry.record)[1:],
        "sources": _sources(entry.record),
        "version": entry.version,
        "text": entry.text,
    }


def _sources(record: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
    """Return the sources of an entry; what is none, in a file that was edited by hand, is left out."""
    sources = record.get("sources")
    found = [each for each in (sources if isinstance(sources, list) else ()) if isinstance(each, dict)]
    return [{name: str(each.get(name) or "") for name in ("document", "locator")} for each in found]


def _found(console: Console, entry_id: str) -> EntryText:
    entry = console.publisher.files.entry(entry_id)
    if entry is None:
        raise HTTPException(404, {"error": "not_found", "message": "there is no such entry"})
    return entry


def told_reply(reply: Reply, most: int = 600) -> Mapping[str, Any]:
    """Return what a reply says, `most` characters of it; `options` are the buttons of a question back."""
    return {
        "decision": reply.decision.kind.value,
        "answer_id": reply.answer_id,
        "text": reply.text[:most],
        "options": [option.title for option in reply.options[:MOST_OPTIONS]],
        "confidence": reply.confidence,
    }


def told_checked(checked: Sequence[Checked], *, texts: bool = False) -> Mapping[str, Any]:
    """Return the checked questions that an edit answers otherwise than now, and how many there are in all.

    `texts`: also those whose answer is the same one with another text, and more of each text.
    """
    most = 2_000 if texts else 600
    return {
        "count": len(checked),
        "changed": [
            {
                "question": each.question.question,
                "before": told_reply(each.before, most),
                "after": told_reply(each.after, most),
                "right": each.is_right,
            }
            for each in checked
            if (each.reads_otherwise if texts else each.changes)
        ],
    }


def _by_name(items: Iterable[tuple[str, str]]) -> Sequence[Mapping[str, str]]:
    """Return things by id and name, in the order of their names."""
    return [{"id": own, "name": name} for own, name in sorted(items, key=lambda each: name_order(each[1]))]


def _dimensions(catalog: Catalog) -> Sequence[Mapping[str, Any]]:
    """Return the dimensions of students with the values that `applies_to` may name; ranges go for ordered ones."""
    return [
        {
            "id": spec.id,
            "key": spec.key,
            "name": spec.name,
            "name_en": spec.name_en,
            "ordered": spec.ordered,
            "values": [{"id": item.id, "name": item.name} for item in catalog.items(spec.id)],
        }
        for spec in catalog.dimensions
    ]


def entry_fields(body: EntryFields) -> Mapping[str, Any]:
    """Return the fields of an entry as `console.faq_files` takes them."""
    sources = [
        {"document": each.document, **({"locator": each.locator.strip()} if each.locator.strip() else {})}
        for each in body.sources
    ]
    variants = [each for each in dict.fromkeys(body.variants) if each != body.question]
    # The final line break is what YAML reads of a block.
    answer = body.answer.replace("\r\n", "\n").replace("\r", "\n").strip("\n") + "\n"
    return {
        "question": body.question,
        "variants": variants,
        "answer": answer,
        "topic": body.topic,
        "sources": sources,
        "applies_to": body.applies_to,
        "owner": body.owner,
        "reviewed_at": body.reviewed_at,
    }


def said_after(body: FollowUp | None) -> SaidAfter | None:
    """Return a follow-up as `console.follow_up_file` takes it."""
    return SaidAfter(body.after, body.said) if body is not None else None


def students_words(fields: EntryFields, checks: Sequence[str], follow_up: FollowUp | None) -> Sequence[str]:
    """Return the texts of an entry that may be a student's words."""
    said = [follow_up.said] if follow_up is not None else []
    return [fields.question, *fields.variants, *checks, *said]


def refuse_personal_data(
    texts: Iterable[str], is_personal: Callable[[str], bool] = has_personal_data
) -> None:
    """Raises HTTPException when a student's words would be published with a number or an address in them."""
    found = [text for text in texts if is_personal(text)]
    if found:
        told = f"take phone numbers, student numbers and addresses out of: {'; '.join(map(masked, found))}"
        raise HTTPException(422, {"error": "personal_data", "message": told})


def listed_contacts(parts: FolderParts, entry_id: str = "") -> Sequence[str]:
    """Return the texts whose numbers and mail addresses are public: catalogue, facts, and an entry's answer."""
    catalogue, _ = text_and_hash(parts.files.knowledge / "catalog.yml")
    return [catalogue, answer_in(parts, entry_id), *(fact.value for fact in parts.facts.facts())]


def answer_in(parts: FolderParts, entry_id: str) -> str:
    """Return the answer of an entry as it stands in its file; "" without the entry."""
    entry = parts.files.entry(entry_id) if entry_id else None
    return str(entry.record.get("answer") or "") if entry is not None else ""


def refuse_unconfirmed(contacts: Iterable[str], public: Sequence[str]) -> None:
    """Raises HTTPException when an answer has contacts that its editor has not found to be public."""
    found = [each for each in dict.fromkeys(contacts) if each not in public]
    if found:
        told = f"these stand neither in the catalogue nor in the facts; are they public? {'; '.join(found)}"
        fault = {"error": "unlisted_contacts", "message": told, "detail": {"contacts": found}}
        raise HTTPException(422, fault)


def publication_of(
    fields: EntryFields, settles: Sequence[int], tells: Sequence[int], entry_id: str = ""
) -> Publication:
    """Return what is noted of the publication of an entry while it is under way."""
    written = entry_fields(fields)
    return Publication(entry_id, written["question"], written["answer"], settles, tells)


def tell_students(
    console: Console, traces: Sequence[int], entry: FaqEntry, account: Account
) -> tuple[int, Sequence[Mapping[str, Any]]]:
    """Send an answer to the students of some turns; return how many got it, and the turns whose did not, with why."""
    students: dict[tuple[str, str], Mapping[str, Any]] = {}
    for row in console.turns.some(traces):
        students[row["channel"], row["sender"]] = row
    citations = CuratedAnswers(console.publisher.live.index().passages).citations(entry) if students else ()
    told, untold = 0, []
    for (channel, sender), row in students.items():
        text = later_answer(row["question"], entry.answer, row["trace"].get("language") or "vi")
        try:
            with console.advisors() as api:
                api.answer_later(channel, sender, account.name, text, citations)
            told += 1
        except AdvisorsError as error:
            code = error.code if isinstance(error, RefusedError) else "no_front_door"
            untold.append({"trace": row["id"], "why": code})
    return told, untold
