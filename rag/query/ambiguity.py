"""Whether a question is too general for one answer, and what it could mean instead.

"Trường có những cơ hội gì cho sinh viên?" is neither answered by one passage nor is it a question that the school has
nothing about: many passages match it equally well, and it says little in particular. Ambiguity of a query shows in
how its results spread (Cronen-Townsend, Zhou & Croft, 2002); what tells it from a question about something that is
not there is that its words are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from math import exp, log, log1p
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field

from rag.index.lexical import Bm25Index, TextIndex, is_undiacritised
from rag.query.specificity import Specificity, specificity
from rag.rerank.coverage import idf
from rag.types import Candidate, FaqEntry, Option, Passage
from school.reading import Reading
from vietnamese.stopwords import STOPWORDS, says_something
from vietnamese.text import fold, words

TEMPERATURE = 0.15
"""Of the softmax over scores: a lead of so much, where the best has 1, makes a passage e times as probable."""

ARTICLES = 20
"""Of so many best articles the spread is reckoned: enough to be flat, few enough not to grow with the collection."""

_HEADINGS = Path(__file__).with_name("headings.yml")
_LABEL = re.compile(
    r"^\s*(?:(?:điều|chương|mục|phần|phụ lục|khoản)\s+(?:\d+|[ivxlc]+)\b|[\d.]+|[ivx]+(?=[.):]))[.):\s]*",
    re.IGNORECASE,
)

TITLE_CHARS = 80
"""A button's title is cut here, at a word."""


class AmbiguityKind(StrEnum):
    """What is wrong with a question, if anything is."""

    NONE = "none"
    TOO_BROAD = "too_broad"
    UNDERSPECIFIED = "underspecified"


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """The verdict. `score` in 0..1 is the probability that a person would ask back.

    `missing` are the kinds of things that the question leaves unnamed ("ngành học"); they are what to ask for. They
    are never empty for UNDERSPECIFIED, and say nothing for NONE.
    `signals` has what the score was made of, for the trace.
    """

    kind: AmbiguityKind
    score: float
    missing: tuple[str, ...] = ()
    signals: tuple[tuple[str, float], ...] = ()


class AmbiguityRule(BaseModel):
    """A logistic regression over three signals, each of which is 0 when there is nothing of it.

    `particular`: log(1 + 4 x the sum of what the particular words say): of 1 each when no article has the word, of
    0 when all have. `spread`: the entropy in nats of the softmax over the best articles' scores. `absent`: log(1 + how
    many pairs of neighbouring words stand side by side in no passage).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    bias: float
    particular: float
    spread: float
    absent: float
    threshold: float = Field(ge=0, le=1)


@lru_cache(maxsize=1)
def shipped_rule() -> AmbiguityRule:
    """The rule that the default preset goes by."""
    return AmbiguityRule.model_validate(
        yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
    )


def judge_ambiguity(
    question: Reading,
    candidates: Sequence[Candidate],
    passages: TextIndex,
    articles: TextIndex,
    rule: AmbiguityRule | None = None,
) -> Ambiguity:
    """Whether `question` is too general, by what it says and by what was found for it.

    `candidates` are passages with the scores `dense` and `lexical`, in any order; at least a few times `ARTICLES`, or
    all there are, so that the spread is seen. `passages` and `articles` are the lexical indexes of the collection.
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
    if score < rule.threshold:
        kind = AmbiguityKind.NONE
    else:
        kind = AmbiguityKind.UNDERSPECIFIED if said.unnamed else AmbiguityKind.TOO_BROAD
    missing = said.unnamed if kind is AmbiguityKind.UNDERSPECIFIED else ()
    return Ambiguity(kind, score, missing, tuple(signals.items()))


def ambiguity_options(
    candidates: Sequence[Candidate], entries: Sequence[Candidate], count: int
) -> tuple[Option, ...]:
    """What a broad question could mean: FAQ entries by their question, then passages by where they stand.

    Both best first. At most `count`; none when there would be one only, which is no choice. A passage's payload is
    {"passage": its `passage_key`}, an entry's {"faq": id}; of an article only the best passage is offered.
    """
    options: dict[str, Option] = {}
    for candidate in entries:
        if isinstance(candidate.item, FaqEntry):
            title = candidate.item.question
            options.setdefault(fold(title), Option(title, {"faq": candidate.item.id}))
    for passage in _best_of_articles(candidates):
        title = _title(passage)
        options.setdefault(fold(title), Option(title, {"passage": passage_key(passage)}))
    chosen = tuple(options.values())[:count]
    return chosen if len(chosen) > 1 else ()


def passage_key(passage: Passage) -> str:
    """Names a passage for as long as it says the same: its id is its place, where another may stand tomorrow.

    16 hexadecimal digits, which every channel takes in a button, whatever the document's file is called.
    """
    return sha256(f"{passage.id}\0{passage.text}".encode()).hexdigest()[:16]


def _particular(said: Specificity, index: Bm25Index, bare: bool) -> float:
    most = log(2 * index.count + 2)
    tokens = {fold(token) for token in said.particular} if bare else set(said.particular)
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
    pairs = set(pairwise(fold(token) if bare else token for token in words(text)))
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


def _title(passage: Passage) -> str:
    """The nearest heading above a passage; without one, how it begins."""
    heading = next((heading for heading in reversed(passage.context) if _tells_apart(heading)), "")
    return _shortened(" ".join((heading or passage.text).split()))


def _tells_apart(heading: str) -> bool:
    """Whether a heading says what stands below: "Điều 2" does not, nor what every document has."""
    said = words(_LABEL.sub("", heading))
    return bool(said) and " ".join(map(fold, said)) not in _everywhere()


@lru_cache(maxsize=1)
def _everywhere() -> frozenset[str]:
    headings = yaml.safe_load(_HEADINGS.read_text(encoding="utf-8"))["everywhere"]
    return frozenset(" ".join(words(fold(heading))) for heading in headings)


def _shortened(text: str) -> str:
    if len(text) <= TITLE_CHARS:
        return text
    return f"{text[:TITLE_CHARS].rsplit(' ', 1)[0].rstrip(' ,;:.-')}…"
