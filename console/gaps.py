"""Questions that were not answered well, grouped by what one answer can settle, and ranked by students who asked.

Two questions need one answer when their sentence vectors are near, they ask for the same aspect of a matter and the
same kind of thing, and name the same things: "môn CTDL mấy tín chỉ" and "môn CTDL ai dạy" are near, but two needs. Of
short questions the vectors tell less, those of "ho boi" and "trường có hồ bơi không" are as far apart as of two
matters: where the words of the matter are the same, they count up to a limit, and a question that only names its matter
asks for any aspect.

The vectors are those of the reading (E5), recorded with the trace: nothing is embedded here. Groups are made by
agglomerative clustering with complete linkage: any two questions of a group need one answer. `benchmarks/gap_groups.py`
measures it on labelled questions.
"""

from __future__ import annotations

import base64
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import csr_matrix

from console.personal_data import has_personal_data
from school.aspects import ASPECTS, matter_words, only_names, plain_words, shipped_classifier
from school.intents import topic_of
from vietnamese.data_files import yaml_beside
from vietnamese.patterns import any_of
from vietnamese.syllables import is_syllable

FARTHEST = 0.16
"""The distance up to which two questions need one answer: the cosine distance of their vectors, `ASPECT_WEIGHT` for
aspects that have nothing in common and `WORDS_WEIGHT` for words of the matter that have nothing in common. Chosen on
one half of the labelled questions, with the weights."""

ASPECT_WEIGHT = 0.12
WORDS_WEIGHT = 0.06

SAME_WORDS = 0.8
"""The likeness of the words of two matters from which on they are the same ones."""

FARTHEST_OF_SAME = 0.06
"""The cosine distance that counts at most between questions with the same words of the matter. A question typed without
diacritics is up to 0.16 away from itself with them when it is short."""

SURE_TOPIC = 0.8
"""The probability of a topic from which on it is suggested for a group's answer, on average over its questions."""

NAMED = frozenset({"office", "document"})
"""The kinds of names that tell two matters apart; those of dimensions are the student's."""

_SHORT_FORM = (3, 5)
"""The least and the most letters of a short form that stands for words by their first letters ("ctdl")."""

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Wording:
    """The needs of a question: the square root of each aspect's probability (`ASPECTS`), its matter's words, and the
    kinds of things of `asked_things.yml` that it wants. `asks` is False when it only names its matter."""

    aspects: Vector
    matter: tuple[str, ...]
    things: frozenset[str]
    asks: bool


def group_gaps(gaps: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the groups of `gaps` (`console.turns.Turns.gaps`), that of the most students first.

    A group has `id`, `question` (the one nearest to the others), `students`, `questions`, `last_at`, `why` (counts),
    `topic` (that of its answer, "" when that is not sure) and `traces`, its turns.
    """
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for label, gap in zip(_labels(gaps), gaps, strict=True):
        groups.setdefault(label, []).append(gap)
    found = [_group(members) for members in groups.values()]
    return sorted(found, key=lambda group: (-group["students"], -group["questions"], -group["last_at"]))


def _labels(gaps: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    """Return the group of each gap; one without a vector is in a group with its own words."""
    labels = [f"words {' '.join(str(gap['question']).casefold().split())}" for gap in gaps]
    # Questions of one wording are clustered once.
    distinct: dict[tuple[str, str], tuple[int, Mapping[str, Any]]] = {}
    for gap in gaps:
        if gap["vector"]:
            distinct.setdefault(_key(gap), (len(distinct), gap))
    if len(distinct) > 1:
        near = linkage(_distances([gap for _, gap in distinct.values()]), "complete")
        clusters = fcluster(near, FARTHEST, "distance")
    else:
        clusters = np.zeros(len(distinct), int)
    return [
        f"cluster {clusters[distinct[_key(gap)][0]]}" if gap["vector"] else label
        for label, gap in zip(labels, gaps, strict=True)
    ]


def _key(gap: Mapping[str, Any]) -> tuple[str, str]:
    return str(gap["vector"]), str(gap["normalized"])


def _distances(gaps: Sequence[Mapping[str, Any]]) -> npt.NDArray[np.float64]:
    """Return the distance of each two gaps, in the order of `scipy.spatial.distance.pdist`."""
    vectors = np.stack([vector for gap in gaps if (vector := vector_of(gap)) is not None])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    wordings = [_wording(str(gap["normalized"] or gap["question"])) for gap in gaps]
    aspects = np.stack([wording.aspects for wording in wordings])
    words = _weighed_words([wording.matter for wording in wordings])
    # Products of matrices: the distances one by one take three times as long as all the rest.
    of_words = (words @ words.T).toarray()
    of_vectors = vectors @ vectors.T
    np.maximum(of_vectors, 1 - FARTHEST_OF_SAME, out=of_vectors, where=of_words >= SAME_WORDS)
    of_aspects = aspects @ aspects.T
    asks_any = [not wording.asks for wording in wordings]
    of_aspects[asks_any], of_aspects[:, asks_any] = 1.0, 1.0
    near = of_vectors + ASPECT_WEIGHT * of_aspects + WORDS_WEIGHT * of_words
    distances = 1 + ASPECT_WEIGHT + WORDS_WEIGHT - near[np.triu_indices(len(gaps), 1)]
    apart = _are_apart([wording.things for wording in wordings])
    for kind in NAMED:
        apart |= _are_apart(
            [frozenset(value for of, value in gap["mentions"] or () if of == kind) for gap in gaps]
        )
    return np.where(apart, 2.0, np.maximum(distances, 0.0))


def _are_apart(sets: Sequence[frozenset[str]]) -> npt.NDArray[np.bool_]:
    """Return for each two sets whether neither is empty and they have nothing in common."""
    place = {each: number for number, each in enumerate(sorted(frozenset[str]().union(*sets)))}
    has = np.zeros((len(sets), len(place)), np.float32)
    for row, members in enumerate(sets):
        has[row, [place[each] for each in members]] = 1
    some = has.any(axis=1)
    apart: npt.NDArray[np.bool_] = np.outer(some, some) & (has @ has.T == 0)
    return apart[np.triu_indices(len(sets), 1)]


def _weighed_words(matters: Sequence[tuple[str, ...]]) -> csr_matrix:
    """Return the words of each matter, weighed by inverse frequency, as a row of length 1."""
    spelled = _without_short_forms(matters)
    counts = Counter(word for matter in spelled for word in set(matter))
    place = {word: number for number, word in enumerate(counts)}
    weight = {word: 1 + math.log((len(spelled) + 1) / (count + 0.5)) for word, count in counts.items()}
    rows, columns, values = [], [], []
    for row, matter in enumerate(spelled):
        length = math.sqrt(sum(weight[word] ** 2 for word in set(matter))) or 1.0
        for word in set(matter):
            rows.append(row)
            columns.append(place[word])
            values.append(weight[word] / length)
    return csr_matrix((np.array(values, np.float32), (rows, columns)), (len(spelled), len(place)))


def _without_short_forms(matters: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
    """Return matters with the words for which a short form stands, where other matters have such words."""
    least, most = _SHORT_FORM
    short = {word for matter in matters for word in matter if least <= len(word) <= most and word.isalpha()}
    first = [("".join(word[0] for word in matter), matter) for matter in matters]
    full: dict[str, tuple[str, ...]] = {}
    for form in sorted(short):
        if not is_syllable(form):
            runs = Counter(
                matter[at : at + len(form)] for letters, matter in first if (at := letters.find(form)) >= 0
            )
            full |= {form: runs.most_common(1)[0][0]} if runs else {}
    return [tuple(each for word in matter for each in full.get(word, (word,))) for matter in matters]


@lru_cache(maxsize=16_384)
def _wording(normalized: str) -> _Wording:
    plain = plain_words(normalized)
    probabilities = shipped_classifier().ranking(plain)
    aspects = np.sqrt(np.array([probabilities.get(aspect, 0.0) for aspect in ASPECTS], np.float32))
    things = (kind for kind, pattern in _patterns().items() if pattern.search(plain))
    return _Wording(aspects, matter_words(plain), frozenset(things), not only_names(plain))


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    described = yaml_beside(__file__, "asked_things.yml")
    return {kind: re.compile(rf"\b(?:{any_of(phrases)})\b") for kind, phrases in described.items()}


def vector_of(gap: Mapping[str, Any]) -> Vector | None:
    """Return the sentence vector of a turn's question, shape (d,); None without one."""
    stored = base64.b64decode(gap["vector"] or "")
    return np.frombuffer(stored, np.float16).astype(np.float32) if stored else None


def _group(members: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    students = {(gap["channel"], gap["sender"]) for gap in members}
    # By its oldest question, which stays in the group when others join it.
    oldest = min(int(gap["id"]) for gap in members)
    return {
        "id": sha256(str(oldest).encode()).hexdigest()[:12],
        "question": _central(members),
        "students": len(students),
        "questions": len(members),
        "last_at": max(float(gap["at"]) for gap in members),
        "why": dict(Counter(why for gap in members for why in gap["why"])),
        "topic": _topic(members),
        "traces": list(members),
    }


def _topic(members: Sequence[Mapping[str, Any]]) -> str:
    """Return the topic that the reading of the questions is sure of; "" when there is none.

    The topic of a refusal is that of the nearest text, which did not answer: no hint at what the question is about.
    """
    shares: defaultdict[str, float] = defaultdict(float)
    for gap in members:
        for intent, probability in (gap["intents"] or {}).items():
            if (topic := topic_of(intent)) is not None:
                shares[topic] += float(probability)
    topic, share = max(shares.items(), key=lambda each: each[1], default=("", 0.0))
    return topic if share >= SURE_TOPIC * len(members) else ""


def _central(members: Sequence[Mapping[str, Any]]) -> str:
    """Return the question nearest to the mean of the group; of equals the longest, which has its diacritics.

    One without personal data goes before all others: it becomes the question of an entry.
    """
    members = [gap for gap in members if not has_personal_data(str(gap["question"]))] or members
    vectors = [vector_of(gap) for gap in members]
    known = [vector for vector in vectors if vector is not None]
    if not known:
        return str(members[0]["question"])
    mean = np.mean(known, axis=0)

    def nearness(place: int) -> tuple[float, int]:
        vector = vectors[place]
        near = float(vector @ mean) if vector is not None else -1.0
        return round(near, 3), len(str(members[place]["question"]).encode())

    return str(members[max(range(len(members)), key=nearness)]["question"])
