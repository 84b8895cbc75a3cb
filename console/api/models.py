"""The bodies of the console's JSON API. Texts are cleaned and bounded here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from rag.language_model.choice import ModelChoice
from vietnamese.text import clean

MAX_TEXT_CHARS = 4_000
MAX_ANSWER_CHARS = 20_000
MAX_LINE_CHARS = 400
MAX_VARIANTS = 200


def _in_one_line(text: str) -> str:
    """Return a cleaned text in one line; one character too many stays, so that a longer one is refused, not cut."""
    return " ".join(clean(text, MAX_LINE_CHARS + 1).split())


Line = Annotated[
    str,
    AfterValidator(_in_one_line),
    Field(min_length=1, max_length=MAX_LINE_CHARS),
]
MaybeLine = Annotated[
    str,
    AfterValidator(_in_one_line),
    Field(max_length=MAX_LINE_CHARS),
]
Text = Annotated[
    str,
    # One character more than allowed: a longer text is refused, not cut.
    AfterValidator(lambda text: clean(text, MAX_TEXT_CHARS + 1)),
    Field(min_length=1, max_length=MAX_TEXT_CHARS),
]
Id = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^/\\\s\x00-\x1f]+$")]
Trace = Annotated[int, Field(ge=1, lt=2**63)]
"""The id of a turn's trace."""

Code = Annotated[str, Field(max_length=100)]
AppliesTo = Annotated[dict[str, Annotated[list[Line], Field(max_length=500)]], Field(max_length=20)]
"""The values that students may have, by the key of a dimension; empty: everybody."""
Date = Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")]
Password = Annotated[str, Field(max_length=1_000)]


def _texts(value: Any) -> Iterator[str]:
    """Return the texts of a field; a body inside of a body looks at its own."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, dict):
        yield from _texts([*value.keys(), *value.values()])


class Body(BaseModel):
    """A body; refused with unknown fields, values of other types, or a null character: PostgreSQL keeps none."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="after")
    def _has_no_null_characters(self) -> Self:
        for name, value in self:
            if any("\0" in text for text in _texts(value)):
                raise ValueError(f"{name} has a null character")
        return self


class SignIn(Body):
    login: Annotated[str, Field(max_length=200)]
    password: Password
    code: Code = ""


class WithPassword(Body):
    """The password again, of somebody who is signed in."""

    password: Password


class NewPassword(WithPassword):
    """A new password of somebody who is signed in, with the one of now."""

    new_password: Password


class WithCode(Body):
    code: Code


class Source(Body):
    document: Id
    locator: Annotated[str, Field(max_length=MAX_LINE_CHARS)] = ""


class AnswerText(Body):
    """The text of an answer, as an editor writes it, with its sources."""

    answer: Annotated[str, Field(max_length=MAX_ANSWER_CHARS)]
    sources: Annotated[list[Source], Field(max_length=50)] = []


class EntryFields(Body):
    """The fields of an FAQ entry that an editor writes."""

    question: Line
    variants: Annotated[list[Line], Field(max_length=MAX_VARIANTS)] = []
    answer: Annotated[str, Field(min_length=1, max_length=MAX_ANSWER_CHARS)]
    topic: Id
    applies_to: AppliesTo = {}
    sources: Annotated[list[Source], Field(max_length=50)] = []
    owner: Annotated[str, Field(max_length=200)] = ""
    reviewed_at: Date = ""


Contacts = Annotated[list[Line], Field(max_length=1_000)]
"""Numbers and mail addresses in answers that an editor has seen and found to be public."""


Settles = Annotated[list[Trace], Field(max_length=3_000)]
Checks = Annotated[list[Line], Field(max_length=50)]
Tell = Annotated[list[Trace], Field(max_length=500)]


class FollowUp(Body):
    """The words `said` of a student who had read the answer of the FAQ entry `after`."""

    after: Id
    said: Line


RowVersion = Annotated[int, Field(ge=1, lt=2**31)]
"""The version of a row of the console's database."""


class SeenRow(Body):
    """The version at which a row was seen."""

    version: RowVersion


class SeenDraft(SeenRow):
    """A kept draft as it was seen."""

    id: Annotated[int, Field(ge=1, lt=2**63)]


class Published(Body):
    """Something to publish; `draft` is the kept draft that it comes from, which goes then."""

    draft: SeenDraft | None = None


class PublishedEntry(EntryFields, Published):
    """An entry that answers the turns `settles`, and the questions `checks` from now on.

    The students of the turns `tell` get it on their channel. `follow_up` are words that it answers after the answer
    of another one.
    `knows_settled`: the editor has seen that others have settled some of the turns meanwhile. `same_entries` are those
    with the same question that the editor has seen, and publishes it all the same.
    """

    public_contacts: Contacts = []
    same_entries: Annotated[list[Id], Field(max_length=100)] = []

    settles: Settles = []
    checks: Checks = []
    tell: Tell = []
    follow_up: FollowUp | None = None
    knows_settled: bool = False


class NewEntry(PublishedEntry):
    """A new entry."""


class ChangedEntry(PublishedEntry):
    """A change of an entry that was seen at `version`."""

    version: Annotated[str, Field(max_length=64)]


class TryOut(EntryFields):
    """A draft, the questions to ask of it, and those that it is to answer; `entry_id` is empty for a new entry."""

    entry_id: Annotated[str, Field(max_length=200)] = ""
    version: Annotated[str, Field(max_length=64)] = ""
    questions: Annotated[list[Annotated[str, Field(max_length=2_000)]], Field(max_length=50)] = []
    checks: Annotated[list[Line], Field(max_length=50)] = []


class NewQueryRule(Body):
    """A rule for a question in its very words, in the place of the one that was seen at `version` ("": none).

    It settles the turns `settles`. `dimension` or `entries` (two or more) are what it asks back for.
    """

    question: Line
    variants: Annotated[list[Line], Field(max_length=MAX_VARIANTS)] = []
    reply: Literal["no_answer", "ask_back"]
    dimension: Annotated[str, Field(max_length=200)] = ""
    entries: Annotated[list[Id], Field(max_length=6)] = []
    settles: Annotated[list[Trace], Field(max_length=3_000)] = []
    version: Annotated[str, Field(max_length=64)] = ""

    @model_validator(mode="after")
    def _asks_for_one_thing(self) -> Self:
        asks = bool(self.dimension) + (len(self.entries) > 1)
        if asks != (self.reply == "ask_back") or len(self.entries) == 1:
            raise ValueError("asking back needs either a dimension or two entries; a refusal neither")
        return self


class Seen(Body):
    """The version at which something was seen that is to go."""

    version: Annotated[str, Field(max_length=64)]


class NewCheckedQuestion(Body):
    """A question with the outcome that is right; it takes the place of the checked question `before`.

    `version` is that of the checked question that it changes, "" for a new one. An answer names one of `entry`; a
    question back names a dimension, or at least two entries that are offered.
    """

    question: Line
    reply: Literal["answer", "no_answer", "ask_back"]
    entry: Annotated[str, Field(max_length=200)] = ""
    dimension: Annotated[str, Field(max_length=200)] = ""
    entries: Annotated[list[Id], Field(max_length=6)] = []
    before: MaybeLine = ""
    version: Annotated[str, Field(max_length=64)] = ""

    @model_validator(mode="after")
    def _has_one_outcome(self) -> Self:
        asks = bool(self.dimension) + (len(self.entries) > 1)
        told = (bool(self.entry), asks)
        wanted = {"answer": (True, 0), "no_answer": (False, 0), "ask_back": (False, 1)}[self.reply]
        if told != wanted or len(self.entries) == 1:
            raise ValueError(
                "an answer needs an entry, asking back either a dimension or two entries; a refusal none"
            )
        return self


class SeenEntry(Seen):
    """An FAQ entry as it was seen."""

    id: Id


class EntryPair(Body):
    """Two FAQ entries that nearly ask the same, and whether they differ all the same."""

    one: Id
    other: Id
    differ: bool


class MergedEntries(Body):
    """An FAQ entry that gets the wordings of another one, which goes."""

    kept: SeenEntry
    gone: SeenEntry


class ContactReplacement(Body):
    """A contact that the catalogue gave up, in its letters and digits alone, and the new one as it is written there."""

    old: Annotated[str, Field(pattern=r"^([0-9a-z]{7,40}|[^\s@]{1,100}@[^\s@]{1,100})$")]
    new: Line


class ContactReplacements(Body):
    """Contacts that take the place of those which the catalogue gave up."""

    replaces: Annotated[list[ContactReplacement], Field(min_length=1, max_length=20)]


class ReplacedPlace(Body):
    """An answer or a fact as it was seen: the version of the entry, or the value of the fact."""

    kind: Literal["entry", "fact"]
    id: Annotated[str, Field(min_length=1, max_length=400)]
    seen: Annotated[str, Field(max_length=MAX_TEXT_CHARS)]


class ReplacedContacts(ContactReplacements):
    """Contacts that are replaced in some answers and facts."""

    places: Annotated[list[ReplacedPlace], Field(min_length=1, max_length=2_000)]


class CheckedRemoval(Body):
    """A checked question that is to be none."""

    question: Annotated[str, Field(min_length=1, max_length=MAX_LINE_CHARS)]


class DocumentFields(Body):
    """The metadata of a document; empty ones are left out. `course` is the code of the one that it is a material of."""

    title: Annotated[str, Field(max_length=MAX_LINE_CHARS)] = ""
    number: Annotated[str, Field(max_length=200)] = ""
    issued: Date = ""
    effective_from: Date = ""
    effective_to: Date = ""
    topic: Annotated[str, Field(max_length=200)] = ""
    applies_to: AppliesTo = {}
    supersedes: Annotated[list[Id], Field(max_length=50)] = []
    course: Annotated[str, Field(max_length=200)] = ""
    url: Annotated[str, Field(max_length=2_000)] = ""
    owner: Annotated[str, Field(max_length=200)] = ""
    reviewed_at: Date = ""


class ChangedDocument(DocumentFields, Published):
    """The metadata of a document that was seen at `version` ("": a new one)."""

    version: Annotated[str, Field(max_length=64)] = ""


class FactValue(Published):
    """A fact's new value and note; `seen` and `seen_note` are those in the file."""

    name: Annotated[str, Field(min_length=1, max_length=400)]
    seen: Annotated[str, Field(max_length=MAX_TEXT_CHARS)]
    value: Line
    seen_note: Annotated[str, Field(max_length=MAX_TEXT_CHARS)] = ""
    note: MaybeLine = ""


class SeenFact(Body):
    """A fact that is to go, with the value and the note in the file."""

    name: Annotated[str, Field(min_length=1, max_length=400)]
    seen: Annotated[str, Field(max_length=MAX_TEXT_CHARS)]
    seen_note: Annotated[str, Field(max_length=MAX_TEXT_CHARS)] = ""


class FactReview(Body):
    """The office in charge of a fact or a group, by its full name, and the last review, with both as they were seen."""

    name: Annotated[str, Field(max_length=400, pattern=r"^facts(\.[\w+-]+)+$")]
    owner: Annotated[str, Field(max_length=200)] = ""
    reviewed_at: Date = ""
    seen_owner: Annotated[str, Field(max_length=200)] = ""
    seen_reviewed_at: Date = ""


FACT_NAME = r"^facts(\.[\w+-]+){2,}$"


class NewFact(Published):
    """A fact to add, by its full name."""

    name: Annotated[str, Field(max_length=400, pattern=FACT_NAME)]
    value: Line


CalculatorYaml = Annotated[str, Field(min_length=1, max_length=MAX_ANSWER_CHARS)]


class NewCalculator(Published):
    """The text of a calculator to add."""

    text: CalculatorYaml


class CalculatorText(NewCalculator):
    """The text of a calculator that was seen at `version`; another id in it is its new one."""

    version: Annotated[str, Field(max_length=64)]


class CalculatorTrial(Body):
    """Values to compute a calculator with, by input, as they are typed; `text` is a draft of it, "" for none.

    `profile` has the student's values by dimension. `compared` are values of the dimension that it compares.
    """

    version: Annotated[str, Field(max_length=64)] = ""
    text: Annotated[str, Field(max_length=MAX_ANSWER_CHARS)] = ""
    values: Annotated[dict[str, Annotated[str, Field(max_length=200)]], Field(max_length=50)] = {}
    profile: Annotated[dict[str, Annotated[str, Field(max_length=200)]], Field(max_length=20)] = {}
    compared: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=100)] = []


Names = Annotated[list[Line], Field(max_length=100)]


TOPIC_ID = r"^[a-z][a-z0-9_]{0,59}$"
TopicId = Annotated[str, Field(pattern=TOPIC_ID)]


class TopicFields(Body):
    """The fields of a topic; empty ones are left out."""

    name: Line
    name_en: MaybeLine = ""
    description: MaybeLine = ""
    office: Annotated[str, Field(max_length=200)] = ""
    examples: Names = []
    assumes: Annotated[dict[str, Line], Field(max_length=20)] = {}
    reviewed_at: Date = ""


class NewTopic(TopicFields, Published):
    id: TopicId


class ChangedTopic(TopicFields, Published):
    """A change of a topic that was seen at `version`; `id` is its new one."""

    id: TopicId | None = None
    version: Annotated[str, Field(max_length=64)]


class CatalogueFields(Body):
    """The fields of a part of the catalogue; each section has some of them. None: not changed; empty: removed."""

    name: MaybeLine | None = None
    name_en: MaybeLine | None = None
    short: MaybeLine | None = None
    aliases: Names | None = None
    phone: MaybeLine | None = None
    email: MaybeLine | None = None
    location: MaybeLine | None = None
    address: MaybeLine | None = None
    hours: MaybeLine | None = None
    hours_en: MaybeLine | None = None
    website: MaybeLine | None = None
    map_url: MaybeLine | None = None
    handles: Names | None = None
    office: MaybeLine | None = None
    note: MaybeLine | None = None
    note_en: MaybeLine | None = None
    bot_name: MaybeLine | None = None
    year_begins: MaybeLine | None = None
    year: MaybeLine | None = None
    years: MaybeLine | None = None
    code: MaybeLine | None = None
    faculty: MaybeLine | None = None
    programs: Names | None = None
    rare: MaybeLine | None = None
    owner: MaybeLine | None = None
    reviewed_at: Date | None = None

    @model_serializer(mode="wrap")
    def _without_unchanged(self, whole: SerializerFunctionWrapHandler) -> dict[str, str | list[str]]:
        return {name: value for name, value in whole(self).items() if value is not None}

    def given(self) -> dict[str, Any]:
        """Return the fields that were sent."""
        return {
            name: value for name, value in self if name in CatalogueFields.model_fields and value is not None
        }


class ChangedPart(CatalogueFields, Published):
    """A change of a part of the catalogue that was seen at `version`; `id` is its new one."""

    id: Id | None = None
    version: Annotated[str, Field(max_length=64)]


class NewPart(CatalogueFields, Published):
    """A new item of a section of the catalogue; contacts for students in trouble have no id."""

    id: Annotated[str, Field(max_length=200, pattern=r"^[^/\\\s\x00-\x1f]*$")] = ""


class SheetPart(CatalogueFields):
    """An item of a spreadsheet: new, or a change of the one that was seen at `version`."""

    id: Id
    version: Annotated[str, Field(max_length=64)] = ""


class ManyParts(Body):
    """Items of a section of the catalogue to publish together."""

    section_id: Annotated[str, Field(max_length=200)]
    items: Annotated[list[SheetPart], Field(min_length=1, max_length=1_000)]


class TopicName(Body):
    """A topic to add, with its id."""

    id: TopicId
    name: Line


class ManyEntries(Body):
    """Entries to publish together; `new_topics` are those of their topics that the school does not have yet."""

    public_contacts: Contacts = []
    new_topics: Annotated[list[TopicName], Field(max_length=100)] = []
    entries: Annotated[list[EntryFields], Field(min_length=1, max_length=1_000)]


MOST_BEFORE = 10
"""Messages of a conversation that is tried: each is read and answered anew for the next one."""


class Asked(Body):
    """A question, and the values known of the student by dimension.

    `before` are the student's messages of the conversation before it, the first one first. `draft` is a kept draft
    that needs no whole build and is asked the same.
    """

    question: Annotated[str, Field(min_length=1, max_length=2_000)]
    profile: Annotated[dict[str, Annotated[str, Field(max_length=200)]], Field(max_length=20)] = {}
    before: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2_000)]], Field(max_length=MOST_BEFORE)
    ] = []
    draft: Annotated[int | None, Field(ge=1, lt=2**63)] = None


class EntryDraft(Body):
    """An FAQ entry that is not published; without `entry_id`, a new one."""

    kind: Literal["entry"]
    entry_id: Annotated[str, Field(max_length=200)] = ""
    fields: EntryFields


class FactDraft(Body):
    """A fact's value that is not published; `is_new`: the fact, too."""

    kind: Literal["fact"]
    name: Annotated[str, Field(min_length=1, max_length=400)]
    is_new: bool = False
    value: Line
    note: MaybeLine = ""

    @model_validator(mode="after")
    def _has_a_name_that_can_be_given(self) -> Self:
        if self.is_new and not re.fullmatch(FACT_NAME, self.name):
            raise ValueError(f"name: a new one must match {FACT_NAME}")
        return self


class CalculatorDraft(Body):
    """The text of a calculator that is not published; without `calculator_id`, a new one."""

    kind: Literal["calculator"]
    calculator_id: Annotated[str, Field(max_length=200)] = ""
    text: CalculatorYaml


class DocumentDraft(Body):
    """Metadata of a document that are not published; with `upload`, the id of an uploaded file, the file, too."""

    kind: Literal["document"]
    document_id: Id
    upload: Annotated[str, Field(pattern=r"^([0-9a-f]{16})?$")] = ""
    fields: DocumentFields


class TopicDraft(Body):
    """A topic that is not published; without `topic_id`, a new one. `id` is its id from then on."""

    kind: Literal["topic"]
    topic_id: Annotated[str, Field(max_length=200)] = ""
    id: Id
    fields: TopicFields

    @model_validator(mode="after")
    def _has_an_id_that_can_be_given(self) -> Self:
        if self.id != self.topic_id and not re.fullmatch(TOPIC_ID, self.id):
            raise ValueError(f"id: a new one must match {TOPIC_ID}")
        return self


class PartDraft(Body):
    """A part of the catalogue that is not published; without `part_id`, a new one. `id` is its id from then on."""

    kind: Literal["part"]
    section_id: Annotated[str, Field(min_length=1, max_length=200)]
    part_id: Annotated[str, Field(max_length=200)] = ""
    id: Annotated[str, Field(max_length=200, pattern=r"^[^/\\\s\x00-\x1f]*$")] = ""
    fields: CatalogueFields


class RemovalDraft(Body):
    """A document, a topic or an item of a section of the catalogue that is to go, and has not gone."""

    kind: Literal["removal"]
    of: Literal["document", "topic", "part"]
    section_id: Annotated[str, Field(max_length=200)] = ""
    id: Id
    name: Annotated[str, Field(max_length=300)] = ""
    """The name that lists show; "" for the id."""


QuickDraft = EntryDraft | FactDraft | CalculatorDraft
"""The kinds that can be brought into the live index as it is."""

BuiltDraft = DocumentDraft | TopicDraft | PartDraft | RemovalDraft
"""The kinds that need a whole build."""

Draft = Annotated[QuickDraft | BuiltDraft, Field(discriminator="kind")]


class Kept(Body):
    """A draft that editors keep: of a part that was seen at `seen`, or of a new one."""

    seen: Annotated[str, Field(max_length=64)] = ""


class KeptEntry(EntryDraft, Kept):
    """A kept entry; `settles`, `checks`, `tell` and `follow_up` are those of the entry when it is published."""

    settles: Settles = []
    checks: Checks = []
    tell: Tell = []
    follow_up: FollowUp | None = None


class KeptFact(FactDraft):
    """A kept value of a fact that was seen with the value `seen` and a note, or of a new one."""

    seen: Annotated[str, Field(max_length=MAX_TEXT_CHARS)] = ""
    seen_note: Annotated[str, Field(max_length=MAX_TEXT_CHARS)] = ""


class KeptCalculator(CalculatorDraft, Kept):
    """A kept text of a calculator."""


class KeptDocument(DocumentDraft, Kept):
    """Kept metadata of a document, or of an uploaded file with its review."""


class KeptTopic(TopicDraft, Kept):
    """A kept topic."""


class KeptPart(PartDraft, Kept):
    """A kept part of the catalogue."""


AnyKept = Annotated[
    KeptEntry | KeptFact | KeptCalculator | KeptDocument | KeptTopic | KeptPart, Field(discriminator="kind")
]


MOST_TOGETHER = 50
"""Drafts that are checked or published together."""


class SeenDrafts(Body):
    """Several reviewed drafts, each once, as they were seen."""

    drafts: Annotated[list[SeenDraft], Field(min_length=1, max_length=MOST_TOGETHER)]

    @model_validator(mode="after")
    def _has_each_once(self) -> Self:
        if len({each.id for each in self.drafts}) < len(self.drafts):
            raise ValueError("drafts: each may be there once")
        return self


class PublishedDrafts(SeenDrafts):
    """Drafts to publish together, with what their editor has seen, as in `PublishedEntry`."""

    public_contacts: Contacts = []
    same_entries: Annotated[list[Id], Field(max_length=1_000)] = []
    knows_settled: bool = False


class DraftOfSet(SeenDraft):
    """A reviewed draft as it was seen, with what it says."""

    draft: AnyKept


class DraftSet(Body):
    """Several drafts that are checked together."""

    kind: Literal["set"]
    drafts: list[DraftOfSet]


class ChangedDraft(SeenRow):
    """A change of a kept draft that was seen at `version`."""

    draft: AnyKept


class CheckedDraft(Body):
    """A draft that the school's checked questions are asked of, made of what was seen at `version`."""

    draft: Annotated[BuiltDraft, Field(discriminator="kind")]
    version: Annotated[str, Field(max_length=64)] = ""


class NewInvitation(Body):
    """A link for testers, open for some days; they chat with a draft or, without one, with what is live."""

    title: Annotated[Line, Field(max_length=80)]
    days: Annotated[int, Field(ge=1, le=30)]
    draft: Draft | None = None


class Tested(Body):
    """What a tester typed, or the title of the button that was pressed with its `option`.

    `tester` tells the testers of one invitation apart: random digits that their page has made.
    """

    tester: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    text: Annotated[str, Field(min_length=1, max_length=2_000)]
    option: Annotated[
        dict[Annotated[str, Field(max_length=80)], Annotated[str, Field(max_length=300)]], Field(max_length=1)
    ] = {}


class SetAside(Body):
    """Turns that are no gap: out of scope, or settled elsewhere."""

    traces: Annotated[list[Trace], Field(min_length=1, max_length=3_000)]


class MessagePart(Body):
    """A part of a message; with `entity`, the id of a dimension, a name of one of its values."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_LINE_CHARS)]
    entity: Annotated[str, Field(max_length=80)] = ""


class MessageLabel(Body):
    """A message and its intent; `traces` are its turns."""

    parts: Annotated[list[MessagePart], Field(min_length=1, max_length=50)]
    intent: Id
    traces: Annotated[list[int], Field(max_length=3_000)] = []


class Labels(Body):
    """`confirms_names`: the editor has seen which names the catalogue does not know as they are marked."""

    labels: Annotated[list[MessageLabel], Field(min_length=1, max_length=200)]
    confirms_names: bool = False


class ModelSeen(Body):
    """The name of the model that a person has seen as the candidate, or as the one before."""

    model: Annotated[str, Field(min_length=1, max_length=200)]


class Risk(Body):
    """The share of answers that may be wrong; `measured_at` is the measurement that it was chosen on.

    Without a risk, the shipped threshold.
    """

    risk: Annotated[float, Field(gt=0, lt=1)] | None = None
    measured_at: float = 0.0


class ChosenRisk(Risk):
    """A risk to keep; `version` is that of the choice which it takes the place of."""

    version: Annotated[str, Field(max_length=64)]


class ChosenModel(Body):
    """A language model to use, null for that of the settings; `version` is that of what it takes the place of."""

    choice: ModelChoice | None
    version: Annotated[str, Field(max_length=64)]


class TriedThreshold(Risk):
    """A choice to try; `back`: the choice before, whatever the risk."""

    back: bool = False


class Written(Body):
    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]


class HandedOn(Body):
    """To whom a conversation goes, an advisor or an office; `taken_by` has it, as was seen; `text` is a note."""

    taken_by: Annotated[str, Field(max_length=80)] = ""
    to: Annotated[str, Field(max_length=80)] = ""
    office: Annotated[str, Field(max_length=200)] = ""
    text: Annotated[str, Field(max_length=MAX_TEXT_CHARS)] = ""


class NewCannedReply(Body):
    title: Annotated[Line, Field(max_length=80)]
    text: Text


class ChangedCannedReply(NewCannedReply):
    """A change of a canned reply that was seen at `version`."""

    version: RowVersion


Mail = Annotated[str, Field(max_length=200)]
Offices = Annotated[list[Annotated[Id, Field(pattern=r"^[^,/\\\s\x00-\x1f]+$")]], Field(max_length=100)]
"""Ids of the catalogue's offices."""


class NewAccount(Body):
    login: Annotated[str, Field(max_length=200)]
    name: Annotated[str, Field(max_length=200)]
    roles: Annotated[list[str], Field(max_length=10)]
    password: Password
    mail: Mail = ""
    offices: Offices = []


class ChangedAccount(Body):
    """A change of an account that was seen at `version`; a new password was seen at `password_version`."""

    version: Annotated[str, Field(max_length=64)]
    password_version: Annotated[str, Field(max_length=64)] = ""
    name: Annotated[str, Field(max_length=200)] | None = None
    roles: Annotated[list[str], Field(max_length=10)] | None = None
    password: Password | None = None
    active: bool | None = None
    mail: Mail | None = None
    offices: Offices | None = None


class NewAccountsRule(Body):
    """The domains of mail addresses whose owners get an account with `roles`."""

    domains: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=20)]
    roles: Annotated[list[str], Field(max_length=10)] = []


class NewAccounts(NewAccountsRule):
    """A change of the rule for new accounts that was `seen`."""

    seen: NewAccountsRule


class Fault(BaseModel):
    """An error: a code for programs, a sentence, and what else belongs to it."""

    error: str
    message: str
    detail: dict[str, Any] = {}
