"""Diacritics put back: "dieu kien tot nghiep" as "điều kiện tốt nghiệp", as the school itself writes it.

Of all readings of the bare syllables the most probable one is taken: a hidden Markov model over syllables, counted in
the school's own texts and in everyday questions, decoded by Viterbi's algorithm (Viterbi, 1967; for Vietnamese
diacritics: Do, Nguyen & Nguyen, 2013). A question is short and a school's vocabulary small, so pairs of neighbours
say nearly everything.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from math import log

from vietnamese.lexicon import START, Lexicon
from vietnamese.text import fold, words

_WORD = re.compile(r"[^\W_]+")

MOST_READINGS = 12
"""Readings of one bare syllable that are weighed; the rarer ones are left out."""

_PAIR, _WORD_SHARE = 0.9, 0.1
"""How much a pair of neighbours says, and how much a syllable by itself."""


class Diacritics:
    """Restores diacritics with the counts of a lexicon. Immutable; a question takes well below 1 ms."""

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

    def knows(self, word: str) -> bool:
        """Whether `word` (lower case, tone as `vietnamese.text.words` places it) was seen as it is."""
        return word in self._count

    def readings(self, bare: str) -> Sequence[str]:
        """How a word of bare letters is written, the most frequent first; none when it is not known."""
        return self._readings.get(bare, ())

    def frequency(self, word: str) -> int:
        """How often a word was seen as it is."""
        return self._count.get(word, 0)

    def restore(self, text: str, bare: bool) -> str:
        """`text` with its diacritics, letter for letter as long as before.

        `bare`: typed without any, so that every word may lack some. Otherwise only those words are touched that are no
        words without theirs.
        """
        shouted = not any(char.islower() for char in text)
        spans = [match.span() for match in _WORD.finditer(text)]
        typed = [words(text[start:end])[0] for start, end in spans]
        choices = [
            # "TH" is a short form, whatever "th" might be.
            (word,)
            if len(word) > 1 and text[start:end].isupper() and not shouted
            else self._choices(word, bare)
            for (start, end), word in zip(spans, typed, strict=True)
        ]
        if all(tuple(some) == (word,) for some, word in zip(choices, typed, strict=True)):
            return text
        parts: list[str] = []
        done = 0
        for (start, end), word, reading in zip(spans, typed, self._most_probable(choices), strict=True):
            if reading != word:
                parts += [text[done:start], _cased(reading, text[start:end])]
                done = end
        return "".join((*parts, text[done:]))

    def _choices(self, word: str, bare: bool) -> Sequence[str]:
        if word != fold(word) or not (bare or word not in self._count):
            return (word,)
        return self._readings.get(word, (word,))

    def _most_probable(self, choices: Sequence[Sequence[str]]) -> list[str]:
        """Viterbi over the choices of each place."""
        scores = {START: 0.0}
        steps: list[dict[str, str]] = []
        for some in choices:
            best: dict[str, float] = {}
            came_from: dict[str, str] = {}
            for reading in some:
                alone = _WORD_SHARE * self._share(reading)
                before, score = max(
                    (
                        (previous, so_far + log(_PAIR * self._follows(previous, reading) + alone))
                        for previous, so_far in scores.items()
                    ),
                    key=lambda step: step[1],
                )
                best[reading], came_from[reading] = score, before
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


def _cased(reading: str, typed: str) -> str:
    """`reading` in the capitals of `typed`; both have the same letters."""
    return "".join(
        letter.upper() if char.isupper() else letter for letter, char in zip(reading, typed, strict=True)
    )
