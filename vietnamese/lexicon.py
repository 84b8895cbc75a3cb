"""Counts of the words of a school's texts: the language model behind diacritics and typo correction.

The counts are plain data: they are learned once, when an index is built, and stored with it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise
from operator import ne
from typing import Any

from vietnamese.data_files import lines_beside
from vietnamese.english import frequent_words
from vietnamese.syllables import KEPT_WORDS, is_spelled, is_syllable
from vietnamese.text import fold, fold_each, words

START = ""
"""The word before the first one of a sentence."""

MOST_CHARS = 1_000_000
"""Characters of a school's texts to learn from, in about a second.

Four schools with 240,000 to 630,000 characters have lexicons of 210 to 260 kB of JSON.
"""

NUMBER = "#"
"""The word that counts all numbers: "khóa 20" then helps to read "khoa 21"."""

LEAST_MARKED = 0.3
"""Share of words with diacritics from which a text counts as marked."""

_SENTENCE = re.compile(r"[.,;:!?()\[\]{}\"“”|\n]+")


@lru_cache(maxsize=1)
def spoken() -> tuple[str, ...]:
    """Return everyday questions, which regulations lack."""
    return tuple(lines_beside(__file__, "spoken.txt"))


@dataclass(frozen=True)
class _Found:
    """All words of texts, and how often each word and each pair of neighbours stands in those with diacritics."""

    counts: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)

    def with_texts(self, texts: Sequence[str]) -> _Found:
        """Return what is in further texts, too."""
        found = _Found(self.counts.copy(), self.pairs.copy(), self.seen.copy())
        for text in texts:
            sentences = [words(sentence) for sentence in _SENTENCE.split(text)]
            tokens = list(chain.from_iterable(sentences))
            found.seen.update(tokens)
            if sum(map(ne, tokens, fold_each(tokens))) < LEAST_MARKED * len(tokens):
                continue
            sequences = [[START, *map(counted_as, filter(_is_spelled_out, each))] for each in sentences]
            found.counts.update(chain.from_iterable(sequences))
            found.pairs.update(chain.from_iterable(map(pairwise, sequences)))
        return found


@lru_cache(maxsize=1)
def _found_in_spoken() -> _Found:
    """Counted once: the same for every school, and half of what the index of a small one takes."""
    return _Found().with_texts(spoken())


@dataclass(frozen=True)
class Lexicon:
    """Words in lower case, with the tone where `vietnamese.text.words` places it.

    `counts`: how often each word was seen in text with diacritics; `START` has the number of sentences.
    `pairs`: the words seen after each word, and how often. `seen`: all words, also those of text without diacritics.
    """

    counts: Mapping[str, int]
    pairs: Mapping[str, Mapping[str, int]]
    seen: frozenset[str]

    @classmethod
    def learn(cls, texts: Sequence[str]) -> Lexicon:
        """Count the words of `texts` and of `spoken`.

        Text without diacritics adds to `seen` only. Of a collection longer than `MOST_CHARS`, every nth text is read.
        """
        every = 1 + sum(map(len, texts)) // MOST_CHARS
        found = _found_in_spoken().with_texts(texts[::every])
        following: dict[str, dict[str, int]] = {}
        for (before, after), count in found.pairs.items():
            following.setdefault(before, {})[after] = count
        return cls(dict(found.counts), following, frozenset(found.seen))

    def with_texts(self, texts: Sequence[str]) -> Lexicon:
        """Return the lexicon with what `texts` say besides: the words of an entry that has just been written."""
        found = _Found().with_texts(texts)
        counts = {word: self.counts.get(word, 0) + count for word, count in found.counts.items()}
        following = {
            before: dict(self.pairs.get(before, {})) for before in {first for first, _ in found.pairs}
        }
        for (before, after), count in found.pairs.items():
            following[before][after] = following[before].get(after, 0) + count
        return Lexicon({**self.counts, **counts}, {**self.pairs, **following}, self.seen | found.seen)

    def to_json(self) -> dict[str, Any]:
        """Return the lexicon as a dict of JSON types; equal lexicons give equal dicts."""
        return {
            "counts": dict(sorted(self.counts.items())),
            "pairs": {before: dict(sorted(after.items())) for before, after in sorted(self.pairs.items())},
            "seen": sorted(self.seen - self.counts.keys()),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Lexicon:
        """Return the lexicon that `to_json` gave. Raises KeyError when a part is missing."""
        counts = stored["counts"]
        return cls(counts, stored["pairs"], frozenset(stored["seen"]).union(counts) - {START, NUMBER})


def counted_as(word: str) -> str:
    """Return the word under which `word` is counted."""
    return NUMBER if word.isdigit() else word


@lru_cache(maxsize=KEPT_WORDS)
def _is_spelled_out(word: str) -> bool:
    """Return whether `word` has not lost its diacritics: "hoc" has, "chat" may be English."""
    return is_spelled(word) or not (word == fold(word) and is_syllable(word)) or word in frequent_words()
