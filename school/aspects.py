"""Aspects: what a question asks about a matter, and what an FAQ entry says about it.

The classifier is a multinomial logistic regression over the words and letters of a text, and over phrases that ask for
an aspect (`aspects.yml`). It reads texts without diacritics: a question typed bare is as good as any.
`benchmarks/aspects.py` fits and measures it; docs/decisions/0019-aspects.md has the figures.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from school.ngrams import FloatArray
from school.reading import Reading
from vietnamese.chat_spelling import ChatSpelling, normalize
from vietnamese.data_files import yaml_beside
from vietnamese.patterns import any_of
from vietnamese.stopwords import says_something
from vietnamese.text import fold

Aspect = Literal[
    "definition",
    "condition",
    "deadline",
    "place",
    "fee",
    "document",
    "procedure",
    "contact",
    "duration",
    "amount",
    "consequence",
    "exception",
    "choice",
    "other",
]
"""An aspect; `aspects.yml` says what each one means."""

ASPECTS: tuple[Aspect, ...] = get_args(Aspect)

APART: tuple[Aspect, ...] = ("place", "deadline", "document", "contact", "procedure", "definition")
"""These aspects are told apart from a price or a condition: a student who asks for one of them wants no figure."""

SURELY_APART = 0.7
"""The probability from which one of them is asked for: of 92 labelled messages with a calculator's answer one has it
("2.9, 115tc đủ rồi, đăng ký ngày nào"), wrongly answered."""

MODEL = Path(__file__).with_name("aspects.npz")
"""The shipped classifier."""

SAID_BY_PHRASINGS = 0.25
"""The mean probability over the phrasings of an entry from which it says an aspect."""

_WORD = re.compile(r"\w+")
_LONGEST_CUE = 3
"""Words of a cue that tells as much as a cue can."""

Terms = Mapping[str, float]


def aspects_of(said: Reading | str) -> dict[Aspect, float]:
    """Return the probability of each aspect that a question asks for, the most probable first, summing to 1.

    A text is enough; of a reading, the words in everyday spelling count. Empty for a text without letters and digits.
    """
    text = said if isinstance(said, str) else (said.text if said.is_english else said.normalized)
    plain = plain_words(text)
    return shipped_classifier().ranking(plain) if plain else {}


def aspects_said_by(phrasings: Sequence[str]) -> tuple[Aspect, ...]:
    """Return the aspects that an entry says, the most probable first; one at least.

    `phrasings` are its question, which counts as much as all its variants, and these.
    """
    found = [aspects_of(text) for text in phrasings]
    shares = [1.0, *([1 / (len(found) - 1)] * (len(found) - 1) if len(found) > 1 else [])]
    mean = dict.fromkeys(ASPECTS, 0.0)
    for aspects, share in zip(found, shares, strict=True):
        for aspect, probability in aspects.items():
            mean[aspect] += probability * share / sum(shares)
    ranked = sorted(mean.items(), key=lambda said: -said[1])
    if not ranked[0][1]:
        return ("other",)
    return (ranked[0][0], *(aspect for aspect, share in ranked[1:] if share >= SAID_BY_PHRASINGS))


def agreement(asked: Mapping[Aspect, float], said: Sequence[Aspect]) -> float:
    """Return the probability in 0..1 that one of the aspects `said` is asked for; 1 where either is unknown."""
    return sum(asked.get(aspect, 0.0) for aspect in said) if asked and said else 1.0


def asks_apart(asked: Mapping[Aspect, float], said: Sequence[Aspect]) -> bool:
    """Return whether one of the aspects `APART` is surely asked for that is not among those `said`."""
    return sum(asked.get(aspect, 0.0) for aspect in APART if aspect not in said) >= SURELY_APART


def matter_words(plain: str) -> tuple[str, ...]:
    """Return the words of a text in `plain_words` that neither ask for an aspect nor only ask: those of its matter.

    A text of nothing else has all its words.
    """
    rest = plain
    for pattern in _patterns().values():
        rest = pattern.sub(" ", rest)
    return tuple(filter(says_something, rest.split())) or tuple(plain.split())


def only_names(plain: str) -> bool:
    """Return whether a text in `plain_words` has words of a matter alone, and so asks for no aspect: "ho boi"."""
    return all(map(says_something, plain.split())) and not any(
        pattern.search(plain) for pattern in _patterns().values()
    )


def plain_words(text: str) -> str:
    """Return the words of `text` in everyday spelling, lower case and without diacritics."""
    return " ".join(_WORD.findall(fold(_spelling().write_out(normalize(text))).lower()))


@dataclass(frozen=True)
class AspectClassifier:
    """The trained classifier: `weights[t, a]` is what term t adds to the log-odds of aspect a of `ASPECTS`.

    `idf` are the inverse document frequencies of the terms, shape (terms,); `bias` has the shape (aspects,).
    """

    terms: Mapping[str, int]
    idf: FloatArray
    weights: FloatArray
    bias: FloatArray

    def ranking(self, plain: str) -> dict[Aspect, float]:
        """Return the probability of every aspect of a text in `plain_words`, the most probable first."""
        places, values = weighed(plain, self.terms, self.idf)
        scores = self.bias + values @ self.weights[places]
        exponentials = np.exp(scores - scores.max())
        shares = exponentials / exponentials.sum()
        return {ASPECTS[place]: float(shares[place]) for place in np.argsort(-shares, kind="stable")}

    def save(self, path: Path) -> None:
        """Write the classifier to `path` (.npz without pickled objects)."""
        arrays: dict[str, Any] = {
            "aspects": np.array(ASPECTS, dtype=np.str_),
            "terms": np.array(list(self.terms), dtype=np.str_),
            "idf": self.idf.astype(np.float16),
            "weights": self.weights.astype(np.float16),
            "bias": self.bias,
        }
        np.savez_compressed(path, **arrays)

    @classmethod
    def load(cls, path: Path) -> AspectClassifier:
        """Read the classifier from `path`.

        Raises:
            OSError, ValueError, KeyError: when the file is missing or `save` has not written it for `ASPECTS`.
        """
        with np.load(path, allow_pickle=False) as stored:
            if tuple(stored["aspects"].tolist()) != ASPECTS:
                raise ValueError(f"{path} was made for other aspects")
            return cls(
                {term: place for place, term in enumerate(stored["terms"].tolist())},
                stored["idf"].astype(np.float32),
                stored["weights"].astype(np.float32),
                stored["bias"],
            )


def weighed(
    plain: str, terms: Mapping[str, int], idf: FloatArray
) -> tuple[npt.NDArray[np.int32], FloatArray]:
    """Return the places in `terms` of the features of a text, and their values.

    Words and letters are weighed by TF-IDF, to length 1 each; a cue has its value as it is.
    """
    places: list[int] = []
    values: list[float] = []
    for kind in (_words(plain), _letters(plain)):
        found = [(terms[t], (1 + np.log(n)) * idf[terms[t]]) for t, n in Counter(kind).items() if t in terms]
        length = np.sqrt(sum(value * value for _, value in found)) or 1.0
        places += [place for place, _ in found]
        values += [value / length for _, value in found]
    for term, value in _cues(plain).items():
        if term in terms:
            places.append(terms[term])
            values.append(value)
    return np.array(places, np.int32), np.array(values, np.float32)


def terms_of(plain: str) -> set[str]:
    """Return the names of all features of a text in `plain_words`."""
    return {*_words(plain), *_letters(plain), *_cues(plain)}


def _words(plain: str) -> Iterator[str]:
    """Yield the words and the pairs of neighbours; the ends of the text count as words."""
    said = ["^", *plain.split(), "$"]
    yield from (f"w:{word}" for word in said[1:-1])
    yield from (f"w:{one} {other}" for one, other in pairwise(said))


def _letters(plain: str) -> Iterator[str]:
    """Yield the pieces of 2 to 4 characters of each word, the blanks around it included."""
    for word in plain.split():
        padded = f" {word} "
        for size in range(2, 5):
            yield from (f"c:{padded[start : start + size]}" for start in range(len(padded) - size + 1))


def _cues(plain: str) -> Terms:
    """Return for each aspect whether a cue asks for it, how long the longest is, and whether it is the last one."""
    found: dict[str, float] = {}
    last: tuple[int, int, str] | None = None
    for aspect, pattern in _patterns().items():
        matches = list(pattern.finditer(plain))
        if matches:
            found[f"cue:{aspect}"] = 1.0
            longest = max(len(match[0].split()) for match in matches)
            found[f"longest:{aspect}"] = longest / _LONGEST_CUE
            end = max((match.end(), len(match[0]), aspect) for match in matches)
            last = max(last, end) if last else end
    if last:
        found[f"last:{last[2]}"] = 1.0
    return found


@lru_cache(maxsize=1)
def shipped_classifier() -> AspectClassifier:
    return AspectClassifier.load(MODEL)


@lru_cache(maxsize=1)
def _spelling() -> ChatSpelling:
    return ChatSpelling()


@lru_cache(maxsize=1)
def _patterns() -> Mapping[Aspect, re.Pattern[str]]:
    described = yaml_beside(__file__, "aspects.yml")
    return {aspect: re.compile(rf"\b(?:{any_of(described[aspect]['cues'])})\b") for aspect in ASPECTS}
