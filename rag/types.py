"""The values that pass from one stage of the engine to another: frozen dataclasses. Text is NFC."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import Any, Literal, Protocol

from rag.language_model.types import ModelCall
from school.aspects import Aspect
from school.dimensions import EVERYBODY, UNKNOWN_STUDENT, AppliesTo, Profile
from school.reading import Reading
from vietnamese.text import fold, words

Day = date
"""An alias for the type of a field that is itself called `date`."""


Compared = Mapping[str, tuple[str, ...]]
"""Values by dimension, for each of which a question is answered."""


class DecisionKind(StrEnum):
    """Decisions about a question."""

    ANSWER = "answer"
    CLARIFY = "clarify"
    NO_ANSWER = "no_answer"


FAQ_SOURCE = "faq"
DOCUMENT_SOURCE = "document"
CALCULATOR_SOURCE = "calculator"
GRAPH_SOURCE = "graph"
STUDY_SOURCE = "study"
MODEL_SOURCE = "model"
NO_SOURCE = "none"
"""Names of Covan's answer sources (`rag.answer_sources`), of a language model that answers alone, and the source of a
reply without an answer."""


class Reason(StrEnum):
    """Reasons of a decision, as values to be counted."""

    CONDITIONS_HOLD = "conditions_hold"
    EMPTY_QUESTION = "empty_question"
    NOTHING_FOUND = "nothing_found"
    SMALL_TALK = "small_talk"
    CONFIDENCE_LOW = "confidence_low"
    SIMILARITY_LOW = "similarity_low"
    MARGIN_LOW = "margin_low"
    TOPIC_MISMATCH = "topic_mismatch"
    FOREIGN_SCHOOL = "foreign_school"
    NOT_TAUGHT = "not_taught"
    NO_SUCH_VALUE = "no_such_value"
    NOT_PUBLISHED = "not_published"
    NOT_APPLICABLE = "not_applicable"
    DEPENDS_ON_PROFILE = "depends_on_profile"
    DEPENDS_ON_VALUE = "depends_on_value"
    VALUE_OUT_OF_RANGE = "value_out_of_range"
    SEVERAL_READINGS = "several_readings"
    TOO_BROAD = "too_broad"
    UNDERSPECIFIED = "underspecified"
    QUERY_RULE = "query_rule"
    OPTIONS_REJECTED = "options_rejected"


@dataclass(frozen=True, slots=True)
class DocumentMeta:
    """The metadata of a published document; `course` is the code of the course that it is a material of, else empty."""

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
    course: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A loaded document: its text as light Markdown (headings, paragraphs, lists, pipe tables).

    `marks` is its loader's metadata of places in the text, in order: (line from 0, metadata from that line on).
    """

    meta: DocumentMeta
    text: str
    content_hash: str
    marks: tuple[tuple[int, Mapping[str, Any]], ...] = ()


TABLE_ROW = "bảng, hàng"
"""The label of a table's row in a locator, before its number."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A citable piece of a document: a clause, a short article or a table row.

    `text` is verbatim, except that a table row becomes a statement with its column headings. `context` is the chain of
    headings above it, the outermost first. `locator` is its place as a student can look it up ("Điều 5, khoản 2");
    `order` its place in the sequence of passages. `meta` is further metadata of its loader: "page" (from 1) of a PDF.
    `course` is the code of the course whose study material it stands in, else empty.
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
    course: str = ""

    @property
    def table(self) -> str:
        """The place of the table whose row the passage is, "Điều 4, khoản 1, "; empty for a passage that is no row."""
        place, is_row, _ = self.locator.rpartition(TABLE_ROW)
        return place or is_row

    @property
    def page(self) -> int | None:
        """The page on which the passage begins, from 1; None when the document has no pages."""
        page = self.meta.get("page")
        return page if isinstance(page, int) else None


@dataclass(frozen=True, slots=True)
class Source:
    """The place that a curated answer rests on: a document and a locator in it."""

    document: str
    locator: str = ""


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A question with the answer an office has written for it, its facts already filled in.

    `aspects` are those that the answer says; empty: unknown. `never_offered`: the question is one of crisis, which is
    answered but never stands among the options of a question back.
    """

    id: str
    question: str
    variants: tuple[str, ...]
    answer: str
    topic: str
    applies_to: AppliesTo = EVERYBODY
    sources: tuple[Source, ...] = ()
    owner: str | None = None
    reviewed_at: date | None = None
    aspects: tuple[Aspect, ...] = ()
    never_offered: bool = False

    @property
    def family(self) -> str:
        """The question's folded words, equal for entries that answer one question for different students."""
        return _folded(self.question)


@dataclass(frozen=True, slots=True)
class QueryRule:
    """A question that gets a fixed outcome in its very words: a question back for `dimension` or between `entries`.

    With neither it is refused.
    """

    question: str
    variants: tuple[str, ...] = ()
    dimension: str | None = None
    entries: tuple[str, ...] = ()

    @property
    def phrasings(self) -> tuple[str, ...]:
        return self.question, *self.variants


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A message that students type when they have read the answer of the entry `after`; `entries` answer it.

    Without `entries`, nothing that the school has published does.
    """

    after: str
    said: str
    entries: tuple[str, ...] = ()


@lru_cache(maxsize=16_384)
def _folded(question: str) -> str:
    return " ".join(words(fold(question)))


@dataclass(frozen=True, slots=True)
class Matter:
    """A matter of the conversation: the `question` in full, and the id of the entry or passage that answered it."""

    question: str
    answer_id: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A student's question and profile; without a `reading` of the text (Rasa's NLU gives one) the engine reads it.

    `history` are the matters of the conversation before it, the latest first: "nộp ở đâu" goes on with one of them.
    `known` are values of the student's earlier questions, by the input of a calculator; values of the text go before
    them. `filled` are answers to questions back about this very question, which go before the text's. `compared` are
    values to answer for where the student's own is unknown. `untold` are dimensions that the student was asked for and
    has not told: an answer with few variants is given for all values instead. `rejected` is the id of an answer that
    the student has said not to mean: neither it nor its siblings may be given again.
    """

    text: str
    reading: Reading | None = None
    profile: Profile = UNKNOWN_STUDENT
    history: tuple[Matter, ...] = ()
    known: Mapping[str, float | str] = field(default_factory=dict, hash=False)
    filled: Mapping[str, float | str] = field(default_factory=dict, hash=False)
    compared: Compared = field(default_factory=dict, hash=False)
    rejected: str | None = None
    untold: frozenset[str] = frozenset()


class Item(Protocol):
    """An object that an answer source finds: a passage, an FAQ entry, or a type of a plug-in."""

    @property
    def id(self) -> str: ...

    @property
    def topic(self) -> str | None: ...

    @property
    def applies_to(self) -> AppliesTo: ...


def family_of(item: Item) -> str:
    """Return what siblings, which state the same rule for other students, have in common: of other items their id."""
    return item.family if isinstance(item, FaqEntry) else item.id


def families_of(entries: Iterable[FaqEntry]) -> dict[str, list[FaqEntry]]:
    """Return the entries by their family, in their order: those of one answer one question for different students."""
    families: dict[str, list[FaqEntry]] = {}
    for entry in entries:
        families.setdefault(entry.family, []).append(entry)
    return families


@dataclass(frozen=True, slots=True)
class Candidate:
    """One retrieved item of the answer source named `source`.

    `score` ranks it, `scores` are the parts of that score by name, `meta` are further notes of its source.
    """

    source: str
    item: Item
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)

    def scored(self, score: float, scores: Mapping[str, float] | None = None) -> Candidate:
        """Return the candidate with another score, and other parts of it; hundreds of times for a question."""
        return Candidate(self.source, self.item, score, self.scores if scores is None else scores, self.meta)

    @property
    def likeness(self) -> float:
        """The similarity to the question, by which an entry is offered, whatever ranks it."""
        return self.scores.get("similarity", self.score)


@dataclass(frozen=True, slots=True)
class NeededValue:
    """A value to ask the student for: the input `name` of a calculator, in one of `units`.

    `ask` is the question; `least` and `most` are the limits and `wrong` a value beyond them, as the student reads them
    (empty: none). `whole`: no fractions.
    """

    name: str
    units: tuple[str, ...]
    ask: str
    least: str = ""
    most: str = ""
    whole: bool = False
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision about a question.

    `missing` names the dimensions to ask for, the most important first; `needs` is the value to ask for; `unnamed` the
    kinds of things that the question leaves open ("ngành học"), in the school's words.
    """

    kind: DecisionKind
    reasons: tuple[Reason, ...]
    missing: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    needs: NeededValue | None = None

    @property
    def asks_nothing(self) -> bool:
        """Whether the message was small talk or empty, so that there is nothing to answer."""
        return not {Reason.SMALL_TALK, Reason.EMPTY_QUESTION}.isdisjoint(self.reasons)


@dataclass(frozen=True, slots=True)
class Citation:
    """A quotation and its place; `page` counts from 1."""

    document_id: str
    title: str
    locator: str
    quote: str
    url: str | None = None
    number: str | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Contact:
    """An office or person to call, write to or visit; everything but the name may be empty.

    `map_url` shows the place; `note` is the school's own description of its purpose.
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
    """A day until which something must be done; `text` is the sentence, or its part, that says so, without Markdown.

    With `is_before` it must be done before that day ("trước ngày 10/12"): the day itself is too late.
    """

    kind: Literal["deadline"] = field(default="deadline", init=False)
    text: str
    date: Day
    is_before: bool = False


Card = Contact | Link | Deadline
"""A part of an answer for which channels have a display of its own."""


@dataclass(frozen=True, slots=True)
class Option:
    """A button. `payload` has one key: the id of a dimension with a catalogue id, "faq" with an entry's id, "passage"
    with a passage's key, or "topic" with a topic's id."""

    title: str
    payload: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class DroppedSentence:
    """A sentence of a language model that no passage says, and the verifier's reason (`rag.answer.verify`)."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Trace:
    """The origin of a reply: every score that the gates saw, and the time of each stage in milliseconds.

    `model_calls` are the calls of a language model for this reply, failed ones too; `dropped` are its sentences that
    the verifier did not let through. They may repeat a student's words, so nothing keeps them.
    """

    normalized: str
    preset: str
    index_version: str
    signals: Mapping[str, float] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    model_calls: tuple[ModelCall, ...] = ()
    dropped: tuple[DroppedSentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The engine's reply. `text` is empty unless the decision is to answer; `confidence` is in 0..1.

    `source` names the answer source; `curated`: an office has written the answer word for word. `topic` is the
    question's likely advising topic. `depends_on` are the dimensions of the profile that the answer was chosen by.
    `question` is the answered question, `resolved` the same in full, with what the conversation adds; `parts` are the
    replies to the questions of a message with several. `cards` repeat parts of the text and the catalogue. `left_out`
    are rare values of unknown dimensions for which the answer does not hold, by dimension. `values` are the numbers
    that a calculator used, by its inputs. `waits_for` is the id of the item that a question back for a value would
    answer with; of a calculator, of the FAQ entry that it follows; of a query rule, its question. `compared` are the
    values that it answers for. `also` is the answer of another entry that may be meant as well.
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
    resolved: str = ""
    depends_on: tuple[str, ...] = ()
    parts: tuple[Reply, ...] = ()
    cards: tuple[Card, ...] = ()
    curated: bool = False
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    values: Mapping[str, float | str] = field(default_factory=dict)
    waits_for: str | None = None
    compared: Compared = field(default_factory=dict, hash=False)
    also: Reply | None = None

    @property
    def said(self) -> tuple[Reply, ...]:
        """The replies that a student reads, one after the other."""
        return self.parts or ((self,) if self.also is None else (self, self.also))
