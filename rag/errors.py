"""Errors for the person who must act.

CovanError
├── ProblemsError       an input has problems; lists every one, each with its place
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

from rag.messages import DEFAULT, Message, in_language


class CovanError(Exception):
    """Base of every error whose message is meant to be read by a person."""

    def told(self, language: str) -> str:
        """Return the message in a language of `rag.messages`, where it has one."""
        return in_language(self.args[0], language) if self.args else ""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a file: its place (`line` counts from 1), and what to do about it."""

    file: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        return self.told(DEFAULT)

    def told(self, language: str) -> str:
        """Return place and message in a language of `rag.messages`."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {in_language(self.message, language)}"


class ProblemsError(CovanError):
    """An input cannot be used as it is; `problems` holds every bad entry."""

    heading: ClassVar[str] = "problems"
    """The id of the message above the problems."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.told(DEFAULT))

    def told(self, language: str) -> str:
        """Return the whole report in a language of `rag.messages`."""
        heading = Message(self.heading, count=len(self.problems))
        return "\n".join(
            [in_language(heading, language), *(f"  {problem.told(language)}" for problem in self.problems)]
        )


class KnowledgeError(ProblemsError):
    """The knowledge folder has problems."""

    heading = "problems_in_knowledge"


class QuestionsError(ProblemsError):
    """A file of questions has problems."""

    heading = "problems_in_questions"


class IndexUnusableError(CovanError):
    """The index cannot be opened; the message says why and which command mends it."""


class SettingsError(CovanError):
    """A setting cannot be used; the message names it and the values it may have."""


def wrong_fields(error: ValidationError) -> str:
    """Return the faults of a file, each with its field: "sources.0.gate: Field required"."""
    return "; ".join(
        f"{'.'.join(map(str, e['loc'])) or 'file'}: {e['msg'].removeprefix('Value error, ')}"
        for e in error.errors()
    )
