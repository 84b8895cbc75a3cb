"""Long names of the catalogue with a typo in them: "công nghệ thông tn", "congnghe thongtin"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from school.surface_forms import LongName
from vietnamese.syllables import is_syllable

SHORTEST_LONG_NAME = 9
"""Letters that a name must have to be recognised with a typo."""

SHORTEST_SQUASHED = 6
"""Letters of a name of several words that is recognised in one word, without another typo: "ketoan"."""

SHORTEST_MISTYPED = 3
"""Letters that a word must have for a typo in it: "tiếng anh k" is not "tiếng anh 1"."""

SHORTEST_SINGLE = 8
"""Letters of a word that may be a name of one word with a typo."""

LONG_NAME = 16
"""Letters and blanks from which a name may have two typos."""

MOST_WORDS = 150
"""Words at the beginning of a text that are searched for typos."""

MOST_SQUASHED = 5
"""Words that may be a name with its blanks in other places."""

REMEMBERED = 64
"""Texts whose names are kept."""

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class MistypedName:
    """`start`..`end` of a text is a name with `edits` wrong, missing, doubled or swapped letters or blanks."""

    start: int
    end: int
    entity: str
    value: str
    edits: int


class MistypedNames:
    """Finds long names with a typo: around the words that are right (at least half), or with displaced blanks.

    A name of one word is compared with each long word.
    """

    def __init__(self, names: Iterable[LongName]) -> None:
        self._names = list(names)
        self._lengths = [len(name.text.split()) for name in self._names]
        self._allowed = [_allowed_edits(name.text) for name in self._names]
        # Names by their place in the list: numbers are quick to count by.
        self._squashed: dict[str, list[int]] = {}
        self._single: dict[int, list[int]] = {}
        self._by_word: dict[str, list[tuple[int, int]]] = {}
        for number, name in enumerate(self._names):
            words = name.text.split()
            self._squashed.setdefault("".join(words), []).append(number)
            if len("".join(words)) < SHORTEST_LONG_NAME:
                continue
            if len(words) == 1:
                self._single.setdefault(len(name.text), []).append(number)
            for place, word in enumerate(words):
                self._by_word.setdefault(word, []).append((number, place))

        # A message, its spelling put right and its short forms in full have mostly the same bare letters.
        self.find = lru_cache(maxsize=REMEMBERED)(self._found)

    def _found(self, folded: str) -> tuple[MistypedName, ...]:
        """Return the mistyped names in a folded text; a stretch as near to two entries names neither."""
        words = [found.span() for found, _ in zip(_WORD.finditer(folded), range(MOST_WORDS), strict=False)]
        near: dict[tuple[int, int], dict[int, int]] = {}
        for first, last, number in set(self._candidates(folded, words)):
            name, allowed = self._names[number].text, self._allowed[number]
            start, end = words[first][0], words[last][1]
            typed = folded[start:end]
            edits = OSA.distance(typed, name, score_cutoff=allowed)
            if 0 < edits <= allowed and _is_mistyped(typed, name, edits):
                near.setdefault((start, end), {})[number] = edits
        return tuple(self._unambiguous(near))

    def _unambiguous(self, near: dict[tuple[int, int], dict[int, int]]) -> Iterator[MistypedName]:
        for (start, end), edits_of in near.items():
            fewest = min(edits_of.values())
            meant = [self._names[number] for number, edits in edits_of.items() if edits == fewest]
            readings = {(name.entity, name.value) for name in meant}
            if len(readings) == 1:
                entity, value = readings.pop()
                yield MistypedName(start, end, entity, value, fewest)

    def _candidates(self, folded: str, words: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        """Yield stretches of words: the first, the last, and the number of the name that they may be."""
        typed = [folded[start:end] for start, end in words]
        right: dict[tuple[int, int], int] = {}
        for index, word in enumerate(typed):
            for number, place in self._by_word.get(word, ()):
                key = (index - place, number)
                right[key] = right.get(key, 0) + 1
            if len(word) >= SHORTEST_SINGLE:
                for length in (len(word) - 1, len(word), len(word) + 1):
                    for number in self._single.get(length, ()):
                        yield index, index, number
            squashed = ""
            for last in range(index, min(index + MOST_SQUASHED, len(typed))):
                squashed += typed[last]
                for number in self._squashed.get(squashed, ()):
                    yield index, last, number
        for (first, number), count in right.items():
            length = self._lengths[number]
            # Every word right is no typo; less than half of them right is another name.
            if count < length <= 2 * (count + 1):
                for start, last in (
                    (first, first + length - 1),
                    (first, first + length - 2),
                    (first + 1, first + length - 1),
                    (first, first + length),
                    (first - 1, first + length - 1),
                ):
                    if 0 <= start <= last < len(typed):
                        yield start, last, number


def _allowed_edits(name: str) -> int:
    return 2 if len(name) >= LONG_NAME else 1


def _is_mistyped(typed: str, name: str, edits: int) -> bool:
    """Return whether `typed`, which is so many `edits` away from `name`, is a typo of it.

    A changed word that could be a syllable is another word ("toán" -> "tin", "chuẩn" -> "chưa"), not a typo; in a name
    of four words or more one such word, with one letter wrong, is forgiven: "kỹ thuật phần mền".
    """
    words, meant = typed.split(), name.split()
    if len(words) != len(meant):
        return "".join(words) == "".join(meant)
    changed = [(one, other) for one, other in zip(words, meant, strict=True) if one != other]
    if any(len(other) < SHORTEST_MISTYPED for _, other in changed):
        return False
    forgiven = len(meant) >= 4 and len(changed) == 1 and edits == 1
    return forgiven or not any(is_syllable(one) for one, _ in changed)
