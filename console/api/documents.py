"""The documents: what is published, how it was split, its pages; uploaded drafts, their metadata, publishing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi import Path as InPath
from fastapi.responses import FileResponse
from starlette.concurrency import run_in_threadpool

from console.accounts import Account
from console.api import answers
from console.api.dependencies import FILE_BODY, Console, Editor, Parts, Reader
from console.api.models import ChangedDocument, DocumentFields, Fault, Seen
from console.document_files import FIELDS, Draft, Read, kinds
from console.name_order import name_order
from console.reviews import REVIEW_DAYS, Review
from rag.errors import Problem
from rag.ingest.loaders.page_image import MEDIA_TYPE
from rag.ingest.loaders.page_survey import PageSurvey
from rag.ingest.loaders.pdf import MAX_PAGES
from rag.types import Passage

router = APIRouter()

PageNumber = Annotated[int, InPath(ge=1, le=MAX_PAGES)]
Place = Annotated[int, InPath(ge=0, lt=2**31)]
PICTURE: Mapping[int | str, dict[str, Any]] = {
    200: {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}},
    304: {"description": "The picture is as it was"},
    429: {"model": Fault},
}
"""The responses of a page's picture, as OpenAPI describes them."""

BETWEEN = "\n\n"
"""Between the texts of a file's documents."""


@router.get("/documents", response_model=answers.DocumentList)
def documents(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the documents that answers come from, the files that wait or failed, and the state of the build.

    `due`: nobody has reviewed it for `due_days`.
    """
    publisher, today = console.publisher, date.fromtimestamp(console.clock())
    reviews = publisher.documents.reviews()
    index, cited = publisher.live.index(), publisher.sources.cited()
    counts = Counter(passage.document_id for passage in index.published)
    first = {passage.document_id: passage for passage in reversed(index.published)}
    return {
        "documents": [
            {
                **_meta(passage),
                "passages": counts[document],
                "cited": len(cited.get(document, ())),
                **asdict(review := reviews.get(document, Review())),
                "due": review.is_due(today),
            }
            for document, passage in sorted(first.items(), key=lambda each: name_order(each[1].title))
        ],
        "waiting": [
            {
                "id": document_id,
                "file": publisher.documents.name(path),
                "title": read.documents[0][0].meta.title if read.documents else path.name,
                **_faults(read, console.language),
            }
            for document_id, path, read in publisher.documents.waiting(first.keys())
        ],
        "due_days": REVIEW_DAYS,
        "building": publisher.whole_build.is_bringing,
        "building_s": publisher.whole_build.waited_s,
        "build_failed": publisher.whole_build.failed,
        "kinds": kinds(),
    }


@router.get("/documents/published/{document_id}", response_model=answers.PublishedDocument)
def document(document_id: str, _: Reader, console: Parts) -> Mapping[str, Any]:
    """Return a published document: its metadata, how it was split, and the entries that rest on it.

    `uses` are the entries and calculators without which its file cannot be taken away.
    """
    publisher = console.publisher
    passages = [passage for passage in publisher.live.index().published if passage.document_id == document_id]
    path = publisher.documents.file_of(document_id)
    if not passages and path is None:
        raise HTTPException(404, {"error": "no_document", "message": "there is no such document"})
    read = publisher.documents.read(path) if path is not None else Read()
    return {
        "id": document_id,
        "title": passages[0].title if passages else document_id,
        "file": publisher.documents.name(path) if path is not None else "",
        "version": publisher.documents.version(path) if path is not None else "",
        "several": len(read.documents) > 1,
        "fields": _fields(read.fields),
        **_reading(passages, read.of(document_id), path, console),
        "cited_by": [
            {"id": entry.id, "question": entry.question}
            for entry in publisher.sources.cited().get(document_id, ())
        ],
        "uses": [
            asdict(use)
            for use in publisher.sources.uses({publisher.documents.name(path)} if path is not None else set())
        ],
        **_faults(read, console.language),
    }


@router.get("/documents/published/{document_id}/file", response_class=FileResponse)
def file(document_id: str, _: Reader, console: Parts) -> FileResponse:
    """Return the file itself; a browser shows a PDF and saves all others."""
    path = console.publisher.documents.file_of(document_id)
    if path is None:
        raise HTTPException(404, {"error": "no_document", "message": "there is no such document"})
    shown = "inline" if path.suffix.lower() == ".pdf" else "attachment"
    return FileResponse(path, filename=path.name, content_disposition_type=shown)


@router.get(
    "/documents/published/{document_id}/pages/{number}", response_class=Response, responses=dict(PICTURE)
)
def page(document_id: str, number: PageNumber, account: Reader, console: Parts, request: Request) -> Response:
    """Return a page of a published PDF as a picture; an account has to wait (429) after many pages in a minute."""
    path = console.publisher.documents.file_of(document_id)
    if path is None:
        raise HTTPException(404, {"error": "no_document", "message": "there is no such document"})
    return _picture(path, number, account, console, request)


@router.get(
    "/documents/published/{document_id}/passages/{place}/frames", response_model=answers.PassageFrames
)
def frames(document_id: str, place: Place, _: Reader, console: Parts) -> Mapping[str, Any]:
    """Return where a passage stands on the pages of a published PDF; `place` is its own in the document, from 0."""
    path = console.publisher.documents.file_of(document_id)
    passages = [each for each in console.publisher.live.index().published if each.document_id == document_id]
    return _frames(passages, place, path, console)


@router.put("/documents/published/{document_id}", response_model=answers.Removed)
def change(document_id: str, body: ChangedDocument, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Change the metadata of a document; they go live with the build that follows."""
    with console.kept_drafts.published(body.draft):
        commit = console.publisher.publish_document(
            lambda files: files.changed(document_id, body.version, given(body)),
            (account.name, account.login),
            "document",
        )
    console.checks.forget(account.login, "document", document_id)
    console.audit.note(account.login, "change_document", document_id, commit=commit)
    return {"id": document_id, "commit": commit}


@router.post("/documents/published/{document_id}/removal", response_model=answers.Removed)
def remove(document_id: str, body: Seen, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Take a document out of the folder, whose versions keep it; 409 with the places that rest on it."""
    called = console.name_of(f"document/{document_id}")
    commit = console.publisher.publish_document(
        lambda files: files.removed(document_id, body.version),
        (account.name, account.login),
        "document_removed",
    )
    console.checks.forget(account.login, "document", document_id)
    console.audit.note(account.login, "remove_document", document_id, called=called, commit=commit)
    return {"id": document_id, "commit": commit}


@router.get("/documents/drafts", response_model=answers.DraftList)
def drafts(_: Editor, console: Parts) -> Mapping[str, Any]:
    """Return the uploaded files that are not published yet, the newest first."""
    return {"drafts": [_draft(draft, console) for draft in console.publisher.documents.drafts()]}


@router.post(
    "/documents/drafts", status_code=201, openapi_extra=dict(FILE_BODY), response_model=answers.Draft
)
async def upload(
    request: Request,
    account: Editor,
    console: Parts,
    name: Annotated[str, Query(min_length=1, max_length=300)],
) -> Mapping[str, Any]:
    """Take a file as a draft, and return how it was read."""
    content = await request.body()
    files = console.publisher.documents
    draft = await run_in_threadpool(files.upload, name, content, account.login)
    console.audit.note(account.login, "upload", name)
    return await run_in_threadpool(_draft, draft, console)


@router.get("/documents/drafts/{draft_id}", response_model=answers.ReadDraft)
def draft(draft_id: str, _: Editor, console: Parts) -> Mapping[str, Any]:
    """Return how an uploaded file was read and split, with its metadata and what is wrong with it."""
    files = console.publisher.documents
    found = files.draft(draft_id)
    read, (document_id, version) = files.read_draft(found), files.replaced_by(found)
    return {
        **_draft(found, console),
        "id": document_id,
        "version": version,
        "several": len(read.documents) > 1,
        "fields": _fields(files.fields_of(found)),
        **_reading(read.passages, read, found.path, console),
    }


@router.get("/documents/drafts/{draft_id}/nearer-entries", response_model=answers.NearerEntryList)
def draft_entries(draft_id: str, _: Editor, console: Parts) -> Mapping[str, Any]:
    """Return the FAQ entries whose matter an uploaded file speaks of, and which would still answer before it."""
    files = console.publisher.documents
    found = files.draft(draft_id)
    document_id, _version = files.replaced_by(found)
    entries = console.publisher.live.nearer_entries(files.read_draft(found).passages, document_id)
    return {"entries": [{"id": entry.id, "question": entry.question} for entry in entries]}


@router.get("/documents/drafts/{draft_id}/pages/{number}", response_class=Response, responses=dict(PICTURE))
def draft_page(
    draft_id: str, number: PageNumber, account: Editor, console: Parts, request: Request
) -> Response:
    """Return a page of an uploaded PDF as a picture, as `page` does."""
    return _picture(console.publisher.documents.draft(draft_id).path, number, account, console, request)


@router.get("/documents/drafts/{draft_id}/passages/{place}/frames", response_model=answers.PassageFrames)
def draft_frames(draft_id: str, place: Place, _: Editor, console: Parts) -> Mapping[str, Any]:
    """Return where a passage stands on the pages of an uploaded PDF, as `frames` does."""
    found = console.publisher.documents.draft(draft_id)
    passages = console.publisher.documents.read_draft(found).passages
    return _frames(passages, place, found.path, console)


@router.delete("/documents/drafts/{draft_id}", response_model=answers.Discarded)
def discard(draft_id: str, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Delete an uploaded file that was not published."""
    files = console.publisher.documents
    found = files.draft(draft_id)
    files.discard(found)
    console.checks.forget(account.login, "document", draft_id)
    console.audit.note(account.login, "discard", found.path.name)
    return {"id": draft_id}


@router.post("/documents/drafts/{draft_id}/publication", response_model=answers.Removed)
def publish(draft_id: str, body: ChangedDocument, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Put a draft into the knowledge folder; it goes live with the build that follows."""
    found = console.publisher.documents.draft(draft_id)
    document_id, replaced = console.publisher.documents.replaced_by(found)
    with console.kept_drafts.published(body.draft):
        commit = console.publisher.publish_document(
            lambda files: files.published(found, body.version, given(body)),
            (account.name, account.login),
            "document_replaced" if replaced else "document_added",
        )
    console.publisher.documents.discard(found)
    console.checks.forget(account.login, "document", draft_id)
    console.audit.note(account.login, "publish_document", document_id, file=found.path.name, commit=commit)
    return {"id": document_id, "commit": commit}


def _draft(draft: Draft, console: Console) -> Mapping[str, Any]:
    read = console.publisher.documents.read_draft(draft)
    return {
        "draft": draft.id,
        "name": draft.path.name,
        "by": draft.by,
        "at": draft.at,
        "title": read.documents[0][0].meta.title if read.documents else draft.path.name,
        "count": len(read.passages),
        **_faults(read, console.language),
    }


def _faults(read: Read, language: str) -> Mapping[str, Sequence[str]]:
    def told(problems: Sequence[Problem]) -> Sequence[str]:
        return [problem.told(language) for problem in problems]

    return {"problems": told(read.problems), "warnings": told(read.warnings)}


def _meta(passage: Passage) -> Mapping[str, Any]:
    return {
        "id": passage.document_id,
        "title": passage.title,
        "number": passage.number or "",
        "topic": passage.topic or "",
        "effective_from": str(passage.effective_from or ""),
        "effective_to": str(passage.effective_to or ""),
        "url": passage.url or "",
    }


def _picture(path: Path, number: int, account: Account, console: Console, request: Request) -> Response:
    """Return a page as a picture, or that a browser has it already, as long as the file is as it was."""
    stat = path.stat()
    headers = {
        "ETag": f'"{stat.st_mtime_ns:x}-{stat.st_size:x}-{number}"',
        "Cache-Control": "private, no-cache",
    }
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if wait_s := console.page_pictures.wait_s(account.login):
        told = f"too many pages in a minute; again in {wait_s} s"
        raise HTTPException(429, {"error": "too_many_pages", "message": told}, {"Retry-After": str(wait_s)})
    return Response(console.publisher.documents.page(path, number), media_type=MEDIA_TYPE, headers=headers)


def _frames(
    passages: Sequence[Passage], place: int, path: Path | None, console: Console
) -> Mapping[str, Any]:
    """Return the frames of the passage at a place, by page; none for a passage without a page or a file."""
    if place >= len(passages):
        raise HTTPException(404, {"error": "no_passage", "message": "there is no such passage"})
    first = passages[place].page
    if path is None or first is None:
        return {"pages": []}
    # It goes on at most as far as the page on which the next one begins.
    later = (each.page for each in passages[place + 1 :] if each.page is not None)
    last = next(later, MAX_PAGES)
    found = console.publisher.documents.frames(path, passages[place].text, first, last)
    return {
        "pages": [
            {"page": page, "frames": [asdict(frame) for frame in frames]} for page, frames in found.items()
        ]
    }


def _reading(
    passages: Sequence[Passage], read: Read, path: Path | None, console: Console
) -> Mapping[str, Any]:
    """Return passages, and what they were read from: the survey of the file's pages, or the text of one without.

    A passage's line in that text is None when the file has changed since.
    """
    survey = console.publisher.documents.survey(path) if path is not None else PageSurvey(0)
    begins, lines = 0, {}
    known = {}
    for document, own in read.documents:
        known.update({passage.id: passage.text for passage in own})
        lines.update({passage.id: begins + read.lines[passage.id] for passage in own})
        begins += document.text.count("\n") + len(BETWEEN)
    return {
        "pages": asdict(survey),
        "text": "" if survey.count else BETWEEN.join(document.text for document, _ in read.documents),
        "passages": [
            {
                "locator": passage.locator,
                "context": list(passage.context),
                "text": passage.text,
                "page": passage.page,
                "line": lines[passage.id] if known.get(passage.id) == passage.text else None,
            }
            for passage in passages
        ],
    }


def _fields(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    empty: Mapping[str, Any] = {"applies_to": {}, "supersedes": []}
    return {name: fields.get(name) or empty.get(name, "") for name in FIELDS}


def given(body: DocumentFields) -> Mapping[str, Any]:
    """Return the metadata that a body has."""
    return {name: getattr(body, name) for name in FIELDS}
