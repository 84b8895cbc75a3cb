"""In which language a message is written, when it is long enough to tell."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Text

from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.nlu.extractors.extractor import EntityExtractorMixin
from rasa.shared.nlu.constants import (
    ENTITIES,
    ENTITY_ATTRIBUTE_END,
    ENTITY_ATTRIBUTE_START,
    ENTITY_ATTRIBUTE_TYPE,
    ENTITY_ATTRIBUTE_VALUE,
    TEXT,
)
from rasa.shared.nlu.training_data.message import Message

from server.nlu.button import is_button
from server.nlu.given_file import GivenFileComponent
from vietnamese.text import MAX_QUESTION_CHARS, fold_with_offsets

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
class LanguageDetector(GivenFileComponent, EntityExtractorMixin):
    """Gives the entity `language`, "en" or "vi", or none for a message that tells nothing.

    The file named by `words` (JSON, written by `covan train`) has `english`: words that only English has; `borrowed`:
    words of both languages; `either`: English words that could be Vietnamese; `syllable`: the spelling of a Vietnamese
    syllable.
    """

    SETTING = "words"
    FILE = "language.json"
    ENTITY = "language"

    @staticmethod
    def get_default_config() -> Dict[Text, Any]:
        """The detector's default: where `covan train` writes its file."""
        return {"words": ".covan/nlu/language.json"}

    def process(self, messages: List[Message]) -> List[Message]:
        """Adds the language of each message to its entities; a pressed button has none."""
        for message in messages:
            text = message.get(TEXT) or ""
            language = None if is_button(message) else self.detect(text)
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
        seen = fold_with_offsets(text[:MAX_QUESTION_CHARS])
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

    def _use(self, learnt: Dict[Text, Any]) -> None:
        self._english = frozenset(learnt["english"])
        self._borrowed = frozenset(learnt["borrowed"])
        self._either = frozenset(learnt["either"])
        self._syllable = re.compile(learnt["syllable"], re.VERBOSE)
