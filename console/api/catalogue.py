"""Topics and catalogue: names, contacts, and the names that students type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import asdict
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path

from console.api import answers
from console.api.dependencies import Console, Editor, Parts, Reader
from console.api.models import ChangedPart, ChangedTopic, NewPart, NewTopic, Seen, TopicFields
from console.dictionary_files import COUNSELLING, NOT_COMPUTED, SCHOOL, TOPIC_FIELDS, Part
from console.faq_files import listed
from console.old_contacts import MOST_PLACES, Replacement, given_up, places_of, replacements
from console.reviews import REVIEW_DAYS, review_of
from console.uses import TOPIC, Gone
from rag.errors import Problem
from rag.messages import in_language

router = APIRouter()

SectionId = Annotated[str, Path(max_length=200)]


@router.get("/topics", response_model=answers.KnownTopics)
def topics(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the topics in their order, with the number of entries, documents and calculators of each.

    `due`: nobody has reviewed it for `due_days`.
    """
    publisher, today = console.publisher, date.fromtimestamp(console.clock())
    index = publisher.live.index()
    entries = Counter(str(entry.record.get("topic")) for entry in publisher.files.entries())
    documents = Counter({each.document_id: each.topic for each in index.passages}.values())
    counted = Counter(str(each.entry.record.get("topic")) for each in publisher.calculators.calculators())
    found = publisher.dictionaries.topics()
    live = {topic.id for topic in index.dictionaries.topics}
    return {
        "topics": [
            {
                "id": topic.id,
                **_fields(topic.record),
                "entries": entries[topic.id],
                "documents": documents[topic.id],
                "calculators": counted[topic.id],
                "due": review_of(topic.record).is_due(today),
                "live": topic.id in live,
                "version": topic.version,
                "file": topic.file,
                "line": topic.start + 1,
            }
            for topic in found
        ],
        "due_days": REVIEW_DAYS,
        **_build(console),
    }


@router.post("/topics", status_code=201, response_model=answers.SavedPart)
def add_topic(body: NewTopic, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Add a topic at the end; it goes live with the build that follows."""
    refuse_taken(body.id, (topic.id for topic in console.publisher.dictionaries.topics()))
    with console.kept_drafts.published(body.draft):
        commit, warnings = console.publisher.publish_dictionary(
            lambda: console.publisher.dictionaries.topics_added({"id": body.id, **topic_values(body)}),
            (account.name, account.login),
            "topic",
            body.name,
        )
    console.checks.forget(account.login, "topic", "")
    console.audit.note(account.login, "add_topic", body.id, commit=commit)
    return {
        "id": body.id,
        "commit": commit,
        "warnings": warnings_told(console, warnings, topic_lines(console, body.id)),
    }


@router.put("/topics/{topic_id}", response_model=answers.SavedPart)
def change_topic(topic_id: str, body: ChangedTopic, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Change a topic; 409 with its text in the file when it changed meanwhile.

    Another id is refused with 409 and the places that name the old one.
    """
    new_id, known = body.id or topic_id, console.publisher.dictionaries
    if new_id != topic_id:
        refuse_taken(new_id, (topic.id for topic in known.topics()))
    with console.kept_drafts.published(body.draft):
        commit, warnings = console.publisher.publish_dictionary(
            lambda: known.topic_changed(topic_id, body.version, {"id": new_id, **topic_values(body)}),
            (account.name, account.login),
            "topic",
            body.name,
            gone=Gone(TOPIC, topic_id) if new_id != topic_id else None,
        )
    console.checks.forget(account.login, "topic", topic_id)
    renamed = _renamed(topic_id, new_id, body.name)
    console.audit.note(account.login, "change_topic", topic_id, commit=commit, **renamed)
    return {
        "id": new_id,
        "commit": commit,
        "warnings": warnings_told(console, warnings, topic_lines(console, new_id)),
    }


@router.post("/topics/{topic_id}/removal", response_model=answers.Removed)
def remove_topic(topic_id: str, body: Seen, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Take a topic away; 409 with the places that name it, or its text in the file when it changed meanwhile."""
    known = console.publisher.dictionaries
    called = next(
        (str(topic.record.get("name") or topic_id) for topic in known.topics() if topic.id == topic_id), ""
    )
    commit, _ = console.publisher.publish_dictionary(
        lambda: known.topic_removed(topic_id, body.version),
        (account.name, account.login),
        "topic_removed",
        called,
        gone=Gone(TOPIC, topic_id),
    )
    console.checks.forget(account.login, "topic", topic_id)
    console.audit.note(account.login, "remove_topic", topic_id, called=called, commit=commit)
    return {"id": topic_id, "commit": commit}


@router.get("/catalogue", response_model=answers.CatalogueSections)
def catalogue(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the sections of the catalogue: the school, its contacts, the values of each dimension, the courses.

    An item is `due` that nobody has reviewed for `due_days`.
    """
    today = date.fromtimestamp(console.clock())
    return {
        "sections": [
            {
                "id": section.id,
                "name": section.name,
                "name_en": section.name_en,
                "fields": list(section.fields),
                "grows": section.grows,
                "parts": [_part(part, today) for part in section.parts],
            }
            for section in console.publisher.dictionaries.sections()
        ],
        "due_days": REVIEW_DAYS,
        **_build(console),
    }


@router.post("/catalogue/{section_id}", status_code=201, response_model=answers.SavedPart)
def add_part(section_id: SectionId, body: NewPart, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Add an item to a section; it goes live with the build that follows."""
    known = console.publisher.dictionaries
    if (section_id == COUNSELLING) == bool(body.id):
        message = "a contact has no id" if body.id else "an item needs an id"
        raise HTTPException(422, {"error": "invalid", "message": message})
    if body.id:
        refuse_taken(body.id, (part.id for part in known.section(section_id).parts))
    fields = {**({"id": body.id} if body.id else {}), **body.given()}
    with console.kept_drafts.published(body.draft):
        commit, warnings = console.publisher.publish_dictionary(
            lambda: known.added(section_id, fields),
            (account.name, account.login),
            "catalogue",
            str(fields.get("name") or body.id or section_id),
            tries=section_id not in NOT_COMPUTED,
        )
    console.checks.forget(account.login, f"part/{section_id}", "")
    console.audit.note(account.login, "add_to_catalogue", f"{section_id}/{body.id}", commit=commit)
    return {
        "id": body.id,
        "commit": commit,
        "warnings": warnings_told(console, warnings, part_lines(console, section_id, body.id)),
    }


@router.put("/catalogue/{section_id}/{part_id}", response_model=answers.ChangedCataloguePart)
def change_part(
    section_id: SectionId, part_id: str, body: ChangedPart, account: Editor, console: Parts
) -> Mapping[str, Any]:
    """Change a part of the catalogue; 409 with its text in the file when it changed meanwhile.

    Another id is refused with 409 and the places that name the old one. `old_contacts` are places that still have a
    number or mail address which the catalogue has no longer, `MOST_PLACES` of them, how many there are, and what
    `replaces` the old ones where a field of the part tells it.
    """
    known, fields = console.publisher.dictionaries, body.given()
    before = part_values(console, section_id, part_id)
    new_id = body.id or part_id
    if new_id != part_id:
        refuse_taken(new_id, (part.id for part in known.section(section_id).parts))
        fields = {"id": new_id, **fields}
    called = str(fields.get("name") or before.get("name") or part_id)
    with console.kept_drafts.published(body.draft):
        commit, warnings = console.publisher.publish_dictionary(
            lambda: known.changed(section_id, part_id, body.version, fields),
            (account.name, account.login),
            "catalogue",
            called,
            tries=section_id not in NOT_COMPUTED,
            gone=Gone(section_id, part_id) if new_id != part_id else None,
        )
    console.checks.forget(account.login, f"part/{section_id}", part_id)
    renamed = _renamed(part_id, new_id, called)
    console.audit.note(account.login, "change_catalogue", f"{section_id}/{part_id}", commit=commit, **renamed)
    return {
        "id": new_id,
        "old_contacts": old_contacts(console, [(section_id, new_id, before)]),
        "commit": commit,
        "warnings": warnings_told(console, warnings, part_lines(console, section_id, new_id)),
    }


@router.post("/catalogue/{section_id}/{part_id}/removal", response_model=answers.Removed)
def remove_part(
    section_id: SectionId, part_id: str, body: Seen, account: Editor, console: Parts
) -> Mapping[str, Any]:
    """Take an item away; 409 with the places that name it, or its text in the file when it changed meanwhile."""
    called = str(part_values(console, section_id, part_id).get("name") or part_id)
    commit, _ = console.publisher.publish_dictionary(
        lambda: console.publisher.dictionaries.removed(section_id, part_id, body.version),
        (account.name, account.login),
        "catalogue_removed",
        called,
        tries=section_id not in NOT_COMPUTED,
        gone=Gone(section_id, part_id),
    )
    console.checks.forget(account.login, f"part/{section_id}", part_id)
    console.audit.note(
        account.login, "remove_from_catalogue", f"{section_id}/{part_id}", called=called, commit=commit
    )
    return {"id": part_id, "commit": commit}


def _renamed(old_id: str, new_id: str, called: str) -> Mapping[str, Any]:
    """Return what the audit log notes of an item that may have another id by now."""
    return {"id": new_id, "called": called} if new_id != old_id else {}


def part_values(console: Console, section_id: str, part_id: str) -> Mapping[str, Any]:
    """Return the fields of a part of the catalogue; none when it is not there."""
    parts = console.publisher.dictionaries.section(section_id).parts
    return next((part.values for part in parts if part.id == part_id), {})


def old_contacts(
    console: Console, changed: Iterable[tuple[str, str, Mapping[str, Any]]]
) -> Mapping[str, Any]:
    """Return where contacts that changed parts of the catalogue had before still stand.

    A part is its section, its id and its fields as they were.
    """
    publisher = console.publisher
    gone: set[str] = set()
    replaced: list[Replacement] = []
    for section_id, part_id, before in changed:
        own = given_up(before, publisher.files)
        gone |= own
        if own:
            replaced += replacements(before, part_values(console, section_id, part_id), own)
    places = places_of(gone, publisher.files, publisher.facts, publisher.live.index())
    return {
        "places": [
            {"kind": each.kind, "id": each.id, "name": each.name, "locator": each.locator}
            for each in places[:MOST_PLACES]
        ],
        "count": len(places),
        "replaces": [asdict(each) for each in replaced] if places else [],
    }


def refuse_taken(wanted: str, ids: Iterable[str]) -> None:
    """Raises HTTPException when there is an id already."""
    if wanted in ids:
        raise HTTPException(409, {"error": "id_taken", "message": f"there is a {wanted} already"})


def _fields(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a topic; an empty one where a file that was edited by hand has something else."""
    assumes = record.get("assumes")
    return {
        **{name: str(record.get(name) or "") for name in TOPIC_FIELDS},
        "examples": [str(each) for each in listed(record.get("examples"))],
        "assumes": {name: str(value) for name, value in assumes.items()} if isinstance(assumes, dict) else {},
    }


def topic_values(body: TopicFields) -> Mapping[str, Any]:
    """Return the fields of a topic that a body has."""
    return {name: getattr(body, name) for name in TOPIC_FIELDS}


def _part(part: Part, today: date) -> Mapping[str, Any]:
    values = {
        name: [str(each) for each in value] if isinstance(value, list) else str(value)
        for name, value in part.values.items()
    }
    return {
        "id": part.id,
        "line": part.line,
        "version": part.version,
        "values": values,
        "due": review_of(values).is_due(today),
    }


def _build(console: Console) -> Mapping[str, bool | float]:
    publisher = console.publisher
    return {
        "building": publisher.whole_build.is_bringing,
        "building_s": publisher.whole_build.waited_s,
        "build_failed": publisher.whole_build.failed,
    }


def warnings_told(console: Console, warnings: Sequence[Problem], lines: Container[int]) -> Sequence[str]:
    return [in_language(each.message, console.language) for each in warnings if each.line in lines]


def topic_lines(console: Console, topic_id: str) -> range:
    topics = console.publisher.dictionaries.topics()
    found = next((each for each in topics if each.id == topic_id), None)
    return range(found.start + 1, found.start + 1 + len(found.lines)) if found is not None else range(0)


def part_lines(console: Console, section_id: str, part_id: str) -> Set[int]:
    known = console.publisher.dictionaries
    lines = {line for part in known.section(section_id).parts if part.id == part_id for line in _lines(part)}
    if section_id == SCHOOL:
        # The school's contacts stand in its lines and are a section of their own.
        lines -= {line for part in known.section(COUNSELLING).parts for line in _lines(part)}
    return lines


def _lines(part: Part) -> range:
    return range(part.line, part.line + 1 + part.text.count("\n"))
