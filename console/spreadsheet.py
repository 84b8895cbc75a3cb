"""A spreadsheet as an office keeps one, .xlsx or .csv in any usual form: its cells, and those of one of questions.

A workbook is told by its bytes, whatever the name of the file says. In a sheet of questions, a row near the top names
the columns: question and answer, and if there are any, topic and further wordings; a title may stand above it. A sheet
without such a row has the questions in its first column and the answers in its second, behind a column of numbers if
it has one.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from pathlib import PurePosixPath
from typing import Any

from openpyxl.reader.excel import load_workbook

from rag.errors import CovanError
from rag.ingest.loaders.encoding import decode
from vietnamese.text import fold

SUFFIXES = (".xlsx", ".csv")
MOST_ROWS = 1_000
MOST_UNPACKED_BYTES = 100 * 2**20

COLUMNS: Mapping[str, Sequence[str]] = {
    "question": ("cau hoi", "hoi", "noi dung cau hoi", "noi dung hoi", "question", "questions"),
    "answer": (
        "cau tra loi",
        "tra loi",
        "dap",
        "dap an",
        "noi dung tra loi",
        "giai dap",
        "answer",
        "answers",
    ),
    "topic": ("chu de", "linh vuc", "nhom", "topic", "category"),
    "variants": ("cach hoi khac", "cach hoi", "variants", "wordings", "other wordings"),
}
"""Names of the columns, folded."""

_OTHER_COLUMNS: Sequence[str] = (
    *("stt", "tt", "so tt", "so thu tu", "no", "id", "ma", "ngay", "date", "ghi chu", "note", "notes"),
    *("don vi", "phong ban", "nguon", "can cu", "office", "source", "noi dung", "content"),
)
HEADER_WITHIN = 10
"""A header stands within these rows from the top: a title and remarks may be above it."""
_MOST_HEADER_WORDS = 6

_XLSX, _XLS = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_OTHER_KINDS = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b", b"Rar!", b"7z\xbc\xaf")
"""With which files begin that are no tables."""
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")

_SEPARATORS = ",;\t"
_WORDINGS = re.compile(r"[\n;|]")


class SpreadsheetError(CovanError):
    """A spreadsheet cannot be read; `code` and the message say why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Row:
    """A row with a question or an answer; `line` counts from 1. `topic` is as the row says it."""

    line: int
    question: str
    answer: str
    topic: str = ""
    variants: tuple[str, ...] = ()


def rows_of(name: str, content: bytes) -> Sequence[Row]:
    """Return the rows of a spreadsheet's first sheet, at most `MOST_ROWS`. Raises SpreadsheetError."""
    cells = cells_of(name, content)
    first, places = _layout(cells)
    found = []
    for line, row in enumerate(cells[first:], first + 1):
        said = {column: row[place] if place < len(row) else "" for column, place in places.items()}
        if said["question"] or said["answer"]:
            wordings = (" ".join(each.split()) for each in _WORDINGS.split(said.get("variants", "")))
            found.append(
                Row(
                    line,
                    " ".join(said["question"].split()),
                    said["answer"],
                    " ".join(said.get("topic", "").split()),
                    tuple(dict.fromkeys(filter(None, wordings))),
                )
            )
    if not found:
        raise SpreadsheetError("empty", "the sheet has no row with a question or an answer")
    if len(found) > MOST_ROWS:
        raise SpreadsheetError("rows", f"more than {MOST_ROWS} rows: divide the sheet")
    return found


def cells_of(name: str, content: bytes) -> Sequence[Sequence[str]]:
    """Return the texts of the cells of a spreadsheet's first sheet, row by row. Raises SpreadsheetError."""
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise SpreadsheetError("kind", f"only {' and '.join(SUFFIXES)} are read")
    is_workbook = suffix == ".xlsx" or content.startswith(_XLSX)
    return list(_xlsx(content) if is_workbook else csv_rows(content))


def column_words(cell: str) -> str:
    """Return the words of a cell as names of columns are compared: without case, diacritics and marks."""
    return " ".join(re.sub(r"\W", " ", fold(cell)).split())


def _layout(cells: Sequence[Sequence[str]]) -> tuple[int, Mapping[str, int]]:
    """Return the row from which on there are questions, and the places of the columns."""
    for number, row in enumerate(cells[:HEADER_WITHIN]):
        if columns := _columns(row):
            return number + 1, columns
    numbered = [row[0] for row in cells if any(row)]
    place = 1 if numbered and all(cell.rstrip(".").isdecimal() for cell in numbered) else 0
    return 0, {"question": place, "answer": place + 1}


def _columns(row: Sequence[str]) -> Mapping[str, int]:
    """Return the places of the columns that a row names; empty when it is no header.

    A header names question and answer, or one of them among nothing but names of columns: the other one is beside it.
    """
    kinds = [_named(cell) for cell in row]
    found = {kind: kinds.index(kind) for kind in COLUMNS if kind in kinds}
    if {"question", "answer"} <= found.keys():
        return found
    names_alone = sum(map(bool, row)) > 1 and all(kind for kind, cell in zip(kinds, row, strict=True) if cell)
    if not names_alone or not {"question", "answer"} & found.keys():
        return {}
    if "question" in found:
        found["answer"] = found["question"] + 1
    else:
        found["question"] = max(0, found["answer"] - 1)
    return found if found["question"] != found["answer"] else {}


def _named(cell: str) -> str:
    """Return the column that a cell names, "other" for one that is not read; "" when it is no name of a column.

    Words may follow a name of two or more: "Câu hỏi của sinh viên".
    """
    said = column_words(cell)
    if "?" in cell or len(said.split()) > _MOST_HEADER_WORDS:
        return ""
    for kind, names in COLUMNS.items():
        if said in names or any(said.startswith(f"{name} ") for name in names if " " in name):
            return kind
    return "other" if said in _OTHER_COLUMNS else ""


def _xlsx(content: bytes) -> Iterator[list[str]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(part.file_size for part in packed.infolist()) > MOST_UNPACKED_BYTES:
                raise SpreadsheetError("large", "the sheet is too large when unpacked")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        # The size that a file declares may be wrong, and hide rows or promise millions.
        sheet.reset_dimensions()
        for number, row in enumerate(sheet.iter_rows(max_col=20, values_only=True)):
            if number > 2 * MOST_ROWS:
                return
            yield [_text(cell) for cell in row]
    except SpreadsheetError:
        raise
    except Exception as error:  # openpyxl has no common error for damage
        raise SpreadsheetError(
            "damaged", "the file is damaged or no .xlsx; save it again in Excel"
        ) from error


def csv_rows(content: bytes) -> Iterator[list[str]]:
    """Yield the rows of a CSV in UTF-8, UTF-16 or Windows-1258, with any usual separator. Raises SpreadsheetError."""
    if content.startswith((_XLSX, _XLS)):
        raise SpreadsheetError("workbook", "this is an Excel workbook; save it as CSV UTF-8")
    text = decode(content)
    has_controls = _BINARY.search(text) if isinstance(text, str) else b"\0" in content
    if has_controls or content.startswith(_OTHER_KINDS):
        raise SpreadsheetError(
            "binary", "this is no text, but another kind of file; save the table as CSV UTF-8"
        )
    if not isinstance(text, str):
        raise SpreadsheetError("encoding", "the text cannot be decoded; save it as CSV UTF-8")
    first = text.split("\n", 1)[0]
    separator = max(_SEPARATORS, key=first.count)
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            yield [_text(cell) for cell in row]
    except csv.Error as error:
        raise SpreadsheetError("damaged", f"the file is no CSV: {error}") from error


def _text(cell: Any) -> str:
    """Return what a cell says; a whole number without the point, and a day without the hour, that spreadsheets give."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, datetime) and cell.time() == time.min:
        cell = cell.date()
    return str(cell).replace("\r\n", "\n").replace("\r", "\n").strip()
