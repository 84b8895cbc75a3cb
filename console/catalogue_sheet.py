"""A spreadsheet of items of the catalogue: cohorts, majors, programmes, values of other dimensions, courses, offices.

A row near the top names the columns, as the console calls the fields or as an office does. Each further row is compared
with the catalogue: an empty cell changes nothing, further names join those that are there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any

from pydantic import ValidationError

from console.dictionary_files import COUNSELLING, COURSE, OFFICE, SCHOOL, NoPartError, Part, Section
from console.spreadsheet import HEADER_WITHIN, MOST_ROWS, SpreadsheetError, column_words
from rag.ingest.entries import did_you_mean
from rag.ingest.schema import CohortRecord, NumberedValueRecord
from rag.messages import Message
from rag.wrong_values import said_wrong
from vietnamese.date_values import valid_day
from vietnamese.text import fold

COLUMNS: Mapping[str, Sequence[str]] = {
    "id": ("ma", "id", "ky hieu"),
    "name": ("ten", "name", "ten day du"),
    "name_en": ("ten tieng anh", "english name", "name en", "tieng anh"),
    "short": ("ten ngan", "viet tat", "ten viet tat", "short name", "short"),
    "aliases": ("ten goi khac", "ten khac", "other names", "aliases"),
    "phone": ("dien thoai", "so dien thoai", "sdt", "phone", "telephone"),
    "email": ("e mail", "email", "thu dien tu"),
    "location": ("phong lam viec", "noi lam viec", "dia diem", "phong", "room", "location"),
    "hours": ("gio lam viec", "thoi gian lam viec", "hours"),
    "map_url": ("lien ket ban do", "ban do", "link to a map", "map", "map url"),
    "handles": ("phu trach chu de", "phu trach", "chu de", "handles the topics", "handles", "topics"),
    "year": ("nam vao truong", "nam nhap hoc", "nam tuyen sinh", "nam", "year of entry", "year"),
    "years": ("so nam hoc", "so nam", "thoi gian dao tao", "years of study", "years"),
    "code": ("ma so", "code"),
    "faculty": ("khoa", "khoa quan ly", "don vi quan ly", "faculty"),
    "programs": ("chuong trinh", "chuong trinh dao tao", "he dao tao", "programmes", "programs"),
    "owner": ("phong phu trach", "don vi phu trach", "office in charge", "owner"),
    "reviewed_at": (
        *("ngay ra soat gan nhat", "ngay ra soat", "ra soat gan nhat", "ra soat"),
        *("last review", "last reviewed", "reviewed at", "reviewed"),
    ),
    "rare": ("it nguoi theo hoc", "few students have it", "rare"),
}
"""Names of the columns by the fields of items, without diacritics."""

OF_SECTION: Mapping[str, Mapping[str, Sequence[str]]] = {
    "cohort": {"id": ("ma khoa", "so khoa"), "name": ("khoa", "khoa hoc", "ten khoa", "cohort")},
    "major": {
        "name": ("nganh", "ten nganh", "nganh hoc", "nganh dao tao", "ten nganh dao tao", "major"),
        "code": ("ma nganh", "ma so nganh", "ma nganh dao tao", "major code"),
    },
    "program": {
        "id": ("ma chuong trinh",),
        "name": ("chuong trinh", "ten chuong trinh", "he", "he dao tao", "program", "programme"),
    },
    COURSE: {
        "id": ("ma hoc phan", "ma mon", "ma mon hoc", "course code"),
        "name": ("hoc phan", "ten hoc phan", "mon hoc", "ten mon", "ten mon hoc", "course", "course name"),
    },
    OFFICE: {
        "id": ("ma don vi", "ma phong"),
        "name": ("don vi", "ten don vi", "phong ban", "ten phong", "ten phong ban", "office"),
    },
}
"""Names of the columns in a sheet of one section; these go before the common ones."""

LISTS = ("aliases", "programs", "handles")
YES, NO = ("co", "x", "yes", "true", "1"), ("khong", "no", "false", "0")

_NAMED = {"programs": "program", "faculty": OFFICE, "owner": OFFICE}
"""The sections that fields name items of."""
_SEVERAL = re.compile(r"[\n;,|]")
_DAY = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_DIGITS = re.compile(r"\d+")
_NOT_IN_ID = re.compile(r"[^a-z0-9]+")
_MOST_ID_CHARS = 50


@dataclass(frozen=True, slots=True)
class Change:
    """A field as it is and as it would be; lists have a line for each."""

    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a row: `column` is the name of the cell's column, "" for one that the sheet does not have."""

    field: str
    column: str
    message: str


@dataclass(frozen=True, slots=True)
class Item:
    """A row as an item of the catalogue; `line` counts from 1, `version` is "" for a new item."""

    line: int
    id: str
    name: str
    version: str
    fields: Mapping[str, str | list[str]]
    changes: Sequence[Change]
    faults: Sequence[Fault]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a spreadsheet, and the names of the columns that are not read."""

    items: Sequence[Item]
    unread: Sequence[str]


def items_of(
    cells: Sequence[Sequence[str]],
    section_id: str,
    sections: Sequence[Section],
    topics: Mapping[str, str],
) -> Sheet:
    """Return the rows of a spreadsheet as items of a section; `topics` are the names of the topics by id.

    Raises NoPartError for a section that does not grow, SpreadsheetError.
    """
    section = next((each for each in sections if each.id == section_id), None)
    if section is None or not section.grows or section_id in (SCHOOL, COUNSELLING):
        raise NoPartError("the catalogue has no such list of items")
    header, columns = _header(cells, section)
    names = cells[header]
    read = [
        (line, {name: row[place] for name, place in columns.items() if place < len(row) and row[place]})
        for line, row in enumerate(cells[header + 1 :], header + 2)
    ]
    rows = [(line, said) for line, said in read if said]
    if not rows:
        raise SpreadsheetError("no_items", "the sheet has no row below the names of its columns")
    if len(rows) > MOST_ROWS:
        raise SpreadsheetError("rows", f"more than {MOST_ROWS} rows: divide the sheet")
    known = {
        name: {
            fold(each): (part.id, each)
            for of in sections
            if of.id == kind
            for part in of.parts
            for each in (part.id, *_names_of(part))
        }
        for name, kind in _NAMED.items()
    }
    known["handles"] = {fold(said): (topic, said) for topic, name in topics.items() for said in (topic, name)}
    reader = _Rows(section, {name: names[place] for name, place in columns.items()}, known)
    unread = [name for place, name in enumerate(names) if name and place not in columns.values()]
    return Sheet([reader.item(line, said) for line, said in rows], unread)


def _header(cells: Sequence[Sequence[str]], section: Section) -> tuple[int, Mapping[str, int]]:
    """Return the row that names the columns, and their places by field. Raises SpreadsheetError."""
    found = [(number, _columns(row, section)) for number, row in enumerate(cells[:HEADER_WITHIN])]
    named = [(number, columns) for number, columns in found if columns.keys() & {"id", "name"}]
    if not named:
        raise SpreadsheetError("columns", "no row names the columns; the first one must, as Mã and Tên")
    return max(named, key=lambda each: len(each[1]))


def _columns(row: Sequence[str], section: Section) -> Mapping[str, int]:
    own = OF_SECTION.get(section.id, {})
    fields = {said: name for name, all_said in COLUMNS.items() for said in all_said}
    fields |= {said: name for name, all_said in own.items() for said in all_said}
    places: dict[str, int] = {}
    for place, cell in enumerate(row):
        name = fields.get(column_words(cell), "")
        if name == "id" or name in section.fields:
            places.setdefault(name, place)
    return places


@dataclass(slots=True)
class _Rows:
    """Compares rows with the items of a section.

    `columns` are the names of the sheet's columns, `known` the ids of what fields name, each with what it is
    called, by that folded; both by field.
    """

    section: Section
    columns: Mapping[str, str]
    known: Mapping[str, Mapping[str, tuple[str, str]]]
    lines: dict[str, int] = field(default_factory=dict)
    """The rows that were read by the ids of their items."""
    names: dict[str, str] = field(default_factory=dict)
    """The ids of the items that rows above gave names to, by the folded names."""
    called: dict[str, Part] = field(init=False)
    """The items by all that they are called, folded."""
    owners: dict[str, Part] = field(init=False)
    """The items by the names that are theirs alone, folded."""

    def __post_init__(self) -> None:
        parts = self.section.parts
        self.called = {fold(name): part for part in reversed(parts) for name in _names_of(part)}
        self.owners = {fold(name): part for part in parts for name in _own_names(part.values)}

    def item(self, line: int, said: Mapping[str, str]) -> Item:
        """Return a row as an item."""
        faults: list[Fault] = []

        def fault(name: str, message: Message) -> None:
            faults.append(Fault(name, self.columns.get(name, ""), message))

        said = {name: " ".join(text.split()) if name not in LISTS else text for name, text in said.items()}
        part = self._part(said)
        item_id = part.id if part is not None else self._new_id(said)
        if not item_id:
            fault("id", Message("sheet_no_id"))
        fields: dict[str, str | list[str]] = {}
        for name in self.section.fields:
            if name in said:
                fields[name] = self._value(name, said[name], part, fault)
        if part is not None and fold(said.get("name", "")) in (item_id, *map(fold, _names_of(part))):
            fields.pop("name", None)  # another of its names, or its number: it keeps its own
        elif part is None and item_id:
            fields["name"] = self._name(str(fields.get("name", "")), item_id)
        values = {**(part.values if part is not None else {}), **fields, "id": item_id}
        for name, message in self._wrong(values) if item_id else ():
            if name not in {each.field for each in faults}:
                fault(name, message)
        if (above := self.lines.setdefault(item_id, line)) != line and item_id:
            fault("id", Message("sheet_row_again", line=above))
        else:
            for name, given, other in self._taken(item_id, values):
                fault(name, Message("sheet_name_taken", name=given, other=other))
        changes = [
            Change(name, self._shown(name, before), self._shown(name, value))
            for name, value in fields.items()
            if _listed(before := part.values.get(name) if part is not None else "") != _listed(value)
        ]
        written = {each.field for each in changes}
        return Item(
            line,
            item_id,
            str(values.get("name") or item_id),
            part.version if part is not None else "",
            {name: value for name, value in fields.items() if name in written},
            changes,
            faults,
        )

    def _part(self, said: Mapping[str, str]) -> Part | None:
        """Return the item that a row is about: by its id, else by its code, else by one of its names."""
        parts = self.section.parts
        if wanted := self._given_id(said):
            return next((part for part in parts if part.id.casefold() == wanted.casefold()), None)
        if code := said.get("code"):
            found = [part for part in parts if str(part.values.get("code", "")) == code]
            if found:
                return found[0]
        return self.called.get(fold(said.get("name", "")))

    def _given_id(self, said: Mapping[str, str]) -> str:
        """Return the id that a row gives; that of a numbered item is the one number in its id or its name."""
        if not self._is_numbered:
            return said.get("id", "")
        numbers = _DIGITS.findall(said.get("id") or said.get("name", ""))
        return numbers[0].lstrip("0") if len(numbers) == 1 else said.get("id", "")

    @property
    def _is_numbered(self) -> bool:
        return issubclass(self.section.record, CohortRecord | NumberedValueRecord)

    def _new_id(self, said: Mapping[str, str]) -> str:
        given = self._given_id(said)
        if given or self._is_numbered:
            return given
        stem = _NOT_IN_ID.sub("-", fold(said.get("name", ""))).strip("-")[:_MOST_ID_CHARS]
        taken = {part.id for part in self.section.parts}
        numbered = (f"{stem}-{number}" for number in count(2))
        return next(each for each in chain([stem], numbered) if each not in taken) if stem else ""

    def _name(self, name: str, item_id: str) -> str:
        """Return the name of a new item; a number alone is named as the items that are there: "Khóa 52"."""
        if name and name != item_id:
            return name
        shapes = [
            str(part.values.get("name", "")).replace(part.id, item_id)
            for part in self.section.parts
            if self._is_numbered and part.id in str(part.values.get("name", ""))
        ]
        return shapes[-1] if shapes else name

    def _value(
        self, name: str, text: str, part: Part | None, fault: Callable[[str, Message], None]
    ) -> str | list[str]:
        if name == "rare":
            folded = fold(text)
            if folded not in (*YES, *NO):
                fault(name, Message("sheet_wants_yes", value=text))
            return "true" if folded in YES else ""
        if name == "reviewed_at":
            return _day(text)
        if name not in LISTS:
            return self._named(name, text, fault) if name in self.known else text
        given = [" ".join(each.split()) for each in _SEVERAL.split(text)]
        values = list(dict.fromkeys(filter(None, given)))
        if name in self.known:
            return [self._named(name, each, fault) for each in values]
        kept = _listed(part.values.get(name)) if part is not None else []
        there = {fold(each) for each in kept}
        return [*kept, *(each for each in values if fold(each) not in there)]

    def _named(self, name: str, text: str, fault: Callable[[str, Message], None]) -> str:
        """Return the id of what a cell names."""
        known = self.known[name]
        found = known.get(fold(text))
        if found is None:
            hint = did_you_mean(text, [called for _, called in known.values()])
            fault(name, Message("sheet_unknown", value=text, hint=hint))
        return found[0] if found else text

    def _shown(self, name: str, value: object) -> str:
        """Return a value as a person reads it, a line for each of several: what ids name by its last name."""
        called = dict(self.known.get(name, {}).values())
        return "\n".join(called.get(each, each) for each in _listed(value))

    def _wrong(self, values: Mapping[str, Any]) -> Iterator[tuple[str, Message]]:
        """Yield what the record of the section finds wrong, by field."""
        try:
            self.section.record.model_validate({name: value for name, value in values.items() if value != ""})
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                place = detail["loc"]
                context = detail.get("ctx", {})
                given = context["error"].args[0] if detail["type"] == "value_error" else None
                told = given if isinstance(given, Message) else said_wrong(dict(detail))
                yield str(place[0]) if place else "id", told

    def _taken(self, item_id: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        """Yield the names of an item that another one has: the field, the name, and the other item."""
        named = [("name", str(values.get("name") or ""))]
        named += [("aliases", each) for each in _listed(values.get("aliases"))]
        for name, given in named:
            owner = self.owners.get(fold(given))
            above = self.names.setdefault(fold(given), item_id) if given else item_id
            if owner is not None and owner.id != item_id:
                yield name, given, str(owner.values.get("name") or owner.id)
            elif above != item_id:
                yield name, given, above


def _names_of(part: Part) -> Sequence[str]:
    """Return all that an item is called, its name last."""
    more = (str(part.values.get(name) or "") for name in ("short", "name_en"))
    return [*(each for each in more if each), *reversed(_own_names(part.values))]


def _own_names(values: Mapping[str, Any]) -> Sequence[str]:
    """Return the names of an item that no other one may have."""
    return [*_listed(values.get("name")), *_listed(values.get("aliases"))]


def _listed(value: object) -> list[str]:
    """Return the texts of a field; the file may have one where several are allowed."""
    return [str(each) for each in value] if isinstance(value, list) else [str(value)] if value else []


def _day(text: str) -> str:
    """Return a day as an office writes it, 01/09/2026, as the files have it; what is no day stays."""
    found = _DAY.fullmatch(text)
    day = valid_day(int(found[3]), int(found[2]), int(found[1])) if found else None
    return day.isoformat() if day else text
