"""The cache of embedding vectors, so that no text is embedded twice.

A key is the hash of the model, the role ("query" or "passage") and the exact text. Vectors come from the file that a
school ships with its knowledge (`vectors.npz`, read only), or from a SQLite file beside the index.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from rag.errors import KnowledgeError, Problem
from rag.messages import Message
from school.sentence_embedder import VectorArray

Role = Literal["query", "passage"]
KEY_BYTES = 16

_DAMAGED = ("SQLITE_NOTADB", "SQLITE_CORRUPT")


def vector_key(model: str, role: Role, text: str) -> bytes:
    """Return the key of an embedding: `KEY_BYTES` bytes of a hash."""
    return hashlib.sha256(f"{model}\0{role}\0{text}".encode()).digest()[:KEY_BYTES]


class ShippedVectors:
    """Vectors that come with the knowledge: an .npz of `keys` (n, 16) uint8 and `vectors` (n, d) float16."""

    def __init__(self, vectors: Mapping[bytes, npt.NDArray[np.float16]]) -> None:
        self._vectors = vectors

    @classmethod
    def load(cls, *paths: Path) -> ShippedVectors:
        """Return the vectors in those of `paths` that exist. Raise KnowledgeError when one cannot be read."""
        found: dict[bytes, npt.NDArray[np.float16]] = {}
        for path in paths:
            if not path.is_file():
                continue
            try:
                with np.load(path, allow_pickle=False) as archive:
                    found |= zip(map(bytes, archive["keys"]), archive["vectors"], strict=True)
            except (OSError, ValueError, EOFError, KeyError, TypeError, BadZipFile) as error:
                raise KnowledgeError([Problem(path.name, Message("damaged_vectors"))]) from error
        return cls(found)

    @staticmethod
    def save(path: Path, vectors: dict[bytes, VectorArray]) -> None:
        """Write `vectors` in the order of their keys, so that the same knowledge makes the same file."""
        keys = sorted(vectors)
        np.savez_compressed(
            path,
            keys=np.frombuffer(b"".join(keys), np.uint8).reshape(-1, KEY_BYTES),
            vectors=np.stack([vectors[key] for key in keys]).astype(np.float16),
        )

    def get(self, key: bytes) -> VectorArray | None:
        vector = self._vectors.get(key)
        return None if vector is None else vector.astype(np.float32)


class VectorCache:
    """Gives the vectors of texts: shipped, else cached, else embedded now and cached."""

    def __init__(self, path: Path, shipped: ShippedVectors | None = None) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._shipped = shipped
        try:
            self._prepare()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorname not in _DAMAGED:
                raise
            # The cache can be made again.
            for file in path.parent.glob(f"{path.name}*"):
                file.unlink()
            self._prepare()

    def _prepare(self) -> None:
        with closing(self._connect()) as db, db:
            db.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=30)
        db.execute("PRAGMA journal_mode=WAL")
        return db

    def vectors(
        self,
        model: str,
        role: Role,
        texts: Sequence[str],
        embed: Callable[[Sequence[str]], VectorArray],
        batch: int = 16,
        progress: Callable[[int], None] = lambda _: None,
    ) -> VectorArray:
        """Return the vectors of `texts`, (n, d) float32, L2-normalised; embed missing ones in batches.

        `progress` is called with the number of texts just done. Each batch is stored at once: an interrupted run loses
        one batch at most.
        """
        keys = [vector_key(model, role, text) for text in texts]
        found: dict[bytes, VectorArray] = {}
        with closing(self._connect()) as db:
            for key in dict.fromkeys(keys):
                vector = self._shipped.get(key) if self._shipped else None
                if vector is None:
                    row = db.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
                    vector = None if row is None else np.frombuffer(row[0], np.float16).astype(np.float32)
                if vector is not None:
                    found[key] = vector
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
            progress(len(texts) - len(missing))
            waiting = list(missing.items())
            for some in (waiting[start : start + batch] for start in range(0, len(waiting), batch)):
                made = np.asarray(embed([text for _, text in some])).astype(np.float16)
                with db:
                    db.executemany(
                        "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                        [(key, vector.tobytes()) for (key, _), vector in zip(some, made, strict=True)],
                    )
                found |= {key: v.astype(np.float32) for (key, _), v in zip(some, made, strict=True)}
                progress(len(some))
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, 0), np.float32)
