"""Restoration of diacritics: "dieu kien tot nghiep" as "điều kiện tốt nghiệp".

A hidden Markov model over syllables, counted in the school's own texts and in everyday questions, gives the most
probable reading of bare syllables by Viterbi's algorithm (Viterbi, 1967; for Vietnamese diacritics: Do, Nguyen &
Nguyen, 2013). A question is short and a school's vocabulary small, so pairs of neighbours suffice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log

from vietnamese.lexicon import START, Lexicon, counted_as
from vietnamese.syllables import with_y
from vietnamese.text import fold

MOST_READINGS = 12
"""Readings of one bare syllable that are weighed; the rarer ones are left out."""

LEAST_ALONE, MOST_ALONE = 0.1, 0.3
"""Bounds of the weight of a syllable by itself, beside its frequency after the syllable before it.

Between them the weight is Witten & Bell's (1991): the share of distinct followers among all followers seen.
"""

_UNSEEN = 0.1
"""The count of a word that was never seen."""


class Diacritics:
    """Reads bare syllables with the counts of a lexicon. Immutable; a question takes well below 1 ms."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._count = lexicon.counts
        self._pairs = lexicon.pairs
        readings: dict[str, list[str]] = defaultdict(list)
        known = filter(None, self._count)
        for syllable in sorted(known, key=lambda syllable: (-self._count[syllable], syllable)):
            same = readings[fold(syllable)]
            if len(same) < MOST_READINGS:
                same.append(syllable)
        self._readings = dict(readings)
        self._total = sum(self._count.values()) + 1
        self._alone = {
            word: min(MOST_ALONE, max(LEAST_ALONE, len(after) / (self._count[word] + len(after))))
            for word, after in self._pairs.items()
        }

    def readings(self, bare: str) -> Sequence[str]:
        """Return the words with these bare letters, the most frequent first; empty when there are none.

        "Li do" is "lý do" where the texts have no "lí".
        """
        return self._readings.get(bare) or self._readings.get(with_y(bare)) or ()

    def frequency(self, word: str) -> int:
        """Return how often `word` was seen as it is."""
        return self._count.get(word, 0)

    def most_probable(self, choices: Sequence[Sequence[tuple[str, float]]]) -> list[str]:
        """Return the most probable sequence of words, one of the choices at each place (Viterbi).

        A choice is a word and the logarithm of the probability that it is typed as it was.
        """
        scores = {START: 0.0}
        steps: list[dict[str, str]] = []
        for some in choices:
            before = [(word, score, *self._following(word)) for word, score in scores.items()]
            best: dict[str, float] = {}
            came_from: dict[str, str] = {}
            for reading, typed in some:
                counted = counted_as(reading)
                share = self._share(counted)
                came_from[reading], score = max(
                    (
                        (word, so_far + log(pair * after.get(counted, 0) + alone * share))
                        for word, so_far, after, pair, alone in before
                    ),
                    key=lambda step: step[1],
                )
                best[reading] = score + typed
            scores = best
            steps.append(came_from)
        reading = max(scores, key=scores.__getitem__)
        path: list[str] = []
        for came_from in reversed(steps):
            path.append(reading)
            reading = came_from[reading]
        return path[::-1]

    def log_probability(self, sequence: Sequence[str]) -> float:
        """Return the logarithm of the probability that the first word is followed by the others."""
        score = 0.0
        for word, following in pairwise(sequence):
            after, pair, alone = self._following(word)
            counted = counted_as(following)
            score += log(pair * after.get(counted, 0) + alone * self._share(counted))
        return score

    def _share(self, counted: str) -> float:
        return (self._count.get(counted, 0) + _UNSEEN) / self._total

    def _following(self, word: str) -> tuple[Mapping[str, int], float, float]:
        """Return the counts of the words after `word`, the weight of one count, and the weight of a word by itself."""
        word = counted_as(word)
        if word not in self._pairs:
            return {}, 0.0, MOST_ALONE
        alone = self._alone[word]
        return self._pairs[word], (1 - alone) / self._count[word], alone
