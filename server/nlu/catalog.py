"""Entities of the school's catalogue: cohort, major, programme."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Text, Tuple
from typing import Pattern as Pattern_

from rapidfuzz.distance import OSA
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

_WORD = re.compile(r"[^\W_]+")


# The spelling of a Vietnamese syllable without diacritics: initial consonant, vowels, final consonant.
_SYLLABLE = re.compile(
    r"(?:ngh?|gh?|gi|kh?|ch?|nh|ph|qu|th?|tr|[bdhlmnprstvx])?(?:[aeiouy]{1,3})(?:ch|ng|nh|[cmnpt])?"
)


@dataclass(frozen=True)
class Pattern:
    """A way to write something of the catalogue.

    `pattern` is searched in folded text that holds `needle`; when there is an `exact`, the same stretch must match it with
    its diacritics too ("dược học" is not "được học").
    """

    pattern: Pattern_[str]
    exact: Optional[Pattern_[str]]
    needle: str
    entity: str
    value: str


@dataclass(frozen=True)
class Alias:
    """A longer name of something in the catalogue, folded, that a typo may hit."""

    text: str
    entity: str
    value: str

    @property
    def allowed_edits(self) -> int:
        """One wrong, missing, doubled or swapped letter; two in a name of sixteen letters or more."""
        return 2 if len(self.text) >= 16 else 1


@dataclass(frozen=True)
class Match:
    """A mention in folded text: `edits` is 0 for an exact one."""

    start: int
    end: int
    entity: str
    value: str
    edits: int = 0


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.ENTITY_EXTRACTOR, is_trainable=True)
class CatalogExtractor(GraphComponent, EntityExtractorMixin):
    """Finds what the catalogue names, in any spelling: "khóa 47", "k47", "cong nghe thong tin", "công nghệ thong tn".

    The file named by `patterns` (JSON, written by `covan train`) holds `patterns` (see `Pattern`)
    with the entity and the catalogue id each stands for; and `aliases`: folded names for fuzzy matching. It is kept
    inside the model, so that a model is complete.
    """

    PATTERNS_FILE = "catalog.json"

    @staticmethod
    def get_default_config() -> Dict[Text, Any]:
        """The extractor's defaults: where `covan train` writes its file, and which entities to extract."""
        return {"patterns": ".covan/nlu/catalog.json", "entities": ["cohort", "major", "program"]}

    @staticmethod
    def required_packages() -> List[Text]:
        """The packages that must be installed for this component."""
        return ["rapidfuzz"]

    def __init__(
        self,
        config: Dict[Text, Any],
        model_storage: ModelStorage,
        resource: Resource,
        forms: Optional[Dict[Text, Any]] = None,
    ) -> None:
        self._config = config
        self._model_storage = model_storage
        self._resource = resource
        self._use(forms or {"patterns": [], "aliases": []})

    @classmethod
    def create(
        cls,
        config: Dict[Text, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
    ) -> CatalogExtractor:
        """An extractor that has learnt nothing yet."""
        return cls(config, model_storage, resource)

    @classmethod
    def load(
        cls,
        config: Dict[Text, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
        **kwargs: Any,
    ) -> CatalogExtractor:
        """The extractor with the catalogue that its model was trained with."""
        with model_storage.read_from(resource) as directory:
            forms = json.loads((directory / cls.PATTERNS_FILE).read_text(encoding="utf-8"))
        return cls(config, model_storage, resource, forms)

    @classmethod
    def fingerprint_addon(cls, config: Dict[Text, Any]) -> Optional[Text]:
        """Makes Rasa's training cache see a changed catalogue."""
        path = Path(config.get("patterns", cls.get_default_config()["patterns"]))
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None

    def train(self, training_data: TrainingData) -> Resource:
        """Takes the catalogue's surface forms into the model.

        Raises:
            RasaException: when the file is missing or not of the expected shape.
        """
        path = Path(self._config["patterns"])
        try:
            forms = json.loads(path.read_text(encoding="utf-8"))
            self._use(forms)
        except (OSError, ValueError, KeyError, TypeError, re.error) as error:
            raise RasaException(
                f"CatalogExtractor cannot read the surface forms in '{path}' ({error}). Run `covan train`, which writes it."
            ) from error
        with self._model_storage.write_to(self._resource) as directory:
            (directory / self.PATTERNS_FILE).write_text(json.dumps(forms, ensure_ascii=False), encoding="utf-8")
        return self._resource

    def process(self, messages: List[Message]) -> List[Message]:
        """Adds the mentions of each message to its entities; a pressed button carries its own."""
        for message in messages:
            text = message.get(TEXT) or ""
            if text.startswith(INTENT_MESSAGE_PREFIX):
                continue
            entities = self.add_extractor_name(self.extract(text))
            message.set(ENTITIES, message.get(ENTITIES, []) + entities, add_to_output=True)
        return messages

    def extract(self, text: Text) -> List[Dict[Text, Any]]:
        """The mentions in `text` in order, never overlapping: exact before mistyped, longer before shorter."""
        seen = fold(text[:MAX_MESSAGE_CHARS])
        matches = [
            Match(found.start(), found.end(), form.entity, form.value)
            for form in self._patterns
            if form.needle in seen.folded
            for found in form.pattern.finditer(seen.folded)
            if found.end() > found.start()
            and (form.exact is None or form.exact.fullmatch(seen.lowered, found.start(), found.end()))
        ]
        matches += _mistyped(seen.folded, self._aliases)
        chosen: List[Match] = []
        for match in sorted(matches, key=lambda m: (m.edits, m.start - m.end, m.start)):
            if all(match.end <= other.start or match.start >= other.end for other in chosen):
                chosen.append(match)
        return [
            {
                ENTITY_ATTRIBUTE_TYPE: match.entity,
                ENTITY_ATTRIBUTE_START: seen.starts[match.start],
                ENTITY_ATTRIBUTE_END: seen.ends[match.end - 1],
                ENTITY_ATTRIBUTE_VALUE: match.value,
            }
            for match in sorted(chosen, key=lambda m: m.start)
        ]

    def _use(self, forms: Dict[Text, Any]) -> None:
        wanted = self._config["entities"]
        self._patterns = [
            Pattern(
                re.compile(form["pattern"]),
                re.compile(form["exact"]) if form.get("exact") else None,
                str(form.get("needle", "")),
                str(form["entity"]),
                str(form["value"]),
            )
            for form in forms["patterns"]
            if form["entity"] in wanted
        ]
        self._aliases = [
            Alias(alias["text"], alias["entity"], alias["value"])
            for alias in forms["aliases"]
            if alias["entity"] in wanted
        ]

    @classmethod
    def validate_config(cls, config: Dict[Text, Any]) -> None:
        """Nothing in the configuration can be wrong on its own."""


def _mistyped(folded: str, aliases: Sequence[Alias]) -> List[Match]:
    """Mentions of a long name with a typo in it; a stretch as near to two different things is taken for neither."""
    words: List[Tuple[int, int]] = [found.span() for found in _WORD.finditer(folded)]
    matches: List[Match] = []
    for first in range(len(words)):
        for last in range(first, min(first + 8, len(words))):
            start, end = words[first][0], words[last][1]
            near = [
                (edits, alias)
                for alias in aliases
                if abs(len(alias.text) - (end - start)) <= alias.allowed_edits
                and 0 < (edits := _edits(folded[start:end], alias)) <= alias.allowed_edits
            ]
            if not near:
                continue
            fewest = min(edits for edits, _ in near)
            readings = {(alias.entity, alias.value) for edits, alias in near if edits == fewest}
            if len(readings) == 1:
                entity, value = readings.pop()
                matches.append(Match(start, end, entity, value, fewest))
    return matches


def _edits(typed: str, alias: Alias) -> int:
    """How many edits turn the alias into what was typed; too many when they make other words.

    A changed word that could be a syllable is another word ("toán" -> "tin", "chuẩn" -> "chưa"), not a typo; in a name of
    four words or more one such word, with one letter wrong, is forgiven.
    """
    total = int(OSA.distance(typed, alias.text, score_cutoff=alias.allowed_edits))
    words, meant = typed.split(), alias.text.split()
    if len(words) != len(meant):
        return total
    changed = [(one, other) for one, other in zip(words, meant) if one != other]
    if not any(_SYLLABLE.fullmatch(one) for one, _ in changed):
        return total
    forgiven = len(meant) >= 4 and len(changed) == 1 and total == 1
    return total if forgiven else alias.allowed_edits + 1
