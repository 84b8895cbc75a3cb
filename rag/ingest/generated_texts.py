"""Texts that a language model has written for retrieval (`covan enrich`), and the file that keeps them.

They are further wordings of FAQ entries, questions that passages answer, and relations that passages state. A text is
kept under the hash of the source that it was written from and checked against: a changed source has no texts. Students
never see them; the index marks them as generated. The file stands beside the index, which does without it.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from rag.errors import IndexUnusableError
from rag.ingest.graph.schema import GraphSchema
from rag.ingest.graph.statements import Relations, Statement, statement_of
from rag.types import FaqEntry, Passage

GENERATED_FILE = "generated.sqlite"


class GeneratedKind(StrEnum):
    """Kinds of generated texts."""

    WORDINGS = "wordings"
    QUESTIONS = "questions"
    RELATIONS = "relations"


VERSIONS: Mapping[GeneratedKind, int] = {
    GeneratedKind.WORDINGS: 2,
    GeneratedKind.QUESTIONS: 2,
    GeneratedKind.RELATIONS: 2,
}
"""Raised when a kind is asked for or checked in another way: its texts are then written anew."""

UNTOLD = frozenset({"part_of", "mentions"})
"""Relations that a model is not asked for: they follow from the structure of documents, or from all the others."""

_TABLE = """
CREATE TABLE IF NOT EXISTS generated (key TEXT PRIMARY KEY, kind TEXT, source TEXT, texts TEXT, refused INTEGER,
    model TEXT, made_at TEXT) WITHOUT ROWID
"""
_ROWS = "SELECT key, kind, source, texts, refused, model, made_at FROM generated ORDER BY kind, source, key"


@dataclass(frozen=True, slots=True)
class GeneratedRow:
    """The texts of one source: a model wrote them on the day `made_at` (ISO 8601); `refused` did not pass the checks.

    `source` is the id of the entry or passage, for a reader. Relations are texts in JSON (`Statement.to_json`).
    """

    key: str
    kind: GeneratedKind
    source: str
    texts: tuple[str, ...]
    refused: int
    model: str
    made_at: str


def wordings_key(family: Sequence[FaqEntry]) -> str:
    """Return the key of the further wordings of entries that answer one question."""
    asked = {text: None for entry in family for text in (entry.question, *entry.variants)}
    return _key(GeneratedKind.WORDINGS, asked)


def questions_key(passage: Passage) -> str:
    """Return the key of the questions that a passage answers."""
    return _key(GeneratedKind.QUESTIONS, (passage.title, *passage.context, passage.text))


def relations_key(passage: Passage, relations: Relations) -> str:
    """Return the key of the relations that a passage states, of those that a model is asked for."""
    wanted = json.dumps({name: list(map(list, ends)) for name, ends in relations.items()}, sort_keys=True)
    return _key(GeneratedKind.RELATIONS, (passage.locator, passage.text, wanted))


def relations_of(schema: GraphSchema) -> Relations:
    """Return the relations that a model is asked for, each with the types of its ends."""
    return {
        name: (sorted(ends.sources), sorted(ends.targets))
        for name, ends in sorted(schema.relations.items())
        if name not in UNTOLD
    }


def _key(kind: GeneratedKind, parts: Iterable[str]) -> str:
    text = "\0".join((kind, str(VERSIONS[kind]), *parts))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Generated:
    """The kept texts by key."""

    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def stamp(self) -> str:
        """A hash of all keys, empty without any: texts under a key never change."""
        return hashlib.sha256("".join(sorted(self.texts)).encode()).hexdigest() if self.texts else ""

    def wordings(self, family: Sequence[FaqEntry]) -> tuple[str, ...]:
        return self.texts.get(wordings_key(family), ()) if self.texts else ()

    def questions(self, passage: Passage) -> tuple[str, ...]:
        return self.texts.get(questions_key(passage), ()) if self.texts else ()

    def statements(self, passage: Passage, relations: Relations) -> tuple[Statement, ...]:
        said = self.texts.get(relations_key(passage, relations), ()) if self.texts else ()
        return tuple(statement_of(json.loads(each)) for each in said)


NOTHING_GENERATED = Generated()


class GeneratedTexts:
    """The file beside an index. Reading a missing one makes none.

    Every method raises IndexUnusableError when the file cannot be used. It is never deleted on its own: its texts
    have cost money.
    """

    def __init__(self, index: Path) -> None:
        self._path = index / GENERATED_FILE

    def read(self) -> Generated:
        """Return all texts."""
        return Generated({row.key: row.texts for row in self.rows()})

    def rows(self) -> list[GeneratedRow]:
        """Return everything that is kept, by kind and source."""
        if not self._path.exists():
            return []
        with self._opened() as db:
            return [
                GeneratedRow(key, GeneratedKind(kind), source, tuple(json.loads(texts)), refused, model, made)
                for key, kind, source, texts, refused, model, made in db.execute(_ROWS)
            ]

    def has(self, key: str) -> bool:
        """Return whether texts were written for a key, were it none."""
        if not self._path.exists():
            return False
        with self._opened() as db:
            return db.execute("SELECT 1 FROM generated WHERE key = ?", (key,)).fetchone() is not None

    def keep(
        self, key: str, kind: GeneratedKind, source: str, texts: Sequence[str], refused: int, model: str,
        now: datetime,
    ) -> None:  # fmt: skip
        """Keep the texts of a source at once, so that a killed run loses none. Those that are there stay."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        said = json.dumps(list(texts), ensure_ascii=False)
        row = (key, kind.value, source, said, refused, model, now.isoformat(timespec="seconds"))
        with self._opened() as db:
            db.execute("INSERT OR IGNORE INTO generated VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=30)) as db, db:
                db.execute(_TABLE)
                yield db
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise IndexUnusableError(
                f"{self._path} cannot be used ({error}); restore it from a backup, or delete it and run "
                "`covan enrich` again"
            ) from error
