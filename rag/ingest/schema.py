"""The schema of the knowledge files: the fields of each entry, and the form of their values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from datetime import date, time
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    model_validator,
)

from rag.ingest.cleaning import clean_block, clean_line
from rag.messages import Message
from school.aspects import Aspect
from school.catalog import WEEKDAYS, AdvisingHours, Span
from school.dimensions import as_range, is_range

MAX_ID_CHARS = 200

_MAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_HOURS = re.compile(r"(\d{1,2})[:h](\d{2})\s*[-–—]\s*(\d{1,2})[:h](\d{2})")
_BAD_IN_ID = re.compile(r"[/\\\s]")


def _line(value: Any) -> Any:
    return clean_line(str(value)) if _scalar(value) else value


def _block(value: Any) -> Any:
    return clean_block(str(value)) if _scalar(value) else value


def _scalar(value: Any) -> bool:
    """Return whether a value may stand for text: JSON has numbers where `marked_yaml` has strings."""
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def _identifier(value: Any) -> Any:
    value = _line(value)
    if isinstance(value, str) and (_BAD_IN_ID.search(value) or len(value) > MAX_ID_CHARS):
        raise ValueError(Message("bad_id", most=MAX_ID_CHARS))
    return value


def _several(value: Any) -> Any:
    """Return a single value as a list of one."""
    return [value] if _scalar(value) else value


def _date(value: Any) -> date:
    text = _line(value)
    if not isinstance(text, str) or not _ISO_DATE.fullmatch(text):
        raise ValueError(Message("not_a_date", value=value))
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ValueError(Message("no_such_day", value=text)) from error


def _forward(value: str) -> str:
    return as_range(value) if is_range(value) else value


def _no_range(value: Any) -> Any:
    if isinstance(value, str) and is_range(value):
        raise ValueError(Message("id_is_range", value=value))
    return value


def _without_empty_values(data: Any) -> Any:
    return {k: v for k, v in data.items() if v is not None} if isinstance(data, Mapping) else data


def _span(value: Any) -> Span:
    """Return the hours of "7:30-11:30"."""
    match = _HOURS.fullmatch(str(_line(value)))
    if match is None:
        raise ValueError(Message("not_hours", value=value))
    try:
        begins, ends = (
            time(int(hour), int(minute)) for hour, minute in (match.groups()[:2], match.groups()[2:])
        )
    except ValueError as error:
        raise ValueError(Message("no_such_time", value=value)) from error
    if begins >= ends:
        raise ValueError(Message("hours_reversed", value=value))
    return Span(begins, ends)


def _in_order(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    ordered = tuple(sorted(spans, key=lambda span: span.begins))
    for before, after in itertools.pairwise(ordered):
        if after.begins < before.ends:
            raise ValueError(Message("hours_overlap", at=f"{after.begins:%H:%M}"))
    return ordered


def _timezone(value: Any) -> Any:
    name = _line(value)
    try:
        ZoneInfo(str(name))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(Message("no_timezone", value=value)) from error
    return name


def _phone(value: str) -> str:
    if value and not any(map(str.isdigit, value)):
        raise ValueError(Message("not_a_phone", value=value))
    return value


def _mail(value: str) -> str:
    if value and not _MAIL.fullmatch(value):
        raise ValueError(Message("not_a_mail", value=value))
    return value


Line = Annotated[str, BeforeValidator(_line), Field(min_length=1)]
MaybeLine = Annotated[str, BeforeValidator(_line)]
MaybePhone = Annotated[MaybeLine, AfterValidator(_phone)]
MaybeMail = Annotated[MaybeLine, AfterValidator(_mail)]
Block = Annotated[str, BeforeValidator(_block), Field(min_length=1)]
Id = Annotated[str, BeforeValidator(_identifier), Field(min_length=1)]
ValueId = Annotated[Id, AfterValidator(_no_range)]
Number = Annotated[str, BeforeValidator(_line), Field(pattern=r"^[1-9]\d{0,3}$")]
Day = Annotated[date, BeforeValidator(_date)]
Lines = Annotated[tuple[Line, ...], BeforeValidator(_several)]
Ids = Annotated[tuple[Id, ...], BeforeValidator(_several)]
Students = Annotated[
    Mapping[str, Annotated[tuple[Annotated[Line, AfterValidator(_forward)], ...], BeforeValidator(_several)]],
    BeforeValidator(_without_empty_values),
]
"""`applies_to`: allowed values by the key of a dimension. `rag.ingest.known` checks them against the catalogue."""

Address = Annotated[str, BeforeValidator(_line), Field(pattern=r"^https?://[^\s@]+$")]
DayHours = Annotated[
    tuple[Annotated[Span, PlainValidator(_span)], ...], BeforeValidator(_several), AfterValidator(_in_order)
]


class Record(BaseModel):
    """An entry of a knowledge file. Other keys than its fields are faults; an empty value counts as absent."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_empty_values(cls, data: Any) -> Any:
        return _without_empty_values(data)


class DocumentRecord(Record):
    """Front matter, `NAME.meta.yml`, or the keys of a JSONL line besides `text`."""

    id: Id | None = None
    title: Line | None = None
    number: Line | None = None
    issued: Day | None = None
    effective_from: Day | None = None
    effective_to: Day | None = None
    topic: Id | None = None
    applies_to: Students = {}
    supersedes: Ids = ()
    aliases: Lines = ()
    course: MaybeLine = ""
    url: Annotated[str, BeforeValidator(_line), Field(pattern=r"^https?://\S+$")] | None = None
    owner: Id | None = None
    reviewed_at: Day | None = None


class CatalogueRecord(Record):
    """An item of `catalog.yml`, with the office in charge of it and the day of its last review."""

    owner: Id | None = None
    reviewed_at: Day | None = None

    def without_review(self) -> dict[str, Any]:
        """Return the fields that the engine reads: a review changes no answer, and no index."""
        return {name: value for name, value in self if name not in CatalogueRecord.model_fields}


class NamedRecord(CatalogueRecord):
    id: Id
    name: Line
    name_en: MaybeLine = ""
    aliases: Lines = ()


class SourceRecord(Record):
    document: Id
    locator: MaybeLine = ""


class FaqRecord(Record):
    id: Id
    question: Line
    variants: Lines = ()
    answer: Block
    topic: Id
    aspect: Annotated[tuple[Aspect, ...], BeforeValidator(_several)] = ()
    applies_to: Students = {}
    sources: tuple[SourceRecord, ...] = ()
    owner: Id | None = None
    reviewed_at: Day | None = None
    never_offered: bool = False


Expression = Annotated[str, BeforeValidator(_line), Field(min_length=1)]
Name = Annotated[str, BeforeValidator(_line), Field(pattern=r"^[a-z][a-z0-9_]*$")]


class CalculatorInputRecord(Record):
    units: Annotated[tuple[Line, ...], BeforeValidator(_several)] = ()
    dimension: Id | None = None
    default: Expression | None = None
    only_if: Expression | None = None
    least: float | None = None
    most: float | None = None
    whole: bool = False
    many: bool = False
    excepted: Annotated[tuple[float, ...], BeforeValidator(_several)] = ()
    secondary: bool = False
    ask: MaybeLine = ""
    ask_en: MaybeLine = ""

    @model_validator(mode="after")
    def _has_an_origin(self) -> CalculatorInputRecord:
        if bool(self.units) == bool(self.dimension):
            raise ValueError(Message("input_without_origin"))
        if self.units and self.default is None and not self.ask:
            raise ValueError(Message("input_without_question"))
        return self


class CaseRecord(Record):
    when: Expression = "True"
    say: Block
    say_en: Annotated[str, BeforeValidator(_block)] = ""


class ColumnRecord(Record):
    title: Line
    title_en: MaybeLine = ""
    value: Expression
    format: Name = "number"


class ComparisonRecord(Record):
    over: Id
    where: Expression | None = None
    columns: Annotated[tuple[ColumnRecord, ...], Field(min_length=1)]


class CalculatorRecord(Record):
    id: Id
    question: Line
    variants: Lines = ()
    topic: Id
    applies_to: Students = {}
    follows: Ids = ()
    aspect: Annotated[tuple[Aspect, ...], BeforeValidator(_several)] = ()
    sources: tuple[SourceRecord, ...] = ()
    inputs: Mapping[Name, CalculatorInputRecord] = {}
    compare: ComparisonRecord | None = None
    steps: Mapping[Name, Expression] = {}
    results: Mapping[Name, Expression] = {}
    cases: Annotated[tuple[CaseRecord, ...], Field(min_length=1)]
    owner: Id | None = None
    reviewed_at: Day | None = None

    @model_validator(mode="after")
    def _rests_on_a_rule(self) -> CalculatorRecord:
        if not self.sources and not self.follows:
            raise ValueError(Message("calculator_without_rule"))
        return self


class CampusRecord(Record):
    name: Line
    address: MaybeLine = ""
    aliases: Lines = ()
    map_url: Address = ""


class CounsellingRecord(CatalogueRecord):
    office: Id | None = None
    name: MaybeLine = ""
    name_en: MaybeLine = ""
    phone: MaybeLine = ""
    hours: MaybeLine = ""
    hours_en: MaybeLine = ""
    note: MaybeLine = ""
    note_en: MaybeLine = ""

    @model_validator(mode="after")
    def _can_be_called(self) -> CounsellingRecord:
        if self.office is None and not (self.name and self.phone):
            raise ValueError(Message("contact_cannot_be_called"))
        return self


class WeekRecord(Record):
    mon: DayHours = ()
    tue: DayHours = ()
    wed: DayHours = ()
    thu: DayHours = ()
    fri: DayHours = ()
    sat: DayHours = ()
    sun: DayHours = ()

    @model_validator(mode="after")
    def _has_hours(self) -> WeekRecord:
        if not any(spans for _, spans in self):
            raise ValueError(Message("week_without_hours"))
        return self


class AdvisingHoursRecord(Record):
    timezone: Annotated[str, BeforeValidator(_timezone)]
    week: WeekRecord
    closed: Annotated[tuple[Day, ...], BeforeValidator(_several)] = ()

    def value(self) -> AdvisingHours:
        week = tuple((day, spans) for day in WEEKDAYS if (spans := getattr(self.week, day)))
        return AdvisingHours(self.timezone, week, tuple(sorted(set(self.closed))))


class SchoolRecord(NamedRecord):
    short: MaybeLine = ""
    bot_name: MaybeLine = ""
    address: MaybeLine = ""
    campuses: tuple[CampusRecord, ...] = ()
    phone: MaybePhone = ""
    email: MaybeMail = ""
    website: MaybeLine = ""
    hours: MaybeLine = ""
    counselling: tuple[CounsellingRecord, ...] = ()
    year_begins: Annotated[int, Field(ge=1, le=12)] = 9
    map_url: Address = ""
    advising_hours: AdvisingHoursRecord | None = None


class CohortRecord(NamedRecord):
    id: Number
    year: Annotated[int, Field(ge=1900, le=2200)] | None = None


class MajorRecord(NamedRecord):
    id: ValueId
    code: MaybeLine = ""
    faculty: MaybeLine = ""
    programs: Ids = ()
    years: Annotated[float, Field(gt=0, le=10)] | None = None


class DimensionValueRecord(NamedRecord):
    id: ValueId
    short: MaybeLine = ""
    rare: bool = False


class NumberedValueRecord(DimensionValueRecord):
    id: Number


class DimensionRecord(Record):
    """An entry of `dimensions:`; a missing field has its default in `school/dimensions.yml`."""

    id: Annotated[str, BeforeValidator(_line), Field(pattern=r"^[a-z][a-z0-9_]*$")]
    key: Annotated[str, BeforeValidator(_line), Field(pattern=r"^[a-z][a-z0-9_]*$")] | None = None
    name: Line | None = None
    name_en: Line | None = None
    ordered: bool | None = None
    identifies: bool | None = None
    changes_yearly: bool | None = None
    cues: Lines | None = None
    sure_cues: Lines | None = None
    letters: Lines | None = None
    ask: Lines | None = None
    ask_en: Lines | None = None
    explain: Lines | None = None
    explain_en: Lines | None = None
    values: Any = None

    @model_validator(mode="before")
    @classmethod
    def _named_only(cls, data: Any) -> Any:
        """Read `- cohort` as the dimension with its defaults."""
        return {"id": data} if isinstance(data, str) else data


class CourseRecord(NamedRecord):
    code: MaybeLine = ""


class OfficeRecord(NamedRecord):
    phone: MaybePhone = ""
    email: MaybeMail = ""
    location: MaybeLine = ""
    hours: MaybeLine = ""
    map_url: Address = ""
    handles: Ids = ()


class TopicRecord(Record):
    id: Id
    name: Line
    name_en: MaybeLine = ""
    description: MaybeLine = ""
    office: MaybeLine = ""
    examples: Lines = ()
    assumes: Mapping[Id, Line] = Field(default_factory=dict)
    reviewed_at: Day | None = None


class FactReviewRecord(Record):
    """An item of `facts/NAME.meta.yml`: who is in charge of a fact, or of all facts of a group, and its review."""

    name: Line
    owner: Id | None = None
    reviewed_at: Day | None = None


class OutcomeRecord(Record):
    """A refusal, or a question back: for the dimension `dimension`, or for which of `entries` is meant."""

    reply: Literal["no_answer", "ask_back"] | None = None
    dimension: Id | None = None
    entries: Ids = ()

    @model_validator(mode="after")
    def _asks_for_one_thing(self) -> Self:
        if self.reply != "ask_back" and (self.dimension or self.entries):
            raise ValueError(Message("asks_without_asking_back"))
        if self.reply == "ask_back" and (self.dimension is None) != (len(self.entries) > 1):
            raise ValueError(Message("asks_back_for_nothing"))
        return self


class QueryRuleRecord(OutcomeRecord):
    question: Line
    variants: Lines = ()
    reply: Literal["no_answer", "ask_back"]


class CheckedQuestionRecord(OutcomeRecord):
    question: Line
    entry: Id | None = None

    @model_validator(mode="after")
    def _has_one_outcome(self) -> Self:
        if (self.entry is None) == (self.reply is None):
            raise ValueError(Message("checked_without_outcome"))
        return self


class FollowUpRecord(Record):
    after: Id
    said: Annotated[tuple[Line, ...], BeforeValidator(_several), Field(min_length=1)]
    entries: Ids = ()


class NluBlockRecord(Record):
    intent: Line
    examples: Block


class NluRecord(Record):
    """A file in Rasa's NLU format with its examples by intent, one a line."""

    version: Line = "3.1"
    nlu: tuple[NluBlockRecord, ...] = ()


class GlossaryRecord(Record):
    short: Line
    full: Annotated[tuple[Line, ...], BeforeValidator(_several), Field(min_length=1)]
    also: Lines = ()
    kind: Literal["abbreviation", "teencode"] = "abbreviation"
