"""A message as it was meant: chat spelling written out, diacritics put back.

The embedder takes "dieu kien tot nghiep" for something else than "điều kiện tốt nghiệp" (measured by cross-validation
over the training data: a quarter of the undiacritised messages changed their intent), and "k dc ntn" for nothing at all.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain
from math import log
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Set, Text, Tuple

from rapidfuzz import process
from rapidfuzz.distance import OSA
from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.shared.nlu.constants import TEXT
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

from server.nlu.given_file import GivenFileComponent
from vietnamese.text import MAX_QUESTION_CHARS, clean, fold_with_offsets

PLAIN = "plain_text"
"""The property of a message that holds it as it was meant."""

MOST_READINGS = 12
"""Readings of one bare syllable that are weighed; the rarer ones are left out."""

LEAST_MARKED = 0.4
"""Share of words with diacritics from which a text is written with them, and can be learned from."""

MOST_MARKED = 0.2
"""Share of words with diacritics up to which a message is taken to be typed without any."""

SHORTEST_SLIP = 4
"""Letters that an unknown word must have to be taken for a slip of a known one."""

LEAST_KNOWN = 0.6
"""A bare text is taken for Vietnamese when a larger share of its words can be Vietnamese."""

_PAIR, _ALONE = 0.9, 0.1
"""How much a pair of neighbours says, and how much a syllable by itself."""

_WORD = re.compile(r"[^\W_]+")
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}")
_START = ""


class Spelling:
    """Writes a message out. `texts` are sentences in proper spelling, `written_out` what stands for a chat spelling.

    Diacritics are put back by a hidden Markov model over syllables, decoded by Viterbi's algorithm, as
    `vietnamese.diacritics` does for the engine. Immutable; a message takes well below 1 ms.
    """

    def __init__(self, texts: Iterable[str], written_out: Mapping[str, str]) -> None:
        self._written_out = dict(written_out)
        self._count: Counter[str] = Counter()
        self._pairs: Counter[Tuple[str, str]] = Counter()
        self._seen: Set[str] = set()
        for text in texts:
            words = _WORD.findall(clean(text, MAX_QUESTION_CHARS).lower())
            self._seen.update(words)
            if _share_marked(words) < LEAST_MARKED:
                continue
            said = [_START, *words]
            self._count.update(said)
            self._pairs.update(zip(said, said[1:]))
        self._total = sum(self._count.values()) + 1
        readings: Dict[str, List[str]] = defaultdict(list)
        for word, _ in sorted(self._count.items(), key=lambda item: (-item[1], item[0])):
            if word and len(readings[_bare(word)]) < MOST_READINGS:
                readings[_bare(word)].append(word)
        self._readings = dict(readings)
        self._bare = [word for word in self._readings if len(word) >= SHORTEST_SLIP - 1]

    def plain(self, text: str) -> str:
        """`text` in lower case as it was meant; English and what is not known stay as they are."""
        text = _STRETCHED.sub(r"\1", clean(text, MAX_QUESTION_CHARS).lower())
        is_bare = _share_marked(_WORD.findall(text)) < MOST_MARKED
        text = _WORD.sub(self._out_of_chat, text)
        spans = [found.span() for found in _WORD.finditer(text)]
        typed = [text[start:end] for start, end in spans]
        if is_bare and not self._is_vietnamese(typed):
            return text
        choices = [self._choices(word, is_bare) for word in typed]
        parts: List[str] = []
        done = 0
        for (start, end), reading in zip(spans, self._most_probable(choices)):
            parts += [text[done:start], reading]
            done = end
        return "".join((*parts, text[done:]))

    def _out_of_chat(self, found: re.Match[str]) -> str:
        word = found[0]
        # "k 51" is a cohort.
        if word == "k" and re.match(r"\s?\d", found.string[found.end() :]):
            return word
        return self._written_out.get(word, word)

    def _is_vietnamese(self, typed: Sequence[str]) -> bool:
        known = sum(_bare(word) in self._readings for word in typed)
        differs = any(self._readings.get(word, (word,)) != [word] for word in typed)
        return differs and known > LEAST_KNOWN * len(typed)

    def _choices(self, word: str, is_bare: bool) -> Sequence[str]:
        """What `word` may have been meant to be; a slip may be any of the words that are one letter away."""
        bare = _bare(word)
        if word == bare and (is_bare or word not in self._count) and bare in self._readings:
            return self._readings[bare]
        if len(word) < SHORTEST_SLIP or not word.isalpha() or word in self._seen or bare in self._readings:
            return (word,)
        near = process.extract(bare, self._bare, scorer=OSA.distance, score_cutoff=1, limit=MOST_READINGS)
        meant = [reading for candidate, _, _ in near for reading in self._readings[candidate][:3]]
        return meant or (word,)

    def _most_probable(self, choices: Sequence[Sequence[str]]) -> List[str]:
        """Viterbi over the choices of each place."""
        scores = {_START: 0.0}
        steps: List[Dict[str, str]] = []
        for some in choices:
            best: Dict[str, float] = {}
            came_from: Dict[str, str] = {}
            for reading in some:
                alone = _ALONE * (self._count.get(reading, 0) + 0.1) / self._total
                came_from[reading], best[reading] = max(
                    (
                        (before, so_far + log(_PAIR * self._follows(before, reading) + alone))
                        for before, so_far in scores.items()
                    ),
                    key=lambda step: step[1],
                )
            scores = best
            steps.append(came_from)
        reading = max(scores, key=scores.__getitem__)
        path: List[str] = []
        for came_from in reversed(steps):
            path.append(reading)
            reading = came_from[reading]
        return path[::-1]

    def _follows(self, before: str, reading: str) -> float:
        count = self._pairs.get((before, reading), 0)
        return count / self._count[before] if count else 0.0


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.MESSAGE_FEATURIZER, is_trainable=True)
class SpellingRestorer(GivenFileComponent):
    """Gives every message its `PLAIN` text.

    The file named by `spelling` (JSON, written by `covan train`) holds `texts` and `written_out`, see `Spelling`.
    """

    SETTING = "spelling"
    FILE = "spelling.json"

    @staticmethod
    def get_default_config() -> Dict[Text, Any]:
        """The component's defaults: where `covan train` writes its file."""
        return {"spelling": ".covan/nlu/spelling.json"}

    def process(self, messages: List[Message]) -> List[Message]:
        """Adds the plain text to each message that has a text."""
        for message in messages:
            if text := message.get(TEXT):
                message.set(PLAIN, self._spelling.plain(text))
        return messages

    def process_training_data(self, training_data: TrainingData) -> TrainingData:
        """Adds the plain text to the training examples."""
        self.process(training_data.training_examples)
        return training_data

    def _use(self, learnt: Dict[Text, Any]) -> None:
        self._spelling = Spelling(chain(learnt["texts"]), learnt["written_out"])


def _share_marked(words: Sequence[str]) -> float:
    """The share of words that have diacritics; of no words, none has to."""
    return sum(word != _bare(word) for word in words) / len(words) if words else 1.0


def _bare(word: str) -> str:
    return fold_with_offsets(word).folded
