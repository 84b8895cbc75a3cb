"""In which language a message is written, when it is long enough to tell."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any, Dict, List, Optional, Text

from rasa.engine.graph import ExecutionContext, GraphComponent
from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.engine.storage.resource import Resource
from rasa.engine.storage.storage import ModelStorage
from rasa.nlu.extractors.extractor import EntityExtractorMixin
from rasa.shared.constants import INTENT_MESSAGE_PREFIX
from rasa.shared.exceptions import RasaException
from rasa.shared.nlu.constants import (
    ENTITIES,
    ENTITY_ATTRIBUTE_END,
    ENTITY_ATTRIBUTE_START,
    ENTITY_ATTRIBUTE_TYPE,
    ENTITY_ATTRIBUTE_VALUE,
    TEXT,
)
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

from server.text import MAX_MESSAGE_CHARS, fold

_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_MOST_WORDS = 60
"""Enough to tell."""

_FEWEST = 2
"""Words that only one of the languages has; fewer tell nothing ("thanks", "ok bye", "scholarship?")."""

_SHORTEST_UNKNOWN = 5
"""Letters from which a word that neither list has, and that is no syllable, is half a sign of English."""

_OUTWEIGHS = 1.5
"""English words for each Vietnamese one in an English message: names and terms of the school stay Vietnamese."""


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.ENTITY_EXTRACTOR, is_trainable=True)
class LanguageDetector(GraphComponent, EntityExtractorMixin):
    """Gives the entity `language`, "en" or "vi", or none for a message that tells nothing.

    The file named by `words` (JSON, written by `covan train`) has `english`: words that only English has; `borrowed`:
    words of both languages; `either`: English words that could be Vietnamese; `syllable`: the spelling of a Vietnamese
    syllable. It is kept inside the model.
    """

    WORDS_FILE = "language.json"
    ENTITY = "language"

    @staticmethod
    def get_default_config() -> Dict[Text, Any]:
        """The detector's default: where `covan train` writes its file."""
        return {"words": ".covan/nlu/language.json"}

    def __init__(
        self,
        config: Dict[Text, Any],
        model_storage: ModelStorage,
        resource: Resource,
        words: Optional[Dict[Text, Any]] = None,
    ) -> None:
        self._config = config
        self._model_storage = model_storage
        self._resource = resource
        self._use(words or {"english": [], "borrowed": [], "either": [], "syllable": "(?!)"})

    @classmethod
    def create(
        cls,
        config: Dict[Text, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
    ) -> LanguageDetector:
        """A detector that has learnt nothing yet."""
        return cls(config, model_storage, resource)

    @classmethod
    def load(
        cls,
        config: Dict[Text, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
        **kwargs: Any,
    ) -> LanguageDetector:
        """The detector with the words that its model was trained with."""
        with model_storage.read_from(resource) as directory:
            words = json.loads((directory / cls.WORDS_FILE).read_text(encoding="utf-8"))
        return cls(config, model_storage, resource, words)

    @classmethod
    def fingerprint_addon(cls, config: Dict[Text, Any]) -> Optional[str]:
        """Makes Rasa's training cache see changed words."""
        path = Path(config.get("words", cls.get_default_config()["words"]))
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None

    def train(self, training_data: TrainingData) -> Resource:
        """Takes the words into the model.

        Raises:
            RasaException: when the file is missing or not of the expected shape.
        """
        path = Path(self._config["words"])
        try:
            words = json.loads(path.read_text(encoding="utf-8"))
            self._use(words)
        except (OSError, ValueError, KeyError, TypeError, re.error) as error:
            raise RasaException(
                f"LanguageDetector cannot read the words in '{path}' ({error}). Run `covan train`, which writes it."
            ) from error
        with self._model_storage.write_to(self._resource) as directory:
            (directory / self.WORDS_FILE).write_text(json.dumps(words), encoding="utf-8")
        return self._resource

    def process(self, messages: List[Message]) -> List[Message]:
        """Adds the language of each message to its entities; a pressed button has none."""
        for message in messages:
            text = message.get(TEXT) or ""
            if text.startswith(INTENT_MESSAGE_PREFIX):
                continue
            language = self.detect(text)
            if language is not None:
                entity = {
                    ENTITY_ATTRIBUTE_TYPE: self.ENTITY,
                    ENTITY_ATTRIBUTE_START: 0,
                    ENTITY_ATTRIBUTE_END: len(text),
                    ENTITY_ATTRIBUTE_VALUE: language,
                }
                entities = message.get(ENTITIES, []) + self.add_extractor_name([entity])
                message.set(ENTITIES, entities, add_to_output=True)
        return messages

    def detect(self, text: str) -> Optional[str]:
        """ "en" or "vi"; None when the words do not tell, or are as much of one as of the other."""
        seen = fold(text[:MAX_MESSAGE_CHARS])
        english = vietnamese = unknown = either = 0
        for found, _ in zip(_WORD.finditer(seen.lowered), range(_MOST_WORDS)):
            word, bare = found[0].replace("’", "'"), seen.folded[found.start() : found.end()]
            if word != bare:
                vietnamese += 1
            elif word in self._borrowed:
                continue
            elif word in self._either:
                either += 1
            elif word in self._english:
                english += 1
            elif self._syllable.fullmatch(word):
                vietnamese += len(word) > 1
            elif len(word) >= _SHORTEST_UNKNOWN:
                unknown += 1
        if english and not vietnamese:
            return "en" if english + (unknown + either) / 2 >= _FEWEST else None
        if english >= _FEWEST and english + unknown / 2 > _OUTWEIGHS * vietnamese:
            return "en"
        return "vi" if vietnamese >= _FEWEST and vietnamese > english else None

    def _use(self, words: Dict[Text, Any]) -> None:
        self._english = frozenset(words["english"])
        self._borrowed = frozenset(words["borrowed"])
        self._either = frozenset(words["either"])
        self._syllable = re.compile(words["syllable"], re.VERBOSE)

    @classmethod
    def validate_config(cls, config: Dict[Text, Any]) -> None:
        """Nothing in the configuration can be wrong on its own."""
