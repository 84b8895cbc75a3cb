"""Errors for the person who must act.

CovanError
├── ProblemsError       something given is wrong in places; lists every problem, not the first
│   ├── KnowledgeError  the knowledge folder
│   └── QuestionsError  a file of questions
├── IndexUnusableError  an index is missing, damaged, or made by another model or format
└── SettingsError       a setting or a preset has a value that cannot be used
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import ValidationError


class CovanError(Exception):
    """Base of every error whose message is meant to be read by a person."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend in a knowledge folder: where it is (`line` counts from 1) and what to do."""

    file: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"


class ProblemsError(CovanError):
    """What was given cannot be used as it is; `problems` holds every bad entry, `where` says of what."""

    where: ClassVar[str] = ""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        heading = f"{count} problem{'' if count == 1 else 's'} {self.where}:"
        super().__init__("\n".join([heading, *(f"  {problem}" for problem in self.problems)]))


class KnowledgeError(ProblemsError):
    """The knowledge folder cannot be used as it is."""

    where = "in the knowledge folder"


class QuestionsError(ProblemsError):
    """A file of questions cannot be used as it is."""

    where = "in the questions"


class IndexUnusableError(CovanError):
    """The index cannot be opened; the message says why and which command mends it."""


class SettingsError(CovanError):
    """A setting cannot be used; the message names it and the values it may have."""


def wrong_fields(error: ValidationError) -> str:
    """What is wrong in a file, each field with its place: "sources.0.gate: Field required"."""
    return "; ".join(
        f"{'.'.join(map(str, e['loc'])) or 'file'}: {e['msg'].removeprefix('Value error, ')}"
        for e in error.errors()
    )
