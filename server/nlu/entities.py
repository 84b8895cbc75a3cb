"""The entities of a message, found by `school.entity_linker` with the forms that `covan train` writes."""

from __future__ import annotations

from typing import Any, Dict, List, Text

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

from school.clock import today
from school.entity_linker import EntityLinker
from school.surface_forms import EntityForms
from server.nlu.button import is_button
from server.nlu.given_file import GivenFileComponent


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.ENTITY_EXTRACTOR, is_trainable=True)
class EntityExtractor(GivenFileComponent, EntityExtractorMixin):
    """Hands a message to the entity linker; `forms` names the file with its `EntityForms`."""

    SETTING = "forms"
    FILE = "entities.json"

    @staticmethod
    def get_default_config() -> Dict[Text, Any]:
        """Return the path that `covan train` writes to."""
        return {"forms": ".covan/nlu/entities.json"}

    @staticmethod
    def required_packages() -> List[str]:
        """Return the packages that must be installed for this component."""
        return ["rapidfuzz", "yaml"]

    @classmethod
    def load(cls, *args: Any, **kwargs: Any) -> EntityExtractor:
        """Return the extractor with the forms that its model was trained with.

        Raises:
            ValueError: when COVAN_TODAY is no day; better now than with the first message.
        """
        today()
        return super().load(*args, **kwargs)

    def process(self, messages: List[Message]) -> List[Message]:
        """Add the mentions of each message to its entities; a pressed button carries its own."""
        for message in messages:
            if not is_button(message):
                entities = self.add_extractor_name(self.extract(message.get(TEXT) or ""))
                message.set(ENTITIES, message.get(ENTITIES, []) + entities, add_to_output=True)
        return messages

    def extract(self, text: str) -> List[Dict[Text, Any]]:
        """Return the mentions of `text` as Rasa's entities: the names without their cues."""
        return [
            {
                ENTITY_ATTRIBUTE_TYPE: mention.entity,
                ENTITY_ATTRIBUTE_START: mention.name_start,
                ENTITY_ATTRIBUTE_END: mention.end,
                ENTITY_ATTRIBUTE_VALUE: mention.value,
            }
            for mention in self._linker.mentions(text, today())
        ]

    def _use(self, learnt: Dict[Text, Any]) -> None:
        self._linker = EntityLinker(EntityForms.from_json(learnt))
