"""A comparison of two trained models: the labelled messages of the school, and recent messages of students.

Both are read as Rasa's process reads them, with the reader that a model carries. A candidate has learnt the labelled
messages, so its accuracy on them says what it has taken in, not how well it reads new ones; the messages of students
show what would change.
"""

from __future__ import annotations

import json
import tarfile
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from console.nlu_files import NluFiles
from console.turns import Turns
from rag.errors import CovanError
from rag.index.vectors import ShippedVectors, VectorCache
from rag.ingest.build import SHIPPED_VECTORS
from school.kernel_classifier import KernelClassifier
from school.reader import Reader
from school.reading_knowledge import ReadingKnowledge
from school.sentence_embedder import QuestionEmbedder, VectorArray

MOST_LISTED = 200
"""Messages of each kind that are listed, and confusions."""

DAYS, MOST_MESSAGES = 30, 500
"""The messages of students that are read: the latest ones, of so many days."""

_READING, _CLASSIFIER = "reading.json", "intents.npz"
_DAMAGE = (
    OSError,
    EOFError,
    ValueError,
    KeyError,
    TypeError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What reading a damaged model raises, or one of another release."""

_EVERY = 10
"""Messages after which the progress is told."""

Progress = Callable[[int, int], None]
"""Called with the number of messages that are read, and of all."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The most probable intent of a message, and its probability; "" when the model gives none."""

    intent: str
    probability: float


class UnreadableModelError(CovanError):
    """A model's file is damaged, or of another release."""


class Comparer:
    """Compares models on the examples of `nlu` and the messages of `turns`.

    `embedder` is that of Rasa's process; `vectors` is the cache of the index's folder, which has the vectors of the
    examples.
    """

    def __init__(self, nlu: NluFiles, turns: Turns, embedder: QuestionEmbedder, vectors: Path) -> None:
        self._nlu = nlu
        self._turns = turns
        self._embedder = embedder
        self._vectors = vectors

    def compare(self, live: Path | None, candidate: Path, progress: Progress) -> Mapping[str, Any]:
        """Return the comparison, as it is kept: of students' messages it has the turns' numbers alone.

        Without a `live` model, or with one that this release cannot read, nothing changes. Raises
        UnreadableModelError for the candidate, KnowledgeFileError or KnowledgeError for the folder, and
        sqlalchemy.exc.SQLAlchemyError.
        """
        labelled = self._nlu.messages()
        asked = self._turns.messages(DAYS, MOST_MESSAGES)
        embedder = RememberedVectors(self._embedder)
        new = reader_of(candidate, embedder)
        try:
            old = reader_of(live, embedder) if live is not None else None
        except UnreadableModelError:
            old = None
        count = len(labelled) + len(asked)
        progress(0, count)
        embedder.remember(
            {new.prepared(text).embedded for text, _ in labelled}, self._cache(), lambda: progress(0, count)
        )

        def both(number: int, text: str) -> tuple[Understood | None, Understood]:
            if number % _EVERY == 0:
                progress(number, count)
            return (understood(old, text) if old is not None else None), understood(new, text)

        read = [
            both(number, text)
            for number, text in enumerate(
                [*(text for text, _ in labelled), *(str(turn["question"]) for turn in asked)]
            )
        ]
        progress(count, count)
        known, said = read[: len(labelled)], read[len(labelled) :]
        return {
            "live": live.name if old is not None and live is not None else "",
            "candidate": candidate.name,
            "labelled": _labelled(labelled, known),
            "messages": {
                "count": len(asked),
                "changes": [
                    {"trace": turn["id"], **_change(before, after)}
                    for turn, (before, after) in zip(asked, said, strict=True)
                    if differ(before, after)
                ][:MOST_LISTED],
            },
        }

    def _cache(self) -> VectorCache:
        return VectorCache(self._vectors, ShippedVectors.load(self._nlu.knowledge / SHIPPED_VECTORS))


class RememberedVectors:
    """An embedder that embeds each text once."""

    def __init__(self, embedder: QuestionEmbedder) -> None:
        self._embedder = embedder
        self._known: dict[str, VectorArray] = {}
        self.name = embedder.name

    def query(self, text: str) -> VectorArray:
        """Return the vector of one question, shape (d,)."""
        if text not in self._known:
            self._known[text] = self._embedder.query(text)
        return self._known[text]

    def remember(self, texts: Collection[str], cache: VectorCache, done: Callable[[], None]) -> None:
        """Take the vectors of `texts` from a cache, which embeds missing ones and calls `done` now and then."""
        ordered = sorted(texts)
        found = cache.vectors(
            self.name,
            "query",
            ordered,
            lambda some: np.stack([self._embedder.query(text) for text in some]),
            progress=lambda _: done(),
        )
        self._known |= dict(zip(ordered, found, strict=True))


def reader_of(model: Path, embedder: QuestionEmbedder) -> Reader:
    """Return the reader in a trained model's file. Raises UnreadableModelError."""
    try:
        with tarfile.open(model) as archive, tempfile.TemporaryDirectory(prefix="covan-console-") as folder:
            for member in archive:
                name = PurePosixPath(member.name).name
                content = archive.extractfile(member) if name in (_READING, _CLASSIFIER) else None
                if content is not None:
                    (Path(folder) / name).write_bytes(content.read())
            knowledge = json.loads((Path(folder) / _READING).read_text(encoding="utf-8"))
            classifier = KernelClassifier.load(Path(folder) / _CLASSIFIER)
            return Reader(ReadingKnowledge.from_json(knowledge), embedder, classifier)
    except _DAMAGE as error:
        raise UnreadableModelError(f"{model.name} cannot be read: {error}") from error


def understood(reader: Reader, text: str) -> Understood:
    """Return what a message is taken for."""
    intent, probability = next(iter(reader.read(text).intents.items()), ("", 0.0))
    return Understood(intent, round(probability, 4))


def _labelled(
    labelled: Sequence[tuple[str, str]], read: Sequence[tuple[Understood | None, Understood]]
) -> Mapping[str, Any]:
    """Return the right ones of both models, the mistakes as pairs of intents, and the messages that change."""
    pairs = list(zip(labelled, read, strict=True))
    mistakes: dict[str, Counter[tuple[str, str]]] = {"live": Counter(), "candidate": Counter()}
    for (_, intent), both in pairs:
        for name, found in zip(mistakes, both, strict=True):
            if found is not None and found.intent != intent:
                mistakes[name][intent, found.intent] += 1
    confused = sorted(
        mistakes["live"].keys() | mistakes["candidate"].keys(),
        key=lambda pair: (-max(each[pair] for each in mistakes.values()), pair),
    )
    return {
        "count": len(labelled),
        "right": {
            name: len(labelled) - each.total() if name == "candidate" or _has_live(read) else None
            for name, each in mistakes.items()
        },
        "confusion": [
            {
                "intent": intent,
                "given": given,
                **{name: each[intent, given] for name, each in mistakes.items()},
            }
            for intent, given in confused[:MOST_LISTED]
        ],
        "changes": [
            {"text": text, "intent": intent, **_change(before, after)}
            for (text, intent), (before, after) in pairs
            if differ(before, after)
        ][:MOST_LISTED],
    }


def _has_live(read: Sequence[tuple[Understood | None, Understood]]) -> bool:
    return any(before is not None for before, _ in read)


def differ(before: Understood | None, after: Understood) -> bool:
    """Return whether a message is taken for another intent."""
    return before is not None and before.intent != after.intent


def _change(before: Understood | None, after: Understood) -> Mapping[str, Any]:
    return {"live": before and asdict(before), "candidate": asdict(after)}
