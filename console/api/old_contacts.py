"""Contacts that were changed in the catalogue: the new one in the place of the old one, wherever it still stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, HTTPException

from console.api import answers
from console.api.dependencies import Console, Editor, Parts
from console.api.models import ContactReplacements, ReplacedContacts
from console.knowledge_files import Edit
from console.old_contacts import (
    OldPlace,
    Replacement,
    changed_sentences,
    in_catalogue,
    places_of,
    replaced,
)
from console.personal_data import contact_keys

router = APIRouter()


@router.post("/old-contacts/preview", response_model=answers.ReplacementPreview)
def preview(body: ContactReplacements, _: Editor, console: Parts) -> Mapping[str, Any]:
    """Return the answers and facts in which old contacts stand, with each sentence before and after.

    `stay` are the documents, whose text is verbatim.
    """
    changes = _changes(console, body)
    places = _places(console, changes)
    return {
        "places": [
            {
                **_named(place),
                "seen": place.seen,
                "sentences": [
                    {"before": before, "after": after}
                    for before, after in changed_sentences(place.text, changes)
                ],
            }
            for place in places
            if place.kind != "document"
        ],
        "stay": [_named(place) for place in places if place.kind == "document"],
    }


@router.post("/old-contacts/replacement", response_model=answers.ReplacedPlaces)
def replace(body: ReplacedContacts, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Put the new contacts into the answers and facts that were seen, as one version.

    409 with the text of the first one that has changed since; nothing is changed then.
    """
    changes = _changes(console, body)
    publisher = console.publisher

    def edits() -> Sequence[Edit]:
        entries = {each.id: each for each in publisher.files.entries()}
        entry_edits = [
            (place.id, place.seen, {"answer": replaced(_answer(entries[place.id].record), changes)})
            if place.id in entries
            else (place.id, place.seen, {})
            for place in body.places
            if place.kind == "entry"
        ]
        values = [
            (place.id, place.seen, replaced(place.seen, changes))
            for place in body.places
            if place.kind == "fact"
        ]
        return [*publisher.files.changed_together(entry_edits), *publisher.facts.changed_together(values)]

    told = ", ".join(change.new for change in changes)
    commit = publisher.publish_texts(edits, (account.name, account.login), "contacts", told)
    parts = [place.id for place in body.places]
    console.audit.note(account.login, "replace_contacts", told, count=len(parts), parts=parts, commit=commit)
    return {"index": publisher.live.version, "commit": commit, "count": len(body.places)}


def _answer(record: Mapping[str, Any]) -> str:
    return str(record.get("answer") or "")


def _changes(console: Console, body: ContactReplacements) -> Sequence[Replacement]:
    """Return the replacements of a body. Raises HTTPException for one that the catalogue does not confirm."""
    known = in_catalogue(console.publisher.files)
    changes = [Replacement(each.old, each.new) for each in body.replaces]
    wrong = [change for change in changes if change.old in known or not (contact_keys([change.new]) & known)]
    if wrong:
        told = ", ".join(f"{change.old}: {change.new}" for change in wrong)
        message = f"the catalogue has the old contact still, or not the new one: {told}"
        raise HTTPException(422, {"error": "contact_not_replaced", "message": message})
    return changes


def _places(console: Console, changes: Sequence[Replacement]) -> Sequence[OldPlace]:
    publisher = console.publisher
    old = [change.old for change in changes]
    return places_of(old, publisher.files, publisher.facts, publisher.live.index())


def _named(place: OldPlace) -> Mapping[str, str]:
    return {"kind": place.kind, "id": place.id, "name": place.name, "locator": place.locator}
