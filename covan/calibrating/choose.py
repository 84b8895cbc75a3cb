"""From observations to a calibration: probabilities, thresholds, and what they come to on the labelled questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from covan.calibrating.certify import ByTopic, Certificate, certify, certify_by_topic
from covan.calibrating.observe import Observation
from rag.decide.probability import ProbabilityModels
from vietnamese.text import fold, words


@dataclass(frozen=True, slots=True)
class Weighed:
    """An observation with the probability that its answer is right; 0 when there is no answer."""

    observation: Observation
    probability: float
    threshold: float | None

    @property
    def proposed(self) -> bool:
        return self.observation.source is not None

    @property
    def answered(self) -> bool:
        return self.proposed and self.threshold is not None and self.probability > self.threshold

    @property
    def wrong(self) -> bool:
        return self.proposed and not self.observation.right


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen thresholds for a risk and a confidence of 1 - delta, and the evidence.

    `weighed` are the questions that the thresholds were certified on; `fitted_on` other questions gave the models, 0
    when they are the shipped ones. `common` holds for the topics that are not in `by_topic`.
    """

    risk: float
    delta: float
    models: ProbabilityModels
    fitted_on: int
    weighed: tuple[Weighed, ...]
    common: Certificate
    by_topic: dict[str, Certificate]

    @property
    def answered(self) -> int:
        return sum(item.answered for item in self.weighed)

    @property
    def wrong(self) -> int:
        """Wrong answers among those given."""
        return sum(item.answered and item.wrong for item in self.weighed)

    @property
    def coverage(self) -> float:
        """The share of all questions that is answered."""
        return self.answered / len(self.weighed) if self.weighed else 0.0

    @property
    def error(self) -> float:
        """The share of wrong answers among those given, as measured."""
        return self.wrong / self.answered if self.answered else 0.0

    @property
    def certificates(self) -> tuple[Certificate, ...]:
        return (self.common, *self.by_topic.values())


def choose(
    observations: Sequence[Observation],
    models: ProbabilityModels,
    risk: float,
    delta: float,
    *,
    by_topic: bool = False,
    fitted_on: int = 0,
) -> Choice:
    """Return the lowest thresholds whose risk is at most `risk` with confidence 1 - `delta`.

    `models` must not have been fitted on any of these questions: a model looks better than it is on what it was
    fitted on. `fitted_on` is how many others of the school it was fitted on.
    """
    proposed = [observation for observation in observations if observation.source is not None]
    weights = [_probability(observation, models) for observation in proposed]
    probabilities = np.array(weights, np.float64)
    right = np.array([observation.right for observation in proposed], np.bool_)
    grouped = ByTopic({}, certify(probabilities, right, risk, delta))
    if by_topic:
        topics = [observation.topic for observation in proposed]
        grouped = certify_by_topic(probabilities, right, topics, risk, delta)

    def weighed(observation: Observation) -> Weighed:
        certificate = grouped.topics.get(observation.topic or "", grouped.others)
        return Weighed(observation, _probability(observation, models), certificate.threshold)

    return Choice(
        risk=risk,
        delta=delta,
        models=models,
        fitted_on=fitted_on,
        weighed=tuple(map(weighed, observations)),
        common=grouped.others,
        by_topic=dict(grouped.topics),
    )


def repeated(observations: Sequence[Observation]) -> int:
    """Return the number of questions with the words of an earlier one, diacritics aside.

    A question asked twice is one piece of evidence, not two: with many of them the confidence is less than stated.
    """
    said = Counter(" ".join(words(fold(observation.question))) for observation in observations)
    return sum(count - 1 for count in said.values())


def _probability(observation: Observation, models: ProbabilityModels) -> float:
    if observation.source is None:
        return 0.0
    return models.probability(observation.source, observation.signals, observation.confidence)
