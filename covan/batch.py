"""Input and output of the batch commands: questions from CSV, JSON lines, progress."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from rag.errors import Problem, QuestionsError
from rag.messages import Message
from rag.types import Question

COLUMNS = frozenset({"id", "question"})
"""The columns that each file of questions has."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question of a CSV file; `fields` are all its columns, `line` counts from 1 (0: of no file)."""

    id: str
    question: Question
    fields: dict[str, str]
    line: int = 0


def read_questions(path: Path) -> list[Row]:
    """Return the rows of a CSV with `id` and `question`; `covan.profile_arguments` reads the dimensions of the school.

    Raises QuestionsError naming every bad line: no id, no question, an id that was there before.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            columns = set(reader.fieldnames or ())
            if missing := COLUMNS - columns:
                names = ", ".join(sorted(missing))
                raise QuestionsError([Problem(str(path), Message("questions_no_column", columns=names), 1)])
            lines = [(reader.line_num, row) for row in reader]
    except FileNotFoundError as error:
        raise QuestionsError([Problem(str(path), "there is no such file")]) from error
    except OSError as error:
        raise QuestionsError([Problem(str(path), f"cannot be read: {error.strerror}")]) from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise QuestionsError([Problem(str(path), f"is not a CSV file in UTF-8: {error}")]) from error
    problems, rows, seen = [], [], set[str]()
    for line, fields in lines:
        values = {name: (value or "").strip() for name, value in fields.items() if isinstance(name, str)}
        if not values["id"]:
            problems.append(Problem(str(path), Message("questions_no_id"), line))
        elif values["id"] in seen:
            problems.append(Problem(str(path), Message("questions_id_twice", id=values["id"]), line))
        if not values["question"]:
            problems.append(Problem(str(path), Message("questions_empty"), line))
        if None in fields:
            problems.append(Problem(str(path), Message("questions_more_cells"), line))
        seen.add(values["id"])
        rows.append(Row(values["id"], Question(values["question"]), values, line))
    if problems:
        raise QuestionsError(problems)
    return rows


def write_lines(
    rows: Iterable[Row], total: int, out: Path, line: Callable[[Row], dict[str, Any]], description: str
) -> None:
    """Write one JSON object a row to `out`, which appears only when it is whole; its folder is made."""
    out.parent.mkdir(parents=True, exist_ok=True)
    aside = out.with_name(f".{out.name}.part")
    console = Console(stderr=True)
    with aside.open("w", encoding="utf-8") as file:
        for row in track(rows, description, total=total, console=console, transient=True):
            file.write(json.dumps(line(row), ensure_ascii=False) + "\n")
    aside.replace(out)
