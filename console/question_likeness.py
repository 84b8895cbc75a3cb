"""Whether two questions ask the same in other words: by their words, aspects and sentence vectors.

Vectors and shared words alone name pairs that only look alike: "nộp TOEIC được không" and "nộp TOEFL được không" differ
in one word. Two questions differ when each has a word of the matter that the other lacks, when one has too much that
the other lacks, or when they ask for other aspects, numbers or extremes.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache, partial

from rag.index.format import Index
from rag.rerank.coverage import folded_weight
from rag.rerank.opposites import opposite, poles
from school.aspects import Aspect, aspects_of, matter_words, only_names, plain_words
from vietnamese.ellipsis import naming_words
from vietnamese.equivalents import with_equivalents
from vietnamese.stopwords import says_something
from vietnamese.text import fold_each, words

LEAST_COSINE = 0.94
"""The cosine of two sentence vectors from which on questions may ask the same."""

LEAST_LIKENESS = 0.76
"""The mean of the scaled cosine and the Dice coefficient from which on they do.

This and the next limits were chosen on `benchmarks/same_questions/entry_pairs.csv`, by `benchmarks/same_questions.py`.
"""

LEAST_AGREEMENT = 0.45
"""The least probability mass that the aspects of both have in common."""

MOST_LACKING = 0.27
"""The most that one question may have of words of the matter that the other lacks, as a share of a question."""

FEWEST_WORDS = 3
"""Shorter questions ("bao nhiêu tín chỉ") tell too little of what they ask."""

_COSINE_OF_OTHERS = 0.78
"""The cosine of unrelated questions, which is scaled to 0."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question without diacritics, words of politeness and of asking; everyday words are those of offices."""

    words: frozenset[str]
    matter: frozenset[str]
    """Those of the words that ask for no aspect."""
    numbers: frozenset[str]
    poles: frozenset[str]
    aspects: Mapping[Aspect, float]
    names_only: bool

    @classmethod
    def by(cls, text: str) -> _Asked:
        typed = words(text)
        tokens = with_equivalents(typed, by_letters=True)
        told = frozenset(fold_each([token for token in tokens if says_something(token)]))
        plain = " ".join(tokens)
        matter = frozenset(matter_words(plain_words(plain)))
        return cls(
            words=told,
            matter=told & matter & frozenset(fold_each(naming_words(plain))),
            numbers=frozenset(word for word in typed if word.isdecimal()),
            poles=poles(text),
            aspects=aspects_of(text),
            names_only=only_names(plain_words(text)),
        )

    def may_ask_what(self, other: _Asked) -> bool:
        """Return whether numbers and extremes are those of `other`, and both are more than names."""
        return (
            self.numbers == other.numbers
            and not opposite(self.poles, other.poles)
            and not (self.names_only or other.names_only)
            and min(len(self.words), len(other.words)) >= FEWEST_WORDS
        )


class QuestionLikeness:
    """Compares the wordings of an index, named by their places in `faq_texts`. For one thread."""

    def __init__(self, index: Index) -> None:
        self._asked = cache(lambda place: _Asked.by(index.faq_texts[place]))
        # A word weighs its IDF among the wordings, as in the retriever.
        self._weight = cache(partial(folded_weight, collection=index.faq_terms))

    def of(self, one: int, other: int, cosine: float) -> float:
        """Return the likeness in 0..1 of two wordings whose vectors have this cosine; 0 for other questions."""
        if cosine < LEAST_COSINE:
            return 0.0
        first, second = self._asked(one), self._asked(other)
        if not first.may_ask_what(second):
            return 0.0
        mean = (self._sum(first.words) + self._sum(second.words)) / 2
        dice = self._sum(first.words & second.words) / mean
        scaled = (cosine - _COSINE_OF_OTHERS) / (1 - _COSINE_OF_OTHERS)
        likeness = min((dice + scaled) / 2, 1.0)
        lacking, own = first.matter - second.words, second.matter - first.words
        differ = (lacking and own) or self._sum(lacking | own) / mean > MOST_LACKING
        if likeness < LEAST_LIKENESS or differ:
            return 0.0
        agreement = sum(min(share, second.aspects.get(name, 0.0)) for name, share in first.aspects.items())
        return likeness if agreement >= LEAST_AGREEMENT else 0.0

    def _sum(self, said: Set[str]) -> float:
        return sum(sorted(map(self._weight, said)))
