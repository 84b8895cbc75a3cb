"""Fitting the probability that an answer is right: regularised logistic regression over standardised signals."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from math import log

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

from covan.calibrating.observe import Observation
from rag.decide.probability import ProbabilityModel, ProbabilityModels
from rag.errors import SettingsError
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE

STRENGTH = 0.1
"""Inverse strength of the L2 penalty: labelled questions are few, and a weight must earn its size."""

LEAST = 40
"""A source with fewer answers, or with fewer than `LEAST_OF_EACH` right or wrong ones, gets no model of its own."""
LEAST_OF_EACH = 8

LEAST_PRESENT = 0.5
"""A signal that fewer of the answers have is left out."""

SIGNALS = {
    FAQ_SOURCE: (
        *(
            "faq.cosine",
            "faq.dense",
            "faq.dice",
            "faq.coverage",
            "faq.support",
            "faq.similarity",
            "faq.margin",
            "faq.entry",
            "faq.entry_lead",
        ),
        *("document.bigrams_body", "document.likeness"),
        *("faq.topic", "reading.out_of_scope"),
    ),
    DOCUMENT_SOURCE: (
        *("document.cosine", "document.likeness", "document.score", "document.margin", "document.lead"),
        *("document.bigrams", "document.bigrams_body", "document.trigrams", "document.coverage_body"),
        *(
            "document.lexical_raw",
            "document.run",
            "document.window",
            "document.missing",
            "document.answer_type",
        ),
        *("ambiguity.spread", "ambiguity.absent", "faq.similarity"),
    ),
}
"""Signals of the probability. More of the trace's signals gained nothing at an unseen school."""

OF_SMALL_FAQ = ("document.score", "document.coverage", "document.lead", "faq.same_article")
"""More signals of entries where the FAQ is too small for the entry classifier: a passage that fits, and on which the
entry does not rest, tells that the entry is another one's answer."""

RISING = frozenset(
    {
        "similarity",
        "margin",
        "lead",
        "likeness",
        "cosine",
        "dense",
        "dice",
        "coverage",
        "support",
        "entry",
        "entry_lead",
        "topic",
    }
)
"""Signals of the answer's own source with which the probability may only rise, by the last part of their names."""


def fit_models(
    observations: Sequence[Observation], weights: Sequence[float] | None = None
) -> ProbabilityModels:
    """Return a model for each source that has enough answers; `weights` are those of the observations, equal if unset.

    Raises SettingsError when no source has: the message says how many there are.
    """
    sources = sorted({observation.source for observation in observations if observation.source is not None})
    fitted = {}
    for source in sources:
        places = [place for place, observation in enumerate(observations) if observation.source == source]
        seen = [observations[place] for place in places]
        rights = sum(observation.right for observation in seen)
        if len(seen) >= LEAST and LEAST_OF_EACH <= rights <= len(seen) - LEAST_OF_EACH:
            counted_as = None if weights is None else [weights[place] for place in places]
            fitted[source] = fit_model(seen, source, counted_as)
    if not fitted:
        counted = ", ".join(
            f"{source}: {sum(o.right for o in observations if o.source == source)} right, "
            f"{sum(not o.right for o in observations if o.source == source)} wrong"
            for source in sources
        )
        raise SettingsError(
            f"there are too few answers to fit a model to ({counted or 'none'}); it takes {LEAST} of a source, "
            f"{LEAST_OF_EACH} of them right and {LEAST_OF_EACH} wrong"
        )
    return ProbabilityModels(by_source=fitted)


def fit_model(
    observations: Sequence[Observation], source: str, counted_as: Sequence[float] | None = None
) -> ProbabilityModel:
    """Return the model of one source.

    A signal of `RISING` whose weight comes out negative is left out and the rest fitted again, so that an answer more
    like the question is never held less probable. Deterministic.
    """
    names = _usable(observations, source)
    right = np.array([observation.right for observation in observations])
    while names:
        values = _matrix(observations, names)
        means, scales = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
        standardised = np.nan_to_num((values - means) / scales)
        fitted = LogisticRegression(C=STRENGTH, max_iter=1000).fit(standardised, right, counted_as)
        weights = fitted.coef_[0]
        falling = [
            name
            for name, weight in zip(names, weights, strict=True)
            if weight < 0 and _must_rise(name, source)
        ]
        if not falling:
            return ProbabilityModel(
                names=tuple(names),
                means=tuple(map(float, means)),
                scales=tuple(map(float, scales)),
                weights=tuple(map(float, weights)),
                bias=float(fitted.intercept_[0]),
            )
        names = [name for name in names if name not in falling]
    share = float(right.mean())
    return ProbabilityModel(names=(), means=(), scales=(), weights=(), bias=log(share / (1 - share)))


def halves(observations: Sequence[Observation]) -> tuple[list[Observation], list[Observation]]:
    """Return one half to fit on and one to certify on, told by a hash of the question's id: the same on every run.

    The order of the file plays no part, and a file that grows keeps its old questions where they were.
    """
    fit: list[Observation] = []
    certify: list[Observation] = []
    for observation in observations:
        odd = sha256(observation.id.encode("utf-8")).digest()[0] % 2
        (fit if odd else certify).append(observation)
    return fit, certify


def _usable(observations: Sequence[Observation], source: str) -> list[str]:
    """Return the signals of a source's model that most answers have and that are not the same everywhere."""
    names = SIGNALS[source]
    if source == FAQ_SOURCE and not any("faq.entry" in observation.signals for observation in observations):
        names += OF_SMALL_FAQ
    values = _matrix(observations, names)
    present = np.mean(np.isfinite(values), axis=0) >= LEAST_PRESENT
    return [
        name
        for name, column, enough in zip(names, values.T, present, strict=True)
        if enough and np.nanstd(column) > 1e-9
    ]


def _matrix(observations: Sequence[Observation], names: Sequence[str]) -> npt.NDArray[np.float64]:
    """Signals (observations, names); NaN where one is missing or no finite number."""
    rows = [[observation.signals.get(name, np.nan) for name in names] for observation in observations]
    values = np.array(rows, np.float64).reshape(len(observations), len(names))
    return np.where(np.isfinite(values), values, np.nan)


def _must_rise(name: str, source: str) -> bool:
    owner, _, last = name.rpartition(".")
    return last in RISING and owner in ("", source)
