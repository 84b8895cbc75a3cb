"""The statements of passages, kept by the hash of what they were read from, so that no passage is read twice."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from rag.ingest.graph.statements import Extractor, Statement, statement_of
from rag.types import Passage


class ExtractionCache:
    """A SQLite file beside the index; a damaged one is made anew."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._prepare()
        except sqlite3.DatabaseError:
            path.unlink(missing_ok=True)
            self._prepare()

    def _prepare(self) -> None:
        with closing(sqlite3.connect(self._path, timeout=30)) as db, db:
            db.execute(
                "CREATE TABLE IF NOT EXISTS statements (key TEXT PRIMARY KEY, said TEXT) WITHOUT ROWID"
            )

    def statements(self, extractor: Extractor, passages: Sequence[Passage]) -> list[tuple[Statement, ...]]:
        """Return the statements of each passage; read those that were never read by this version of the extractor."""
        keys = [_key(extractor, passage) for passage in passages]
        with closing(sqlite3.connect(self._path, timeout=30)) as db, db:
            known = dict(db.execute("SELECT key, said FROM statements"))
            fresh = {}
            for key, passage in zip(keys, passages, strict=True):
                if key not in known:
                    said = [statement.to_json() for statement in extractor.extract(passage)]
                    known[key] = fresh[key] = json.dumps(said, ensure_ascii=False)
            db.executemany("INSERT OR REPLACE INTO statements VALUES (?, ?)", fresh.items())
        return [tuple(statement_of(said) for said in json.loads(known[key])) for key in keys]


def _key(extractor: Extractor, passage: Passage) -> str:
    text = "\0".join((extractor.name, extractor.version, passage.locator, passage.text))
    return hashlib.sha256(text.encode()).hexdigest()
