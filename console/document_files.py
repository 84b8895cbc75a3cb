"""The documents of a knowledge folder (`documents/`), and drafts: uploaded files that wait to be looked at.

A document's metadata stand in its front matter when it has one, and otherwise in `NAME.meta.yml` beside it. A draft is
a folder of the state folder with the file in it, read as `covan index` reads it, so that an editor sees what students
could be shown before it is published.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from pypdfium2 import PdfiumError

from console.knowledge_files import ConflictError
from console.replaced_file import replace_file, write_contents
from console.reviews import Review, review_of
from console.yaml_places import read
from console.yaml_text import YamlTextError, with_fields
from rag.errors import CovanError, Problem
from rag.ingest.documents import META_SUFFIXES, load_documents
from rag.ingest.known import Known
from rag.ingest.load import MAX_FILE_BYTES, DocumentContext, document_context, load_drafted
from rag.ingest.loaders import all_loaders
from rag.ingest.loaders.jsonl import JsonlLoader
from rag.ingest.loaders.page_frames import Frame, passage_frames
from rag.ingest.loaders.page_image import page_image
from rag.ingest.loaders.page_survey import PageSurvey, survey_pages
from rag.ingest.loaders.pdf import PdfLoader
from rag.ingest.schema import DocumentRecord
from rag.ingest.split import placed_passages
from rag.messages import Message
from rag.types import Document, Passage
from vietnamese.text import fold

FOLDER = "documents"
COURSES = "courses"
MOST_DRAFTS = 200

FIELDS = (
    "title",
    "number",
    "issued",
    "effective_from",
    "effective_to",
    "topic",
    "applies_to",
    "supersedes",
    "course",
    "url",
    "owner",
    "reviewed_at",
)
"""The metadata that an editor writes, in the order in which they are written."""

_FRONT_MATTER = re.compile(
    rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n(?P<yaml>.*?)(?=^---[ \t]*(?:\r?\n|\Z))", re.DOTALL | re.MULTILINE
)
_MARKDOWN = (".md", ".markdown")
_NOT_IN_NAME = re.compile(r"[^a-z0-9]+")
_NAMED_BY_FILE = (".pdf", ".docx", ".txt")
"""The kinds of files that cannot say another id than their name themselves."""

_DRAFT_ID = re.compile(r"[0-9a-f]{16}")
_RECORD = "draft.json"


class DocumentFileError(CovanError):
    """A file or an edit cannot be taken; `code` and the message say why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class NoPageError(CovanError):
    """A file has no such page, or none at all."""


class NoDraftError(CovanError):
    """There is no such draft: published or discarded meanwhile."""


@dataclass(frozen=True, slots=True)
class Read:
    """A file as it was read: its documents with their passages, what must be mended, and what to look at.

    `lines` are the lines, from 0, of the documents' texts that passages begin on, by the ids of passages.
    """

    documents: Sequence[tuple[Document, Sequence[Passage]]] = ()
    lines: Mapping[str, int] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
    warnings: Sequence[Problem] = ()

    @property
    def passages(self) -> Sequence[Passage]:
        """The passages of all its documents."""
        return [passage for _, passages in self.documents for passage in passages]

    def of(self, document_id: str) -> Read:
        """Return the reading of one of the file's documents."""
        own = [
            (document, passages) for document, passages in self.documents if document.meta.id == document_id
        ]
        return replace(self, documents=own)


@dataclass(frozen=True, slots=True)
class Draft:
    """An uploaded file: `by` is a login, `at` in seconds since 1970."""

    id: str
    path: Path
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class DocumentEdit:
    """The new contents of files by their paths in the knowledge folder; None: it goes."""

    document_id: str
    title: str
    contents: Mapping[str, bytes | None]


class DocumentFiles:
    """The documents of the knowledge folder `knowledge`, and the drafts in the folder `drafts`."""

    def __init__(self, knowledge: Path, drafts: Path, clock: Callable[[], float] = time.time) -> None:
        self._knowledge = knowledge
        self._drafts = drafts
        self._clock = clock
        self._read: dict[Path, tuple[tuple[int, int], Read]] = {}
        self._ids: dict[Path, tuple[tuple[int, int], frozenset[str]]] = {}
        self._reviews: dict[Path, tuple[tuple[int, int], Mapping[str, Review]]] = {}
        self._surveys: dict[Path, tuple[tuple[int, int], PageSurvey]] = {}
        self._checked_against: tuple[tuple[int, int], DocumentContext] | None = None

    # --- published ----------------------------------------------------------------------------------------------

    def paths(self) -> Sequence[Path]:
        """Return the files that hold documents, or would if they could be read."""
        suffixes = frozenset(kinds())
        return sorted(
            path
            for path in (self._knowledge / FOLDER).rglob("*")
            if path.suffix.lower() in suffixes and path.is_file() and not _is_hidden(path)
        )

    def file_of(self, document_id: str) -> Path | None:
        """Return the file of a document, by its id or by the file's own name; None when it has none."""
        paths = self.paths()
        named = next((path for path in paths if document_id in (path.stem, path.name)), None)
        if named is not None:
            return named
        # Files whose names are the ids are not read for that: a school's PDFs take minutes.
        others = (path for path in paths if path.suffix.lower() not in _NAMED_BY_FILE or _sidecars(path))
        return next((path for path in others if document_id in self.ids_in(path)), None)

    def ids_in(self, path: Path) -> Set[str]:
        """Return the ids of the documents in a file.

        It is not checked against the folder's dictionaries and not split: a folder of 2,000 files would take minutes.
        """
        files = self._with_sidecars(path)
        stamp, known = _stamp(files.values()), self._ids.get(path)
        if known is None or known[0] != stamp:
            found = load_documents(files, Known(), [], []).documents
            self._ids[path] = known = stamp, frozenset(document.meta.id for document in found)
        return known[1]

    def reviews(self) -> Mapping[str, Review]:
        """Return who is in charge of each document and when it was last reviewed, by its id.

        Only metadata are read: the texts of a folder of 2,000 files would take minutes.
        """
        found: dict[str, Review] = {}
        # Asking for each path whether it is a file would take half of the time.
        beside = {each for suffix in META_SUFFIXES for each in (self._knowledge / FOLDER).rglob(f"*{suffix}")}
        for path in self.paths():
            files = [path, *(each for each in _sidecar_paths(path) if each in beside)]
            stamp, known = _stamp(files), self._reviews.get(path)
            if known is None or known[0] != stamp:
                self._reviews[path] = known = stamp, _reviews_in(*files)
            found.update(known[1])
        return found

    def ids_of(self, files: Iterable[str]) -> Set[str]:
        """Return the ids of the documents that are, or have their metadata, in some files of the knowledge folder."""
        found: set[str] = set()
        for name in files:
            own = [path for path in self.paths() if self.is_of(path, name)]
            others = (path for path in own if path.suffix.lower() not in _NAMED_BY_FILE)
            found |= {PurePosixPath(name).stem, *(path.stem for path in own)}
            found |= {each for path in others for each in self.ids_in(path)}
        return found

    def ids_gone(self, files: Set[str]) -> Set[str]:
        """Return the ids of the documents that are taken away with some files of the knowledge folder."""
        gone, kept = [], set()
        for path in self.paths():
            if self.name(path) in files:
                gone.append(path)
            else:
                kept.add(path.stem)
        named = {path.stem for path in gone if path.suffix.lower() in _NAMED_BY_FILE and not _sidecars(path)}
        others = (path for path in gone if path.stem not in named)
        return (named | {each for path in others for each in self.ids_in(path)}) - kept

    def is_of(self, path: Path, file: str) -> bool:
        """Return whether `file`, a path in the knowledge folder, is that document's file, or has its metadata."""
        return file in self._with_sidecars(path)

    def name(self, path: Path) -> str:
        """Return the path of a file in the knowledge folder."""
        return path.relative_to(self._knowledge).as_posix()

    def read(self, path: Path) -> Read:
        """Return a published file as it is read. Raises KnowledgeError."""
        return self._read_once(self._with_sidecars(path))

    def waiting(self, live: Set[str]) -> Sequence[tuple[str, Path, Read]]:
        """Return the files, as they are read, that are faulty or hold no document of `live`. Raises KnowledgeError.

        Each comes with what `file_of` finds it by: its stem, or its name when another file has that stem.
        """
        paths = self.paths()
        files = Counter(path.stem for path in paths)
        # A file that is live is not read; of two with its name, one may be what no build can read.
        read = [(path, self.read(path)) for path in paths if path.stem not in live or files[path.stem] > 1]
        return [
            (path.name if files[path.stem] > 1 else path.stem, path, each)
            for path, each in read
            if each.problems or not self.ids_in(path) & live
        ]

    def survey(self, path: Path) -> PageSurvey:
        """Return the survey of the pages of a published or drafted file, made once for each state of it."""
        if not _has_pages(path):
            return PageSurvey(0)
        stamp, known = _stamp([path]), self._surveys.get(path)
        if known is None or known[0] != stamp:
            try:
                found = survey_pages(path)
            except PdfiumError:
                found = PageSurvey(0)  # its reading says why
            self._surveys[path] = known = stamp, found
        return known[1]

    def page(self, path: Path, number: int) -> bytes:
        """Return a picture of a page, from 1, of a published or drafted file.

        Raises NoPageError, or DocumentFileError when PDFium cannot draw it.
        """
        try:
            found = page_image(path, number) if _has_pages(path) else None
        except PdfiumError as error:
            raise DocumentFileError(
                "page", f"page {number} of {path.name} cannot be shown; open the file itself"
            ) from error
        if found is None:
            raise NoPageError(f"{path.name} has no page {number}")
        return found

    def frames(self, path: Path, text: str, first: int, last: int) -> Mapping[int, Sequence[Frame]]:
        """Return where a passage stands on the pages of a file (`passage_frames`).

        Nowhere when PDFium cannot read it; the picture of a page tells why.
        """
        with suppress(PdfiumError):
            return passage_frames(path, text, first, last) if _has_pages(path) else {}
        return {}

    def version(self, path: Path) -> str:
        """Return a hash of a file and its metadata."""
        digest = sha256()
        for each in (path, *_sidecars(path)):
            digest.update(each.read_bytes())
        return digest.hexdigest()[:16]

    def changed(self, document_id: str, version: str, fields: Mapping[str, Any]) -> DocumentEdit:
        """Return the edit of a document's metadata. Raises ConflictError, YamlTextError, DocumentFileError."""
        path = self._at(document_id, version)
        if self.ids_in(path) != {document_id}:
            raise DocumentFileError(
                "several", f"{self.name(path)} holds several documents; change it in the file itself"
            )
        title = _title(fields, self.read(path), document_id)
        return DocumentEdit(document_id, title, self._with_metadata(path.read_bytes(), path, fields))

    def removed(self, document_id: str, version: str) -> DocumentEdit:
        """Return the edit that takes a document out of the folder. Raises ConflictError."""
        path = self._at(document_id, version)
        others = {side for each in self.paths() if each != path for side in _sidecars(each)}
        files = [path, *(each for each in _sidecars(path) if each not in others)]
        title = _title({}, self.read(path).of(document_id), document_id)
        return DocumentEdit(document_id, title, {self.name(each): None for each in files})

    def _at(self, document_id: str, version: str) -> Path:
        path = self.file_of(document_id)
        if path is None or self.version(path) != version:
            raise self._conflict(document_id)
        return path

    def _conflict(self, document_id: str) -> ConflictError:
        """Return the conflict with what stands in the folder by now: the text of the document's passages."""
        path = self.file_of(document_id)
        if path is None:
            return ConflictError(document_id, "")
        documents = self.read(path).of(document_id).documents
        text = "\n\n".join(passage.text for _, passages in documents for passage in passages)
        return ConflictError(document_id, text, self.version(path))

    # --- drafts -------------------------------------------------------------------------------------------------

    def upload(self, name: str, content: bytes, by: str) -> Draft:
        """Keep an uploaded file as a draft, under a name made of plain letters. Raises DocumentFileError."""
        given = PurePosixPath(name.replace("\\", "/"))
        suffix, stem = given.suffix.lower(), _NOT_IN_NAME.sub("-", fold(given.stem)).strip("-")[:100]
        if suffix not in kinds():
            raise DocumentFileError(
                "kind", f"{given.name}: only {', '.join(kinds())} are read; save it as one of these"
            )
        if not stem:
            raise DocumentFileError("name", f"{given.name}: the name has no letters; rename the file")
        if not content:
            raise DocumentFileError("empty", f"{given.name} is empty")
        if len(content) > MAX_FILE_BYTES:
            raise DocumentFileError("large", f"{given.name} is larger than {MAX_FILE_BYTES // 2**20} MB")
        if len(self.drafts()) >= MOST_DRAFTS:
            raise DocumentFileError(
                "drafts", f"{MOST_DRAFTS} files are waiting; publish or discard some first"
            )
        folder = self._drafts / secrets.token_hex(8)
        replace_file(folder / f"{stem}{suffix}", content)
        record = json.dumps({"by": by, "at": self._clock()})
        replace_file(folder / _RECORD, record.encode())
        return self.draft(folder.name)

    def drafts(self) -> Sequence[Draft]:
        """Return all drafts, the newest first."""
        return sorted(self._kept(), key=lambda draft: -draft.at)

    def draft(self, draft_id: str) -> Draft:
        """Return a draft. Raises NoDraftError."""
        found = _draft(self._drafts / draft_id) if _DRAFT_ID.fullmatch(draft_id) else None
        if found is None:
            raise NoDraftError("there is no such draft; it was published or discarded meanwhile")
        return found

    def discard(self, draft: Draft) -> None:
        """Delete a draft."""
        shutil.rmtree(draft.path.parent, ignore_errors=True)
        self._read.pop(draft.path, None)
        self._surveys.pop(draft.path, None)

    def read_draft(self, draft: Draft) -> Read:
        """Return a draft as it would be read. Raises KnowledgeError."""
        return self._read_once({draft.path.name: draft.path})

    def fields_of(self, draft: Draft) -> Mapping[str, Any]:
        """Return a draft's metadata; those that it lacks are of the document that it would replace.

        Raises KnowledgeError.
        """
        own = self.read_draft(draft)
        older = self.file_of(_id(draft, own))
        return {**(self.read(older).fields if older is not None else {}), **own.fields}

    def replaced_by(self, draft: Draft) -> tuple[str, str]:
        """Return id and version of the document that a draft would replace; its own id and "" when it is new."""
        document_id = _id(draft, self.read_draft(draft))
        older = self.file_of(document_id)
        return document_id, self.version(older) if older is not None else ""

    def published(self, draft: Draft, version: str, fields: Mapping[str, Any]) -> DocumentEdit:
        """Return the edit that publishes a draft with its metadata.

        It takes the place of the document with its id, which was seen at `version`; "": there was none. A file of
        several documents has their metadata in itself. Raises ConflictError, KnowledgeError, YamlTextError.
        """
        document_id, now = self.replaced_by(draft)
        if now != version:
            raise self._conflict(document_id)
        older = self.file_of(document_id)
        folder = older.parent if older is not None else self._knowledge / FOLDER
        path = folder / draft.path.name
        read = self.read_draft(draft)
        content, several = draft.path.read_bytes(), len(read.documents) > 1
        contents: dict[str, bytes | None] = {self.name(path): content}
        if not several:
            contents = self._with_metadata(content, path, fields)
        if older is not None and older != path:
            contents[self.name(older)] = None
        return DocumentEdit(document_id, _title(fields, read, document_id), contents)

    def problems(self, edit: DocumentEdit) -> Sequence[Problem]:
        """Return what must be mended before an edit can be published. Raises KnowledgeError."""
        with tempfile.TemporaryDirectory(prefix="covan-console-") as folder:
            write_contents(Path(folder), edit.contents)
            staged = {
                name: Path(folder) / name for name, content in edit.contents.items() if content is not None
            }
            return self._reading(staged).problems

    def _kept(self) -> Iterator[Draft]:
        for folder in self._drafts.glob("*") if self._drafts.is_dir() else ():
            if (draft := _draft(folder)) is not None:
                yield draft

    def _read_once(self, files: Mapping[str, Path]) -> Read:
        """Return a file, the first one, with its metadata as they are read; once for each state of them."""
        path, stamp = next(iter(files.values())), _stamp(files.values())
        known = self._read.get(path)
        if known is None or known[0] != stamp:
            self._read[path] = known = stamp, self._reading(files)
        return known[1]

    def _with_sidecars(self, path: Path) -> Mapping[str, Path]:
        return {self.name(each): each for each in (path, *_sidecars(path))}

    def _reading(self, files: Mapping[str, Path]) -> Read:
        ids = {path.stem for path in self.paths()}
        found, problems, warnings = load_drafted(self._context(), files, ids)
        records = [entry.record for entry in found.entries]
        placed = [(document, placed_passages(document)) for document in found.documents]
        # A material is named by its headings; nothing of any other file without a passage could ever answer, and the
        # console would wait for it for ever.
        answers = any(passages or (each.text and each.meta.course) for each, passages in placed)
        if files and not problems and not answers:
            problems.append(Problem(next(iter(files)), Message("nothing_to_answer_with")))
        return Read(
            [(document, [passage for passage, _ in passages]) for document, passages in placed],
            {passage.id: line for _, passages in placed for passage, line in passages},
            _fields_of(records[0]) if len(records) == 1 else {},
            problems,
            warnings,
        )

    def _context(self) -> DocumentContext:
        """Return what documents are checked against, read once for each state of its files. Raises KnowledgeError."""
        stamp = _stamp([*self._knowledge.glob("*.y*ml"), *(self._knowledge / COURSES).rglob("*")])
        known = self._checked_against
        if known is None or known[0] != stamp:
            self._checked_against = known = stamp, document_context(self._knowledge)
        return known[1]

    def _with_metadata(
        self, content: bytes, path: Path, fields: Mapping[str, Any]
    ) -> dict[str, bytes | None]:
        """Return the contents of the files of a document at `path` with these metadata."""
        known = {name: fields.get(name) for name in FIELDS}
        match = front_matter(path, content)
        if match is not None:
            start, end = match.span("yaml")
            head = with_fields(match["yaml"].decode(errors="replace"), known)
            return {self.name(path): content[:start] + head.encode() + content[end:]}
        beside = next(iter(_sidecars(path)), path.with_name(f"{path.stem}{META_SUFFIXES[0]}"))
        before = beside.read_text(encoding="utf-8", errors="replace") if beside.exists() else ""
        after = with_fields(before, known)
        metadata = {self.name(beside): after.encode()} if after != before else {}
        return {**metadata, self.name(path): content}


def kinds() -> Sequence[str]:
    """Return the suffixes of the files that can be read, with the dot."""
    return [suffix for loader in all_loaders() for suffix in loader.suffixes]


def _has_pages(path: Path) -> bool:
    return path.suffix.lower() in PdfLoader.suffixes


def _draft(folder: Path) -> Draft | None:
    try:
        record = json.loads((folder / _RECORD).read_bytes())
        path = next(path for path in folder.iterdir() if path.name != _RECORD and not _is_hidden(path))
    except (OSError, ValueError, StopIteration):
        return None  # being uploaded or discarded
    return Draft(folder.name, path, str(record["by"]), float(record["at"]))


def _id(draft: Draft, read: Read) -> str:
    return read.documents[0][0].meta.id if read.documents else draft.path.stem


def _title(fields: Mapping[str, Any], read: Read, document_id: str) -> str:
    """Return what the versions call a document: the title it is given, that of its first page, or its id."""
    return str(fields.get("title") or (read.documents[0][0].meta.title if read.documents else document_id))


def _stamp(paths: Iterable[Path]) -> tuple[int, int]:
    """Return what changes with any of some files."""
    stats = [path.stat() for path in paths]
    return sum(each.st_mtime_ns for each in stats), sum(each.st_size for each in stats)


def _sidecars(path: Path) -> Sequence[Path]:
    return [each for each in _sidecar_paths(path) if each.is_file()]


def _sidecar_paths(path: Path) -> Sequence[Path]:
    """Return where the metadata of a document may stand."""
    names = [f"{name}{suffix}" for name in (path.stem, path.name) for suffix in META_SUFFIXES]
    return [path.with_name(name) for name in names]


def _reviews_in(path: Path, *sidecars: Path) -> Mapping[str, Review]:
    """Return the reviews of the documents in a file, by their ids; what the file itself tells goes before."""
    beside = _mapping(sidecars[0].read_text(encoding="utf-8-sig", errors="replace")) if sidecars else {}
    if path.suffix.lower() in JsonlLoader.suffixes:
        own = [each.fields for each in JsonlLoader().load(path).documents]
    else:
        match = front_matter(path, path.read_bytes())
        own = [_mapping(match["yaml"].decode(errors="replace"))] if match is not None else [{}]
    told = [{**beside, **{name: value for name, value in each.items() if value}} for each in own]
    return {str(each.get("id") or path.stem): review_of(each) for each in told}


def front_matter(path: PurePath, content: bytes) -> re.Match[bytes] | None:
    """Return the metadata at the head of a Markdown file; None without any."""
    return _FRONT_MATTER.match(content) if path.suffix.lower() in _MARKDOWN else None


def _mapping(text: str) -> Mapping[str, Any]:
    """Return the data of a YAML text; none when it is no mapping, which its reading tells of."""
    with suppress(YamlTextError):
        data = read(text)
        return data if isinstance(data, dict) else {}
    return {}


def _is_hidden(path: Path) -> bool:
    return path.name.startswith((".", "~$"))


def _fields_of(record: DocumentRecord) -> Mapping[str, Any]:
    known = record.model_dump(mode="json")
    return {name: known[name] for name in FIELDS if known[name]}
