"""Classifiers that were learnt before, by what they were learnt from: an edit of a document seldom changes that."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from rag.ingest.build_code import code_hash
from school.kernel_classifier import Example, Hyperparameters, KernelClassifier, digest
from school.ngrams import FloatArray

MOST_KEPT = 4
"""Classifiers that are kept, some 20 MB each: the two of an index, before and after an edit that changes them."""


class ClassifierCache:
    """Learns classifiers as `KernelClassifier.learn` does, unless the same one was learnt before."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._code = code_hash(KernelClassifier.__module__)

    def learn(
        self, examples: Sequence[Example], vectors: FloatArray, embedder: str, numbers: Hyperparameters
    ) -> KernelClassifier:
        """See `KernelClassifier.learn`."""
        made_from = (
            self._code,
            digest(examples),
            sha256(vectors.tobytes()).hexdigest(),
            embedder,
            repr(numbers),
        )
        key = sha256("\0".join(made_from).encode()).hexdigest()
        if (known := self._read(key)) is not None:
            return known
        learnt = KernelClassifier.learn(examples, vectors, embedder, numbers)
        self._write(key, learnt)
        return learnt

    def _read(self, key: str) -> KernelClassifier | None:
        try:
            with closing(self._connect()) as db, db:
                row = db.execute("SELECT content FROM classifiers WHERE key = ?", (key,)).fetchone()
                db.execute(
                    "UPDATE classifiers SET used = (SELECT max(used) + 1 FROM classifiers) WHERE key = ?",
                    (key,),
                )
            return None if row is None else KernelClassifier.load(io.BytesIO(row[0]))
        except (sqlite3.DatabaseError, OSError, ValueError, KeyError):
            return None  # what cannot be read is learnt again

    def _write(self, key: str, learnt: KernelClassifier) -> None:
        content = io.BytesIO()
        learnt.save(content)
        try:
            self._keep(key, content.getvalue())
        except sqlite3.DatabaseError:
            self._path.unlink(missing_ok=True)
            self._keep(key, content.getvalue())

    def _keep(self, key: str, content: bytes) -> None:
        with closing(self._connect()) as db, db:
            db.execute(
                "INSERT OR REPLACE INTO classifiers SELECT ?, coalesce(max(used), 0) + 1, ? FROM classifiers",
                (key, content),
            )
            db.execute(
                "DELETE FROM classifiers WHERE key NOT IN (SELECT key FROM classifiers ORDER BY used DESC LIMIT ?)",
                (MOST_KEPT,),
            )

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=30)
        db.execute(
            "CREATE TABLE IF NOT EXISTS classifiers (key TEXT PRIMARY KEY, used INTEGER, content BLOB)"
        )
        return db
