"""Ambiguity: whether a question is too general for one answer, and the meanings to offer instead.

No single passage answers "Trường có những cơ hội gì cho sinh viên?", yet many match it equally well. The ambiguity of a
query shows in the spread of its results (Cronen-Townsend, Zhou & Croft, 2002). The words of an ambiguous question stand
in the collection; those of a question about an unpublished matter do not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from math import exp, log, log1p

from pydantic import BaseModel, ConfigDict, Field

from rag.index.lexical import Bm25Index, TextIndex, is_undiacritised
from rag.query.option_titles import is_formal, passage_title
from rag.query.specificity import Specificity, specificity
from rag.rerank.coverage import idf
from rag.types import Candidate, FaqEntry, Option, Passage
from school.reading import Reading
from vietnamese.data_files import yaml_beside
from vietnamese.equivalents import with_equivalents
from vietnamese.stopwords import STOPWORDS, says_something
from vietnamese.text import fold, words

TEMPERATURE = 0.15
"""Temperature of the softmax over scores (the best has 1): this lead makes a passage e times as probable."""

ARTICLES = 20
"""The number of best articles whose spread is measured, independent of the size of the collection."""


class AmbiguityKind(StrEnum):
    """Kinds of ambiguous questions."""

    NONE = "none"
    TOO_BROAD = "too_broad"
    UNDERSPECIFIED = "underspecified"


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """The ambiguity of a question. `score` in 0..1 is the probability that a person would ask back.

    `missing` are the kinds of things to ask for, which the question leaves unnamed ("ngành học"): not empty for
    UNDERSPECIFIED, else empty. `signals` are the parts of the score, for the trace. `pointing`: it points at one of the
    student's values that nobody has named ("ngành này").
    """

    kind: AmbiguityKind
    score: float
    missing: tuple[str, ...] = ()
    signals: tuple[tuple[str, float], ...] = ()
    pointing: bool = False


class AmbiguityRule(BaseModel):
    """A logistic regression over three signals.

    `particular`: log(1 + 4 x the sum of the particular words' IDF, scaled to 1 for a word of no article). `spread`: the
    entropy in nats of the softmax over the best articles' scores. `absent`: log(1 + the number of pairs of neighbouring
    words that no passage has).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    bias: float
    particular: float
    spread: float
    absent: float
    threshold: float = Field(ge=0, le=1)


@lru_cache(maxsize=1)
def shipped_rule() -> AmbiguityRule:
    """Return the rule of the default preset."""
    return AmbiguityRule.model_validate(yaml_beside(__file__, "ambiguity.yml"))


def judge_ambiguity(
    question: Reading,
    candidates: Sequence[Candidate],
    passages: TextIndex,
    articles: TextIndex,
    rule: AmbiguityRule | None = None,
    values: Collection[str] = (),
) -> Ambiguity:
    """Return whether `question` is too general, by its words and by its results.

    `candidates` are passages with the scores `dense` and `lexical`, in any order; a few times `ARTICLES`, or all
    there are. `passages` and `articles` are the lexical indexes of the collection. `values` are the words for a
    student's values ("ngành"): a question that points at one of them is underspecified, whatever its score.
    """
    if not candidates:
        return Ambiguity(AmbiguityKind.NONE, 0.0)
    rule = rule or shipped_rule()
    said = specificity(question.normalized)
    bare = is_undiacritised(question.normalized)
    signals = {
        "particular": _particular(said, articles.folded if bare else articles.written, bare),
        "spread": _spread(candidates),
        "absent": _absent(question.normalized, passages.folded if bare else passages.written, bare),
    }
    evidence = rule.bias + sum(getattr(rule, name) * value for name, value in signals.items())
    score = 1 / (1 + exp(-evidence))
    pointing = said.pointing and any(value in thing for thing in said.unnamed for value in values)
    if score < rule.threshold and not pointing:
        kind = AmbiguityKind.NONE
    else:
        kind = AmbiguityKind.UNDERSPECIFIED if said.unnamed else AmbiguityKind.TOO_BROAD
    missing = said.unnamed if kind is AmbiguityKind.UNDERSPECIFIED else ()
    return Ambiguity(kind, score, missing, tuple(signals.items()), pointing)


def ambiguity_options(
    candidates: Sequence[Candidate], entries: Sequence[Candidate], count: int
) -> tuple[Option, ...]:
    """Return the meanings of a broad question: FAQ entries by their question, then passages by what they are about.

    Both stand best first, at most `count`; of an article only its best passage. Articles on the scope or the force of a
    document stand last. An entry that is never offered is none of them. One option alone is no choice: then the result
    is empty. A passage's payload is {"passage": its `passage_key`}, an entry's {"faq": id}.
    """
    options: dict[str, Option] = {}
    for candidate in entries:
        if isinstance(candidate.item, FaqEntry) and not candidate.item.never_offered:
            title = candidate.item.question
            options.setdefault(fold(title), Option(title, {"faq": candidate.item.id}))
    for passage in sorted(_best_of_articles(candidates), key=is_formal):
        title = passage_title(passage)
        options.setdefault(fold(title), Option(title, {"passage": passage_key(passage)}))
    chosen = tuple(options.values())[:count]
    return chosen if len(chosen) > 1 else ()


def passage_key(passage: Passage) -> str:
    """Return a key of a passage's id and text: its id alone is a place, where another text may stand tomorrow.

    The key has 16 hexadecimal digits, short and plain enough for the buttons of every channel.
    """
    return sha256(f"{passage.id}\0{passage.text}".encode()).hexdigest()[:16]


def _particular(said: Specificity, index: Bm25Index, bare: bool) -> float:
    most = log(2 * index.count + 2)
    named = with_equivalents(said.particular, by_letters=bare)
    tokens = {fold(token) if bare else token for token in named}
    told = sum(idf(index.document_frequency(token), index.count) for token in tokens)
    return log1p(4 * told / most)


def _spread(candidates: Sequence[Candidate]) -> float:
    best: dict[str, float] = {}
    for candidate in candidates:
        assert isinstance(candidate.item, Passage)
        score = (candidate.scores["dense"] + candidate.scores["lexical"]) / 2
        article = candidate.item.parent or candidate.item.id
        best[article] = max(best.get(article, 0.0), score)
    scores = sorted(best.values(), reverse=True)[:ARTICLES]
    weights = [exp((score - scores[0]) / TEMPERATURE) for score in scores]
    whole = sum(weights)
    return -sum(weight / whole * log(weight / whole) for weight in weights)


def _absent(text: str, index: Bm25Index, bare: bool) -> float:
    tokens = with_equivalents(words(text), by_letters=bare)
    pairs = set(pairwise(fold(token) if bare else token for token in tokens))
    telling = (pair for pair in pairs if all(_tells(token, bare) for token in pair))
    return log1p(sum(index.document_frequency(" ".join(pair)) == 0 for pair in telling))


def _tells(token: str, bare: bool) -> bool:
    return says_something(token) if bare else token not in STOPWORDS


def _best_of_articles(candidates: Iterable[Candidate]) -> list[Passage]:
    best: dict[str, Passage] = {}
    for candidate in candidates:
        if isinstance(candidate.item, Passage):
            best.setdefault(candidate.item.parent or candidate.item.id, candidate.item)
    return list(best.values())
