"""Statements: what an extractor has read in one passage, by the passage's own words.

Extractors do not know the graph. A statement names its ends as the passage does; `rag.ingest.graph.linking` finds the
nodes. So the statements of a passage depend on its text alone and are kept by its hash.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from rag.graph.types import FoundBy
from rag.types import Passage
from vietnamese.text import fold

MOST_STATEMENTS = 200
"""The most statements of one passage; more are no reading of it."""

Relations = Mapping[str, tuple[Sequence[str], Sequence[str]]]
"""The relations that may be stated, each with the types of nodes that it leads from and to."""

THIS = ""
"""The subject of a statement about the passage itself."""


@dataclass(frozen=True, slots=True)
class Statement:
    """`relation` leads from `subject` to `object`; the passage says so in the words `quote`.

    `subject` is `THIS` for the clause itself, "document" in `subject_type` for its whole document. A type is empty
    when the relation alone says it. `properties` tell the object apart: the number of a document, an amount.
    """

    relation: str
    object: str
    quote: str
    subject: str = THIS
    subject_type: str = "Clause"
    object_type: str = ""
    properties: Mapping[str, str] = field(default_factory=dict, hash=False)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class Extractor(Protocol):
    """Reads statements out of passages.

    `name` and `version` belong to the key under which its statements are kept; another version reads everything anew.
    """

    name: str
    version: str
    found_by: FoundBy

    def extract(self, passage: Passage) -> Sequence[Statement]:
        """Return the statements of a passage."""
        ...


@dataclass(frozen=True, slots=True)
class Refused:
    """A statement that was left out, and why: "quote", "object", "subject", "relation" or "form"."""

    said: str
    why: str


def checked(passage: Passage, said: str, relations: Relations) -> tuple[list[Statement], list[Refused]]:
    """Return the statements in the JSON text `said` that the passage bears out, and those that it does not.

    `said` is a list of objects with the fields of `Statement`, as a language model writes them.

    The quotation must stand in the passage, both ends in the quotation, and the relation among `relations` with its
    ends: a model that makes something up is not believed.
    """
    try:
        given = json.loads(said)
    except ValueError:
        return [], [Refused(said[:200], "form")]
    kept: list[Statement] = []
    refused: list[Refused] = []
    for item in given if isinstance(given, list) else [given]:
        statement = _statement(item)
        if statement is None or len(kept) >= MOST_STATEMENTS:
            refused.append(Refused(str(item)[:200], "form"))
        elif why := _doubt(passage, statement, relations):
            refused.append(Refused(str(item)[:200], why))
        else:
            kept.append(statement)
    return kept, refused


def _statement(item: object) -> Statement | None:
    if not isinstance(item, dict) or not {"relation", "object", "quote"} <= item.keys():
        return None
    keys = ("relation", "object", "quote", "subject", "subject_type", "object_type")
    said: dict[str, Any] = {key: item[key] for key in keys if item.get(key) is not None}
    return Statement(**said) if all(isinstance(value, str) for value in said.values()) else None


def _doubt(passage: Passage, statement: Statement, relations: Relations) -> str:
    ends = relations.get(statement.relation)
    if ends is None or statement.object_type not in ("", *ends[1]):
        return "relation"
    if statement.subject_type not in ("", "document", *ends[0]):
        return "relation"
    quote = _plain(statement.quote)
    if not quote or quote not in _plain(passage.text):
        return "quote"
    if _plain(statement.object) not in quote:
        return "object"
    return "subject" if _plain(statement.subject) not in quote else ""


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


def statement_of(data: Mapping[str, Any]) -> Statement:
    """Return the statement that `Statement.to_json` has written. Raises TypeError when `data` is none."""
    return Statement(**data)
