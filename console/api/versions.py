"""The versions of the knowledge folder: who changed what, and back to what it was."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from console.api import answers
from console.api.dependencies import Editor, Parts, Reader, ReadIn
from console.version_changes import ThingChange
from console.versions import COMMIT_PATTERN, PAGE, LaterChangesError, NoVersionError
from rag.index.format import Index
from school.intents import intent_of
from vietnamese.language_detection import Language

router = APIRouter()

_SOURCE = re.compile(r"document: ([^\s,·]+)")

Commit = Annotated[str, Path(pattern=COMMIT_PATTERN)]


@router.get("/versions", response_model=answers.VersionPage)
def versions(
    _: Reader, console: Parts, skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> Mapping[str, Any]:
    """Return `PAGE` versions after the first `skip`, the newest first; `kept`: whether the `folder` keeps any."""
    kept = console.publisher.versions
    page = kept.page(skip)
    return {
        "kept": kept.are_kept,
        "folder": str(console.publisher.files.knowledge.resolve()),
        "versions": page,
        "more": len(page) == PAGE,
    }


@router.get("/versions/{commit}", response_model=answers.VersionChanges)
def version(commit: Commit, _: Reader, console: Parts, language: ReadIn) -> Mapping[str, Any]:
    """Return what a version changed, in words and as a unified diff, and the files that are not as they were then.

    `undoable` tells whether it can be undone alone: it is not the first one, and no later one changed the same lines.
    """
    kept = console.publisher.versions
    diff = kept.diff(commit)
    try:
        undoable = bool(kept.undone(commit))
    except (LaterChangesError, NoVersionError):
        undoable = False
    changes, more = kept.changes(commit)
    named = _Names(console.publisher.live.index(), language)
    told = [
        replace(
            thing,
            name=named.thing(thing),
            fields=[
                replace(
                    each,
                    before=named.value(each.field, each.before),
                    after=named.value(each.field, each.after),
                )
                for each in thing.fields
            ],
        )
        for thing in changes
    ]
    return {
        "commit": commit,
        "changes": told,
        "more": more,
        "diff": diff,
        "differing": kept.differing(commit),
        "undoable": undoable,
    }


class _Names:
    """The names of what fields tell by its id."""

    def __init__(self, index: Index, language: Language) -> None:
        catalog = index.dictionaries.catalog
        offices = {office.id: office.name for office in catalog.offices}
        topics = {topic.id: topic.called(language) for topic in index.dictionaries.topics}
        entries = {entry.id: entry.question for entry in index.faq}
        self._by_field: dict[str, Mapping[str, str]] = {
            **{"topic": topics, "handles": topics},
            **{"owner": offices, "office": offices, "faculty": offices},
            **{"programs": {item.id: item.name for item in catalog.programs}},
            **{"follows": entries, "offers": entries, "entry": entries},
            **{"entries": entries, "after": entries},
        }
        self._dimensions = {
            kind.id: ((language == "en" and kind.name_en) or kind.name, catalog.items(kind.id))
            for kind in catalog.dimensions
        }
        self._intents = {intent_of(topic): name for topic, name in topics.items()}
        self._titles = {passage.document_id: passage.title for passage in index.passages}

    def thing(self, thing: ThingChange) -> str:
        """Return what a thing is called: examples have the name of their intent's topic."""
        return self._intents.get(thing.name, thing.name)

    def value(self, field: str, text: str) -> str:
        """Return a value as people read it; one that names nothing of the school stays."""
        if field == "sources":
            return _SOURCE.sub(lambda found: self._titles.get(found[1], found[1]), text).replace(
                "locator: ", ""
            )
        if field == "applies_to":
            return "\n".join(map(self._values, text.split(" · ")))
        known = self._by_field.get(field, {})
        return "\n".join(known.get(line, line) for line in text.split("\n"))

    def _values(self, told: str) -> str:
        """Return "major: cntt, ktpm" with the names of the dimension and its values; anything else stays."""
        dimension, _, values = told.partition(": ")
        if dimension not in self._dimensions:
            return told
        name, items = self._dimensions[dimension]
        called = {item.id: item.name for item in items}
        return f"{name}: {', '.join(called.get(each, each) for each in values.split(', '))}"


@router.post("/versions/{commit}/restore", response_model=answers.MadeVersion)
def restore(commit: Commit, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Bring the folder back to a version, files and index together.

    That is a version of its own; an empty `commit` says that nothing differs.
    """
    made = console.publisher.restore(commit, (account.name, account.login))
    console.audit.note(account.login, "restore", commit, commit=made.commit, parts=made.parts)
    return {"commit": made.commit, "index": console.publisher.live.version}


@router.post("/versions/{commit}/undo", response_model=answers.MadeVersion)
def undo(commit: Commit, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Undo what one version changed and keep what came later; 409 when a later one changed the same lines.

    That is a version of its own; an empty `commit` says that it was undone already.
    """
    made = console.publisher.undo(commit, (account.name, account.login))
    console.audit.note(account.login, "undo", commit, commit=made.commit, parts=made.parts)
    return {"commit": made.commit, "index": console.publisher.live.version}
