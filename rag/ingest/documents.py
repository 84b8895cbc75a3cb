"""The published documents of a folder, each with its metadata."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from rag.errors import Problem
from rag.ingest.entries import Entry, Place, read_entry, read_yaml
from rag.ingest.known import Known
from rag.ingest.loaders import RawDocument, all_loaders, loader_for
from rag.ingest.loaders.title import title_in
from rag.ingest.schema import DocumentRecord
from rag.messages import Message
from rag.types import Document, DocumentMeta
from school.dimensions import AppliesTo

META_SUFFIXES = (".meta.yml", ".meta.yaml")

_INSTEAD = {
    **dict.fromkeys((".doc", ".rtf", ".odt"), "save_as_docx"),
    **dict.fromkeys((".xls", ".xlsx"), "tables_into_document"),
    **dict.fromkeys((".ppt", ".pptx"), "save_as_pdf"),
    **dict.fromkeys((".html", ".htm"), "save_as_pdf_or_markdown"),
    ".json": "save_as_jsonl",
}


@dataclass(frozen=True, slots=True)
class LoadedDocuments:
    """The documents in the order of their files; `entries` are their metadata with their places.

    `unreadable` are the stems of files that could not be loaded, so that references to them are no faults.
    """

    documents: tuple[Document, ...] = ()
    entries: tuple[Entry[DocumentRecord], ...] = ()
    unreadable: frozenset[str] = field(default_factory=frozenset)


def load_documents(
    files: Mapping[str, Path], known: Known, problems: list[Problem], warnings: list[Problem]
) -> LoadedDocuments:
    """Return the documents of `files`, paths by their names in problems.

    A document's own metadata (front matter, a JSONL line) wins over the `NAME.meta.yml` beside it.
    """
    sidecars = {file: path for file, path in files.items() if file.endswith(META_SUFFIXES)}
    documents: list[Document] = []
    entries: list[Entry[DocumentRecord]] = []
    unreadable: set[str] = set()
    places: dict[str, Place] = {}
    used: set[str] = set()
    where: str
    for file, path in files.items():
        if file in sidecars:
            continue
        loader = loader_for(path.suffix)
        if loader is None:
            warnings.append(Problem(file, _unknown_kind(path)))
            continue
        sidecar, sidecar_file = _sidecar(file, path, sidecars, problems)
        used.update([sidecar_file] if sidecar_file else [])
        try:
            loading = loader.load(path)
        except OSError as error:
            problems.append(Problem(file, Message("cannot_be_read", reason=error.strerror)))
            unreadable.add(path.stem)
            continue
        problems.extend(Problem(file, fault.message, fault.line) for fault in loading.problems)
        warnings.extend(Problem(file, fault.message, fault.line) for fault in loading.warnings)
        if loading.problems:
            unreadable.update([path.stem, *_declared(loading.documents)])
            continue
        if not loading.documents:
            warnings.append(Problem(file, Message("no_document")))
        for raw in loading.documents:
            entry = _entry(raw, file, sidecar, problems)
            if entry is None:
                unreadable.update([path.stem, *_declared([raw])])
                continue
            students = known.students(entry.record.applies_to, entry.place, problems, warnings)
            document = _document(raw, entry.record, students, path.stem)
            if (first := places.get(document.meta.id)) is not None:
                where = first.file if first.file != file else Message("line", line=first.line())
                message = Message("document_twice", id=document.meta.id, where=where)
                problems.append(entry.place.problem(message, "id"))
                continue
            places[document.meta.id] = entry.place
            if not document.text and not loading.warnings:
                warnings.append(Problem(file, Message("document_without_text")))
            documents.append(document)
            entries.append(replace(entry, record=entry.record.model_copy(update={"id": document.meta.id})))
    warnings.extend(Problem(file, Message("sidecar_alone")) for file in sidecars if file not in used)
    return LoadedDocuments(tuple(documents), tuple(entries), frozenset(unreadable))


def _unknown_kind(path: Path) -> Message:
    known = ", ".join(suffix for loader in all_loaders() for suffix in loader.suffixes)
    instead = _INSTEAD.get(path.suffix.lower())
    return Message("unknown_kind", advice=Message(instead) if instead else Message("kinds_read", known=known))


def _declared(documents: Sequence[RawDocument]) -> list[str]:
    return [str(raw.fields["id"]) for raw in documents if raw.fields.get("id")]


def _sidecar(
    file: str, path: Path, sidecars: Mapping[str, Path], problems: list[Problem]
) -> tuple[Place | None, str | None]:
    """Return root and name of the `NAME.meta.yml` beside a document; NAME is its name with or without the suffix."""
    folder = file[: len(file) - len(path.name)]
    for name in (path.stem, path.name):
        for suffix in META_SUFFIXES:
            if (found := f"{folder}{name}{suffix}") not in sidecars:
                continue
            place = read_yaml(sidecars[found], found, problems)
            if place is not None and not isinstance(place.marked.data, dict):
                if place.marked.data is not None:
                    problems.append(place.problem(Message("not_key_value")))
                place = None
            return place, found
    return None, None


def _entry(
    raw: RawDocument, file: str, sidecar: Place | None, problems: list[Problem]
) -> Entry[DocumentRecord] | None:
    """Return the checked metadata of a document: its own fields, and those of the sidecar that it lacks.

    Later faults are reported at its place: the sidecar, unless the document has metadata itself.
    """
    own = read_entry(DocumentRecord, dict(raw.fields), Place(file, raw.marked), problems)
    if sidecar is None:
        return own
    beside = read_entry(DocumentRecord, sidecar.marked.data, sidecar, problems)
    if own is None or beside is None:
        return None
    said = {key: getattr(own.record, key) for key in own.record.model_fields_set}
    return Entry(beside.record.model_copy(update=said), own.place if said else sidecar)


def _document(raw: RawDocument, record: DocumentRecord, students: AppliesTo, stem: str) -> Document:
    meta = DocumentMeta(
        id=record.id or stem,
        title=record.title or title_in(raw.text) or record.id or stem,
        number=record.number,
        issued=record.issued,
        effective_from=record.effective_from,
        effective_to=record.effective_to,
        topic=record.topic,
        applies_to=students,
        supersedes=record.supersedes,
        url=record.url,
        course=record.course,
    )
    return Document(meta, raw.text, content_hash(meta, raw.text), raw.marks)


def content_hash(meta: DocumentMeta, text: str) -> str:
    """Return the SHA-256 (hexadecimal) of a document's metadata and text."""
    known = json.dumps({"meta": asdict(meta), "text": text}, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(known.encode("utf-8")).hexdigest()
