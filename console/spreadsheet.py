"""A spreadsheet of questions with their answers, as an office keeps one: .xlsx, or .csv in any usual form.

The first row names the columns: question and answer, and if there are any, topic and further wordings. A sheet without
such a row has the questions in its first column and the answers in its second.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    "question": ("cau hoi", "hoi", "noi dung cau hoi", "question", "questions"),
    "answer": ("cau tra loi", "tra loi", "dap", "dap an", "noi dung tra loi", "answer", "answers"),
    "topic": ("chu de", "linh vuc", "nhom", "topic", "category"),
    "variants": ("cach hoi khac", "cach hoi", "variants", "wordings", "other wordings"),
}
"""Names of the columns, folded."""

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
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise SpreadsheetError("kind", f"only {' and '.join(SUFFIXES)} are read")
    cells = list(_xlsx(content) if suffix == ".xlsx" else _csv(content))
    header = next((number for number, row in enumerate(cells) if any(row)), 0)
    columns = _columns(cells[header]) if cells else {}
    first = header + 1 if columns else header
    places = columns or {"question": 0, "answer": 1}
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


def _columns(header: Sequence[str]) -> Mapping[str, int]:
    """Return the places of the columns that a row names; empty unless it names question and answer."""
    said = [" ".join(fold(cell).split()) for cell in header]
    found = {
        column: place
        for column, names in COLUMNS.items()
        for place, name in reversed([*enumerate(said)])
        if name in names
    }
    return found if {"question", "answer"} <= found.keys() else {}


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


def _csv(content: bytes) -> Iterator[list[str]]:
    text = decode(content)
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
    """Return what a cell says; a whole number without the point that spreadsheets give it."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return str(cell).replace("\r\n", "\n").replace("\r", "\n").strip()
