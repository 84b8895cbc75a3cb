"""Spelling correction: chat spelling written out, typos corrected, diacritics restored; right words stay.

A word stays as it is when it is a syllable that quốc ngữ can spell, an English word, a name or a short form of the
school, or a word of the school's texts. Another word may have a typo: it becomes a word one typo away when its
neighbours make that word far more probable. Diacritics are restored in three cases:

- The message has none at all and is not in English: all its words are read anew.
- A word can only be Vietnamese without its diacritics ("hoc", "duoc", "nghiep").
- Such a word stands among other bare words: "học phí mỗi tín chỉ cua lop chat luong cao". Those are read anew when
  their context says so clearly.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import log

from vietnamese.chat_spelling import ChatSpelling, normalize
from vietnamese.diacritics import Diacritics
from vietnamese.english import frequent_words
from vietnamese.language_detection import is_english
from vietnamese.lexicon import Lexicon
from vietnamese.syllables import is_spelled, is_syllable, with_y
from vietnamese.text import fold, words
from vietnamese.typing_methods import KeyComposition
from vietnamese.typos import Typos

_WORD = re.compile(r"[^\W_]+")

_ADDRESS = re.compile(r"\S*(?:@|://|www\.|\w\.(?:vn|com|net|org|edu|info|io)\b)\S*", re.IGNORECASE)

_LOST = log(1 / 50)
"""Logarithm of the probability that a right word has lost its diacritics, beside one that has."""

_TYPO = log(1 / 1000)
"""Logarithm of the probability that a typo made a word into a non-word."""

SHORTEST_BARE, SHORTEST_MARKED = 4, 3
"""Letters that a word without, and one with diacritics must have to hold a typo: "hp", "ktx", "tks" are short forms."""

_BARE_WORDS = 2
"""Words that must have lost their diacritics for a whole stretch of bare words to count as such."""

_VOWEL = re.compile("[aeiouy]")

_Span = tuple[int, int]


@dataclass(frozen=True)
class Spelled:
    """The corrected `text`.

    `typed`: replaced words, in lower case, that could be right: words with typos, and English words that were read as
    Vietnamese. A search looks for them as well.
    """

    text: str
    typed: tuple[str, ...]


class SpellingCorrector:
    """Corrects messages with the words of a school. Immutable; a message takes about 1 ms."""

    def __init__(self, lexicon: Lexicon, kept: Iterable[str] = (), chat: ChatSpelling | None = None) -> None:
        """`kept`: words in lower case that are always right, such as names and short forms."""
        self._seen = lexicon.seen
        self._kept = frozenset(kept)
        self._chat = chat or ChatSpelling()
        self._diacritics = Diacritics(lexicon)
        self._keys = KeyComposition(self._diacritics, self._is_word)
        self._typos = Typos(self._diacritics)

    def correct(self, text: str, names: Mapping[str, str] | None = None) -> Spelled:
        """Return `text` clean, in everyday spelling, with its diacritics.

        `names`: names that `text` has without their diacritics, in lower case, and how each is written, word for
        word.
        """
        normalized = normalize(text)
        is_bare = fold(normalized) == normalized.lower()
        if is_bare and is_english(normalized):
            return Spelled(normalized, ())
        composed = self._keys.compose(self._chat.write_out(normalized))
        restored = _WORD.sub(self._with_y, self._restored(composed, is_bare, names or {}))
        left = set(words(restored))
        changed = [word for word in dict.fromkeys(words(composed)) if word not in left]
        letters = set(map(_sounded, left))
        return Spelled(
            restored, tuple(w for w in changed if _sounded(w) not in letters or self._is_foreign(w))
        )

    def log_probability(self, sequence: Sequence[str]) -> float:
        """Return the logarithm of the probability that the first word is followed by the others."""
        return self._diacritics.log_probability(sequence)

    def _with_y(self, match: re.Match[str]) -> str:
        """Return the word with a y for its i ("kỳ" for "kì") when the school's texts rather have it so."""
        typed = match[0]
        word = words(typed)[0]
        other = with_y(word)
        is_usual = self._diacritics.frequency(other) > self._diacritics.frequency(word)
        return _cased(other, typed) if is_usual else typed

    def _is_foreign(self, word: str) -> bool:
        """Return whether `word` is an English word, a name or a short form, and no Vietnamese word."""
        return (word in frequent_words() or word in self._kept) and not is_spelled(word)

    def _restored(self, text: str, is_bare: bool, names: Mapping[str, str]) -> str:
        shouted = not any(char.islower() for char in text)
        spans = [match.span() for match in _WORD.finditer(text)]
        typed = [words(text[start:end])[0] for start, end in spans]
        addresses = [match.span() for match in _ADDRESS.finditer(text)]
        fixed = [
            # "TH" is a short form, whatever "th" might be.
            (end - start > 1 and text[start:end].isupper() and not shouted)
            or any(first <= start < last for first, last in addresses)
            for start, end in spans
        ]
        choices = self._choices(typed, fixed, is_bare)
        written = _written(typed, names)
        for place, (start, end) in enumerate(spans):
            if place in written:
                choices[place] = [(written[place], 0.0)]
            elif not fixed[place] and self._has_typo(text[start:end], is_bare):
                near = self._typos.candidates(typed[place], is_bare)
                choices[place] = [(typed[place], 0.0), *((reading, _TYPO) for reading in near)]
        if all(len(some) == 1 and some[0][0] == word for some, word in zip(choices, typed, strict=True)):
            return text
        parts: list[str] = []
        done = 0
        most_probable = self._diacritics.most_probable(choices)
        for (start, end), word, reading in zip(spans, typed, most_probable, strict=True):
            if reading != word:
                parts += [text[done:start], _cased(reading, text[start:end])]
                done = end
        return "".join((*parts, text[done:]))

    def _has_typo(self, typed: str, is_bare: bool) -> bool:
        """Return whether `typed` is neither a word nor a short form. A word with a capital may be a name.

        In a message without diacritics a syllable that the school's texts lack may be a typo.
        """
        shortest = SHORTEST_BARE if typed.isascii() else SHORTEST_MARKED
        return (
            len(typed) >= shortest
            and typed.isalpha()
            and typed.islower()
            and _VOWEL.search(fold(typed)) is not None
            and not self._is_word(typed, is_bare)
        )

    def _choices(
        self, typed: Sequence[str], fixed: Sequence[bool], is_bare: bool
    ) -> list[Sequence[tuple[str, float]]]:
        """Return the readings of each word, each with the logarithm of the probability of the typed form."""
        readings = [
            () if fix else self._diacritics.readings(word) for word, fix in zip(typed, fixed, strict=True)
        ]
        if is_bare:
            return [[(r, 0.0) for r in some or (word,)] for word, some in zip(typed, readings, strict=True)]
        lost = [self._has_lost(word) and bool(some) for word, some in zip(typed, readings, strict=True)]
        choices: list[Sequence[tuple[str, float]]] = []
        for start, end in _bare_stretches(typed):
            choices += [[(word, 0.0)] for word in typed[len(choices) : start]]
            count = sum(lost[start:end])
            right = 0.0 if count >= _BARE_WORDS else _LOST
            for place in range(start, end):
                word = typed[place]
                if lost[place]:
                    choices.append([(reading, 0.0) for reading in readings[place]])
                elif count and readings[place] and not fixed[place]:
                    others = [(reading, right) for reading in readings[place] if reading != word]
                    choices.append([(word, 0.0), *others])
                else:
                    choices.append([(word, 0.0)])
        return choices + [[(word, 0.0)] for word in typed[len(choices) :]]

    def _has_lost(self, word: str) -> bool:
        """Return whether `word` can only be a Vietnamese word without its diacritics."""
        return (
            is_syllable(word)
            and not is_spelled(word)
            and word not in self._kept
            and word not in frequent_words()
        )

    def _is_word(self, word: str, is_bare: bool = False) -> bool:
        """Return whether `word` is right, diacritics aside."""
        if word in self._kept or words(word)[0] in self._seen or word in frequent_words():
            return True
        if is_bare:
            return bool(self._diacritics.readings(word))
        return is_spelled(word) or (word == fold(word) and is_syllable(word))


def with_marks(typed: str, spelled: str) -> str:
    """Return `typed` with the diacritics of `spelled`, its correction, letter for letter; other words stay as typed."""
    spans = [match.span() for match in _WORD.finditer(typed)]
    right = [match[0] for match in _WORD.finditer(spelled)]
    bare = [typed[start:end].lower().replace("y", "i") for start, end in spans]
    same = SequenceMatcher(None, bare, list(map(_sounded, right)), autojunk=False).get_matching_blocks()
    marked = list(typed)
    for first, other, length in same:
        for (start, end), word in zip(spans[first : first + length], right[other:], strict=False):
            letters = "".join(map(_marked, typed[start:end], word))
            if len(letters) == end - start:
                marked[start:end] = _cased(letters, typed[start:end])
    return "".join(marked)


def _marked(letter: str, spelled: str) -> str:
    """Return `letter` with the diacritics of `spelled`, which is the same letter, or y for i."""
    if fold(spelled) == letter.lower():
        return spelled
    marks = filter(unicodedata.combining, unicodedata.normalize("NFD", spelled))
    return unicodedata.normalize("NFC", letter + "".join(marks))


def _written(typed: Sequence[str], names: Mapping[str, str]) -> dict[int, str]:
    """Return how the words of `names` are written, by their places among the words of a text."""
    written: dict[int, str] = {}
    for name, spelling in names.items():
        bare, whole = name.split(), spelling.split()
        for place in range(len(typed) - len(bare) + 1):
            if list(typed[place : place + len(bare)]) == bare:
                written |= dict(enumerate(whole, place))
    return written


def _bare_stretches(typed: Sequence[str]) -> list[_Span]:
    """Return start and end of the longest stretches of words without diacritics."""
    stretches: list[_Span] = []
    start = 0
    for place, word in enumerate((*typed, None)):
        if word is None or word != fold(word):
            if place > start:
                stretches.append((start, place))
            start = place + 1
    return stretches


def _sounded(word: str) -> str:
    """Return the letters of a word without diacritics, i for y."""
    return fold(word).replace("y", "i")


def _cased(reading: str, typed: str) -> str:
    """Return `reading` in the capitals of `typed`; in lower case when their lengths differ."""
    if len(reading) != len(typed):
        return reading
    return "".join(
        letter.upper() if char.isupper() else letter for letter, char in zip(reading, typed, strict=True)
    )
