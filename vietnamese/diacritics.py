"""Diacritics put back: "dieu kien tot nghiep" as "điều kiện tốt nghiệp", as the school itself writes it.

The most probable reading of the bare syllables is taken: a hidden Markov model over syllables, counted in the school's
own texts and in everyday questions, decoded by Viterbi's algorithm (Viterbi, 1967; for Vietnamese diacritics: Do,
Nguyen & Nguyen, 2013). A question is short and a school's vocabulary small, so pairs of neighbours say nearly
everything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import log

from vietnamese.lexicon import START, Lexicon
from vietnamese.text import fold

MOST_READINGS = 12
"""Readings of one bare syllable that are weighed; the rarer ones are left out."""

_PAIR, _WORD_SHARE = 0.9, 0.1
"""Weights of a pair of neighbours and of a syllable by itself."""


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

    def readings(self, bare: str) -> Sequence[str]:
        """Return how a word of bare letters is written, the most frequent first; none when it is not known."""
        return self._readings.get(bare, ())

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
            best: dict[str, float] = {}
            came_from: dict[str, str] = {}
            for reading, typed in some:
                alone = _WORD_SHARE * self._share(reading)
                before, score = max(
                    (
                        (previous, so_far + log(_PAIR * self._follows(previous, reading) + alone))
                        for previous, so_far in scores.items()
                    ),
                    key=lambda step: step[1],
                )
                best[reading], came_from[reading] = score + typed, before
            scores = best
            steps.append(came_from)
        reading = max(scores, key=scores.__getitem__)
        path: list[str] = []
        for came_from in reversed(steps):
            path.append(reading)
            reading = came_from[reading]
        return path[::-1]

    def _share(self, reading: str) -> float:
        """The probability of a syllable whatever stands before it; a word never seen has a little."""
        return (self._count.get(reading, 0) + 0.1) / self._total

    def _follows(self, before: str, reading: str) -> float:
        """The probability of a syllable after another one."""
        count = self._pairs[before].get(reading, 0) if before in self._pairs else 0
        return count / self._count[before] if count else 0.0
