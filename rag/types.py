"""The words of the engine: every value that passes from one stage to another.

All are frozen dataclasses: a stage returns a new value and never changes the one it was given. Text is NFC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, Literal, Protocol

from school.dimensions import EVERYBODY, UNKNOWN_STUDENT, AppliesTo, Profile
from school.reading import Reading
from vietnamese.text import fold, words

Day = date
"""By another name, for a field that is called `date` itself."""


class DecisionKind(StrEnum):
    """What the gate may decide about a turn."""

    ANSWER = "answer"
    CLARIFY = "clarify"
    NO_ANSWER = "no_answer"


FAQ_SOURCE = "faq"
DOCUMENT_SOURCE = "document"
NO_SOURCE = "none"
"""Names of the answer sources that come with Covan (`rag.answer_sources`), and of none in a reply without an answer."""


class Reason(StrEnum):
    """Why the gate decided as it did; values for counting, not prose for reading."""

    CONDITIONS_HOLD = "conditions_hold"
    EMPTY_QUESTION = "empty_question"
    NOTHING_FOUND = "nothing_found"
    SMALL_TALK = "small_talk"
    CONFIDENCE_LOW = "confidence_low"
    SIMILARITY_LOW = "similarity_low"
    MARGIN_LOW = "margin_low"
    TOPIC_MISMATCH = "topic_mismatch"
    FOREIGN_SCHOOL = "foreign_school"
    NOT_APPLICABLE = "not_applicable"
    DEPENDS_ON_PROFILE = "depends_on_profile"
    SEVERAL_READINGS = "several_readings"
    TOO_BROAD = "too_broad"
    UNDERSPECIFIED = "underspecified"


@dataclass(frozen=True, slots=True)
class DocumentMeta:
    """What is known of a published document besides its text."""

    id: str
    title: str
    number: str | None = None
    issued: date | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    topic: str | None = None
    applies_to: AppliesTo = EVERYBODY
    supersedes: tuple[str, ...] = ()
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A loaded document: its text as light Markdown (headings, paragraphs, lists, pipe tables), one a file.

    `marks` are what its loader knows of places in the text: (line, metadata) from that line on (from 0), in order.
    """

    meta: DocumentMeta
    text: str
    content_hash: str
    marks: tuple[tuple[int, Mapping[str, Any]], ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A citable piece of a document: a clause, a short article or a table row.

    `text` is verbatim except that a table row is read as a statement with its column headings. `context` is
    the chain of headings above it, from the outermost in. `locator` is what a student can look up.
    `order` is its place in the document. `meta` is whatever else the loader knows of the place, by name:
    "page" (from 1) of a PDF.
    """

    id: str
    text: str
    document_id: str
    title: str
    locator: str
    topic: str | None = None
    applies_to: AppliesTo = EVERYBODY
    effective_from: date | None = None
    effective_to: date | None = None
    context: tuple[str, ...] = ()
    number: str | None = None
    url: str | None = None
    order: int = 0
    parent: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def page(self) -> int | None:
        """The page on which the passage begins, from 1; None when the document has no pages."""
        page = self.meta.get("page")
        return page if isinstance(page, int) else None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a curated answer stands: a document and the place in it."""

    document: str
    locator: str = ""


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A question with the answer an office has written for it, its facts already filled in."""

    id: str
    question: str
    variants: tuple[str, ...]
    answer: str
    topic: str
    applies_to: AppliesTo = EVERYBODY
    sources: tuple[Source, ...] = ()
    owner: str | None = None
    reviewed_at: date | None = None

    @property
    def family(self) -> str:
        """What entries that answer the same question for different students have in common: the question's words."""
        return " ".join(words(fold(self.question)))


@dataclass(frozen=True, slots=True)
class Question:
    """What the student asks, and who the student is.

    `reading` is the reading of `text` when somebody has read it already, such as Rasa's NLU; without it the engine
    reads the text itself.
    """

    text: str
    reading: Reading | None = None
    profile: Profile = UNKNOWN_STUDENT


class Item(Protocol):
    """What an answer source finds: a passage, an FAQ entry, or something of a plug-in's own."""

    @property
    def id(self) -> str: ...

    @property
    def topic(self) -> str | None: ...

    @property
    def applies_to(self) -> AppliesTo: ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """One retrieved item of the answer source named `source`.

    `score` ranks it, `scores` are the parts of that score by name. `meta` is for whatever else its source notes.
    """

    source: str
    item: Item
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Decision:
    """The gate's verdict.

    `missing` names the dimensions to ask for, the one that matters most first; `unnamed` the kinds of things that the
    question leaves open ("ngành học"), in the school's words.
    """

    kind: DecisionKind
    reasons: tuple[Reason, ...]
    missing: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A quotation and where it stands; `page` counts from 1."""

    document_id: str
    title: str
    locator: str
    quote: str
    url: str | None = None
    number: str | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Contact:
    """Whom to call, write to or visit; everything but the name may be empty.

    `map_url` shows the place, `note` says what it is for, as the school wrote it.
    """

    kind: Literal["contact"] = field(default="contact", init=False)
    name: str
    phone: str = ""
    email: str = ""
    address: str = ""
    map_url: str = ""
    hours: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A page that an answer leads to: http or https."""

    kind: Literal["link"] = field(default="link", init=False)
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Deadline:
    """A day until which something must be done; `text` is the sentence, or the part of it, that says so.

    The text is plain: no Markdown.
    """

    kind: Literal["deadline"] = field(default="deadline", init=False)
    text: str
    date: Day


Card = Contact | Link | Deadline
"""A part of an answer that a channel can show as what it is: to call, to open, to put into a calendar."""


@dataclass(frozen=True, slots=True)
class Option:
    """A button: what it says, and what choosing it tells the engine.

    `payload` has one key: the id of a dimension with a catalogue id, "faq" with an entry's id, "passage" with a
    passage's id, or "topic" with a topic's id.
    """

    title: str
    payload: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Trace:
    """How a reply came about: every score the gate saw and the time of each stage in milliseconds."""

    normalized: str
    preset: str
    index_version: str
    signals: Mapping[str, float] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What the engine says. `text` is empty unless the decision is to answer; `confidence` is in 0..1.

    `source` names the answer source, `curated` is whether an office has written its answers word for word.
    `topic` is the advising topic the question seems to be about, when one could be told. `depends_on` are the
    dimensions of the profile that an answer goes by: another student may get another one. `parts` are the replies to
    the questions of a message that asks several; `question` is what a reply answers. `cards` say nothing that the text
    or the catalogue does not.
    """

    decision: Decision
    source: str
    text: str
    citations: tuple[Citation, ...]
    options: tuple[Option, ...]
    confidence: float
    trace: Trace
    topic: str | None = None
    answer_id: str | None = None
    question: str = ""
    depends_on: tuple[str, ...] = ()
    parts: tuple[Reply, ...] = ()
    cards: tuple[Card, ...] = ()
    curated: bool = False
