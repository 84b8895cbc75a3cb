"""Course tables: `courses/*.csv`, a row for each course, with `NAME.meta.yml` beside each that says what is cited."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rag.errors import Problem
from rag.graph.types import Table
from rag.ingest.cleaning import clean_line
from rag.ingest.entries import did_you_mean, read_entry, read_yaml
from rag.ingest.schema import DocumentRecord
from rag.messages import Message

NEEDED = ("code", "name")
LISTS = ("aliases", "majors", "programs", "prerequisites", "corequisites", "lecturers", "textbooks")
NUMBERS = ("credits", "semester")
COLUMNS = (*NEEDED, "name_en", *NUMBERS, *LISTS, "department", "topic")
MOST_ROWS = 20_000
MOST_CHARS = 2_000
"""The longest cell."""


@dataclass(frozen=True, slots=True)
class CourseRow:
    """A row of a course table; `line` is that of the file."""

    code: str
    name: str
    file: str
    line: int
    table: str
    name_en: str = ""
    aliases: tuple[str, ...] = ()
    credits: str = ""
    semester: str = ""
    majors: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    prerequisites: tuple[str, ...] = ()
    corequisites: tuple[str, ...] = ()
    department: str = ""
    lecturers: tuple[str, ...] = ()
    textbooks: tuple[str, ...] = ()
    topic: str = ""


@dataclass(frozen=True, slots=True)
class CourseTable:
    """A course table with its rows; `table` is what its rows are cited by."""

    table: Table
    rows: tuple[CourseRow, ...]
    effective_from: date | None = None
    effective_to: date | None = None


def read_course_tables(
    files: Mapping[str, Path], problems: list[Problem], warnings: list[Problem]
) -> tuple[CourseTable, ...]:
    """Return the tables of `files` (paths by their names in problems). Faults of a row are warnings: it is left out."""
    tables = []
    used: set[str] = set()
    for file, path in files.items():
        if path.suffix.lower() != ".csv":
            continue
        beside = f"{file[:-4]}.meta.yml"
        used.add(beside)
        record = _meta(beside, files.get(beside), problems)
        identifier = record.id or f"courses/{path.stem}"
        table = Table(identifier, record.title or path.stem, record.number, record.url)
        rows = tuple(_rows(file, path, identifier, problems, warnings))
        tables.append(CourseTable(table, rows, record.effective_from, record.effective_to))
    for file, path in files.items():
        if path.suffix.lower() != ".csv" and file not in used:
            warnings.append(Problem(file, Message("sidecar_alone" if ".meta." in file else "only_csv")))
    return tuple(tables)


def _meta(file: str, path: Path | None, problems: list[Problem]) -> DocumentRecord:
    if path is None:
        return DocumentRecord()
    place = read_yaml(path, file, problems)
    if place is None or place.marked.data is None:
        return DocumentRecord()
    entry = read_entry(DocumentRecord, place.marked.data, place, problems)
    return DocumentRecord() if entry is None else entry.record


def _rows(
    file: str, path: Path, table: str, problems: list[Problem], warnings: list[Problem]
) -> Iterator[CourseRow]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        problems.append(Problem(file, Message("not_utf8"), line))
        return
    except OSError as error:
        problems.append(Problem(file, Message("cannot_be_read", reason=error.strerror)))
        return
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        columns = [clean_line(cell) for cell in next(reader, [])]
        if not _columns_are_right(file, columns, problems):
            return
        first = 2
        for count, cells in enumerate(reader):
            line, first = first, reader.line_num + 1
            if count >= MOST_ROWS:
                problems.append(Problem(file, Message("csv_too_long", most=MOST_ROWS), line))
                return
            if any(map(str.strip, cells)) and (row := _row(file, line, table, columns, cells, warnings)):
                yield row
    except csv.Error as error:
        problems.append(Problem(file, Message("csv_broken", what=str(error)), reader.line_num))


def _columns_are_right(file: str, columns: list[str], problems: list[Problem]) -> bool:
    before = len(problems)
    for column in columns:
        if column not in COLUMNS:
            message = Message("unknown_column", column=column, hint=did_you_mean(column, COLUMNS))
            problems.append(Problem(file, message, 1))
    for column in NEEDED:
        if column not in columns:
            problems.append(Problem(file, Message("missing_column", column=column), 1))
    for column in sorted({column for column in columns if columns.count(column) > 1}):
        problems.append(Problem(file, Message("column_twice", column=column), 1))
    return len(problems) == before


def _row(
    file: str, line: int, table: str, columns: list[str], cells: list[str], warnings: list[Problem]
) -> CourseRow | None:
    if len(cells) != len(columns):
        message = Message("csv_wrong_width", cells=len(cells), columns=len(columns))
        warnings.append(Problem(file, message, line))
        return None
    if any(len(cell) > MOST_CHARS for cell in cells):
        warnings.append(Problem(file, Message("cell_too_long", most=MOST_CHARS), line))
        return None
    said = dict(zip(columns, map(clean_line, cells), strict=True))
    for column in NEEDED:
        if not said[column]:
            warnings.append(Problem(file, Message("missing", what=column), line))
            return None
    lists = {
        column: tuple(dict.fromkeys(filter(None, (part.strip() for part in said[column].split(";")))))
        for column in LISTS
        if column in said
    }
    single = {column: value for column, value in said.items() if column not in LISTS}
    return CourseRow(**single, **lists, file=file, line=line, table=table)  # type: ignore[arg-type]
