"""The features of a passage for a question, which rerankers weigh and gates read.

Beside the scores of the first ranking, they compare words, word pairs and numbers of question and passage part by part,
and the passage's kind, students and validity. Words and pairs have their weights in BM25. Each feature is a number on a
fixed scale, with a neutral value when it does not apply to a question (numbers, when it has none).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.index.lexical import Bm25Index, TextIndex, folded_terms, is_undiacritised, terms
from rag.rerank.answer_type import AnswerType, agreement, expected
from rag.rerank.coverage import idf
from rag.types import Passage
from school.abbreviations import Abbreviations
from school.dimensions import Profile
from school.reading import Reading
from school.topics import topic_probability
from vietnamese.stopwords import STOPWORDS, says_something
from vietnamese.text import fold, words

FEATURES = (
    *("dense", "cosine", "lexical", "lexical_raw", "article", "coverage", "coverage_body"),
    *("coverage_heading", "coverage_title", "bigrams", "bigrams_body", "trigrams", "run", "window"),
    *("missing", "numbers", "answer_type", "topic", "entity", "validity"),
)
"""The features in the order in which models are fitted; docs/decisions/0010-reranker.md says what each one is."""

WINDOW = 25
"""The number of words of about one sentence."""

NO_NUMBERS = 0.5


@dataclass(frozen=True, slots=True)
class _Parts:
    """The words of a passage's parts in one spelling, each between blanks: " a b c "."""

    body: str
    heading: str
    title: str


@dataclass(frozen=True, slots=True)
class PassageWords:
    """The words of a passage as written and by their bare letters; `bare` when its text has no diacritics.

    They are strings because sets are no faster to search and take ten times the memory.
    """

    written: _Parts
    folded: _Parts
    bare: bool

    @classmethod
    def of(cls, passage: Passage, abbreviations: Abbreviations) -> PassageWords:
        written = _Parts(
            *(
                _padded(words(abbreviations.expand(part)))
                for part in (passage.text, "\n".join(passage.context), passage.title)
            )
        )
        folded = _Parts(fold(written.body), fold(written.heading), fold(written.title))
        return cls(written, folded, bare=written.body == folded.body)


class Comparison:
    """Compares one question with passages."""

    def __init__(
        self, question: Reading, collection: TextIndex, topics: Mapping[str, float], profile: Profile
    ) -> None:
        tokens = words(question.asked)
        bare = [fold(token) for token in tokens]
        self._is_bare = tokens == bare
        self._folded = _Terms(bare, [says_something(token) for token in tokens], collection.folded)
        self._written = (
            self._folded
            if self._is_bare
            else _Terms(tokens, [token not in STOPWORDS for token in tokens], collection.written)
        )
        self._most = _most_bm25(question.normalized, collection)
        self.wanted = expected(question.asked)
        self._profile = profile
        self._topics = topics

    def share_of_bm25(self, score: float) -> float:
        """Return a passage's BM25 `score` as a share (0..1) of the most that the question's terms can give."""
        return min(score / self._most, 1.0) if self._most else 0.0

    def of(self, passage: Passage, text: PassageWords, offered: Collection[AnswerType]) -> dict[str, float]:
        """Return the features of a passage beyond the first ranking; `offered` are the kinds of answers it has."""
        terms, parts = (
            (self._folded, text.folded) if self._is_bare or text.bare else (self._written, text.written)
        )
        return {
            **terms.compared(parts, text.folded),
            "answer_type": agreement(self.wanted, frozenset(offered)),
            "topic": topic_probability(self._topics, passage.topic),
            "entity": _fitness(passage, self._profile),
            "validity": float(passage.effective_to is None),
        }


class _Terms:
    """The words, pairs and triples of a question in one spelling, with their weights."""

    def __init__(self, tokens: Sequence[str], telling: Sequence[bool], collection: Bm25Index) -> None:
        told = list(zip(tokens, telling, strict=True))
        self._weights = {token: _weight(token, collection) for token, tells in told if tells}
        self._words = [
            (f" {token} ", weight, token == fold(token)) for token, weight in self._weights.items()
        ]
        pairs = dict.fromkeys(
            f"{first} {second}" for (first, tells), (second, too) in pairwise(told) if tells or too
        )
        self._pairs = [(f" {pair} ", _weight(pair, collection)) for pair in pairs]
        self._triples = [f" {' '.join(some)} " for some in zip(tokens, tokens[1:], tokens[2:], strict=False)]
        self._numbers = [f" {token} " for token in set(tokens) if any(char.isdigit() for char in token)]
        self._whole = sum(self._weights.values())
        self._rarest = max(self._weights.values(), default=0.0)
        self._all_pairs = sum(weight for _, weight in self._pairs)
        self._said = _padded(tokens)
        self._blanks = [place for place, char in enumerate(self._said) if char == " "]

    def compared(self, parts: _Parts, folded: _Parts) -> dict[str, float]:
        """Return the features of words; `parts` have the spelling of the terms."""
        body, heading, title = parts.body, parts.heading, parts.title
        in_it = in_body = in_heading = in_title = missing = 0.0
        for word, weight, bare in self._words:
            found = False
            if word in body:
                in_body, found = in_body + weight, True
            if word in heading:
                in_heading, found = in_heading + weight, True
            if word in title:
                in_title, found = in_title + weight, True
            # A word typed bare within a question that has diacritics ("học phí nganh cntt") counts by its letters.
            if not found and bare:
                found = word in folded.body or word in folded.heading or word in folded.title
            if found:
                in_it += weight
            elif weight > missing:
                missing = weight
        pairs_in_body = pairs_elsewhere = 0.0
        for pair, weight in self._pairs:
            if pair in body:
                pairs_in_body += weight
            elif pair in heading or pair in title:
                pairs_elsewhere += weight
        return {
            "coverage": _share(in_it, self._whole),
            "coverage_body": _share(in_body, self._whole),
            "coverage_heading": _share(in_heading, self._whole),
            "coverage_title": _share(in_title, self._whole),
            "bigrams": _share(pairs_in_body + pairs_elsewhere, self._all_pairs),
            "bigrams_body": _share(pairs_in_body, self._all_pairs),
            "trigrams": _share(sum(triple in body for triple in self._triples), len(self._triples)),
            "run": _share(self._longest_run(body), len(self._blanks) - 1),
            "window": _share(self._densest(body), self._whole),
            "missing": _share(missing, self._rarest),
            "numbers": _share(sum(number in body or number in heading for number in self._numbers), count)
            if (count := len(self._numbers))
            else NO_NUMBERS,
        }

    def _longest_run(self, body: str) -> int:
        """Return the length of the longest run of the question's words in the text."""
        said, blanks = self._said, self._blanks
        longest = 0
        for place, first in enumerate(blanks):
            while place + longest + 1 < len(blanks):
                if said[first : blanks[place + longest + 1] + 1] not in body:
                    break
                longest += 1
        return longest

    def _densest(self, body: str) -> float:
        """Return the most weight of different question words within WINDOW words of the text."""
        weights = self._weights
        found = [(place, word) for place, word in enumerate(body.split()) if word in weights]
        most = inside = 0.0
        counts = dict.fromkeys(weights, 0)
        begin = 0
        for place, word in found:
            counts[word] += 1
            if counts[word] == 1:
                inside += weights[word]
            while place - found[begin][0] > WINDOW:
                left = found[begin][1]
                counts[left] -= 1
                if not counts[left]:
                    inside -= weights[left]
                begin += 1
            most = max(most, inside)
        return most


def _padded(tokens: Sequence[str]) -> str:
    return f" {' '.join(tokens)} "


def _share(part: float, whole: float) -> float:
    # Sums of the same weights in another order differ in the last bit.
    return min(part / whole, 1.0) if whole else 0.0


def _weight(term: str, collection: Bm25Index) -> float:
    return idf(collection.document_frequency(term), collection.count)


def _most_bm25(plain: str, collection: TextIndex) -> float:
    """Return the highest possible BM25 score: the sum of the weights of the question's terms."""
    tokens = words(plain)
    field, wanted = (
        (collection.folded, folded_terms(tokens))
        if is_undiacritised(plain)
        else (collection.written, terms(tokens))
    )
    return sum(_weight(term, field) for term in wanted)


def _fitness(passage: Passage, profile: Profile) -> float:
    """Return -1 for a passage for other students, 1 for one expressly for students like this one, else 0."""
    if passage.applies_to.excludes(profile):
        return -1.0
    return float(any(passage.applies_to.values(dimension) for dimension in profile.values))
