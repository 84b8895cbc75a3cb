"""The gate: whether the best of what a source found may be said, and if not, why not.

Every kind of gate is a small class behind `Gate`, registered by name (`rag.registry`) and made from
the rule of that name in a preset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import ClassVar, Literal, Protocol

from pydantic import Field

from rag.decide.calibration import Calibration
from rag.decide.probability import ProbabilityModels
from rag.pipeline import Rule
from rag.registry import registered
from rag.types import Candidate, Passage, Reason
from school.topics import topic_probability

COSINE_FLOOR, COSINE_CEILING = 0.80, 0.92
"""Cosines of E5 between a question and a passage live between these: unrelated and the very words."""

_ROUNDING = 1e-6
"""Cosines are float32: what is exactly at the boundary may be this much below it."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What a gate sees of the best candidate of its source.

    `similarity` in 0..1: how like the question it is. `margin` in 0..1: how far ahead of the next one that would say
    something else. `topic` in 0..1: the probability that the question is about the candidate's topic; 1 when the
    classifier does not know that topic. `cosine`: that of question and candidate. `likeness` in 0..1: how like anything
    published the question is. `lead` in 0..1: how far ahead of the next one, even if it says the same. `about`: the
    candidate's topic. `every`: all signals of all sources by the names they have in the trace ("faq.dice"), for a gate
    that weighs more than these.
    """

    similarity: float
    margin: float
    topic: float
    cosine: float = 0.0
    likeness: float = 1.0
    lead: float = 1.0
    about: str | None = None
    every: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`failed`: the conditions that do not hold; none when the gate is open. `confidence` in 0..1 is the reply's."""

    failed: tuple[Reason, ...]
    confidence: float

    @property
    def is_open(self) -> bool:
        return not self.failed

    def shut(self) -> Verdict:
        """The same for what something more probable stands before."""
        return Verdict(self.failed or (Reason.CONFIDENCE_LOW,), self.confidence)


class Gate(Protocol):
    """Judges the best candidate of an answer source.

    The class is called with the rule of the preset, the source's name, and what the school has chosen; `rule_type` is
    what it wants the rule to be.
    """

    rule_type: ClassVar[type[Rule]]

    @property
    def thresholds(self) -> Mapping[str, float]:
        """The numbers it goes by, for the trace."""
        ...

    def judge(self, signals: Signals) -> Verdict: ...


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a calibrated gate goes by: the models of probability, and the school's own choice of risk if it made one."""

    models: ProbabilityModels = field(default_factory=ProbabilityModels)
    calibration: Calibration | None = None


def gate_of(rule: Rule, source: str, chosen: Chosen) -> Gate:
    """Return the gate that a preset describes for an answer source. Raises SettingsError when nobody knows its name."""
    gate: Gate = registered("gates", rule.rule)(rule, source, chosen)
    return gate


class Thresholds(Rule):
    """Three conditions; `sure` is the similarity at which margin and topic are not asked for, if there is one."""

    rule: Literal["thresholds"] = "thresholds"
    similarity: float = Field(ge=0, le=1)
    margin: float = Field(ge=0, le=1)
    topic: float = Field(ge=0, le=1)
    sure: float | None = Field(default=None, ge=0, le=1)


class ThresholdsGate:
    """Open when similarity, margin and topic all hold (the rule of ChatCVHT)."""

    rule_type = Thresholds

    def __init__(self, rule: Thresholds, source: str, chosen: Chosen) -> None:
        del source, chosen  # its numbers stand in the preset
        self._rule = rule
        numbers = rule.model_dump(exclude={"rule"}, exclude_none=True)
        self.thresholds: Mapping[str, float] = {name: float(value) for name, value in numbers.items()}

    def judge(self, signals: Signals) -> Verdict:
        return Verdict(failures(signals, self._rule), signals.similarity)


class CosineRule(Rule):
    """The cosine of question and candidate is `at_least` so much, the boundary included."""

    rule: Literal["cosine"]
    at_least: float = Field(ge=-1, le=1)


class CosineGate:
    """Open from a cosine on (the rule of URAG)."""

    rule_type = CosineRule

    def __init__(self, rule: CosineRule, source: str, chosen: Chosen) -> None:
        del source, chosen  # its number stands in the preset
        self._at_least = rule.at_least
        self.thresholds: Mapping[str, float] = {"at_least": rule.at_least}

    def judge(self, signals: Signals) -> Verdict:
        near = signals.cosine >= self._at_least - _ROUNDING
        return Verdict(() if near else (Reason.SIMILARITY_LOW,), min(max(signals.cosine, 0.0), 1.0))


class CalibratedRule(Rule):
    """Like something published at all, and right with a probability above a threshold.

    `likeness` in 0..1 keeps out what the school has not written about. `probability` is the threshold for as long as
    the school has not chosen a risk by `covan calibrate`. When another candidate is nearer than `margin`, or the
    question is about the candidate's topic with a probability below `topic`, it must be right with the probability
    `sure`.
    """

    rule: Literal["calibrated"]
    likeness: float = Field(default=0.0, ge=0, le=1)
    margin: float = Field(default=0.0, ge=0, le=1)
    topic: float = Field(default=0.0, ge=0, le=1)
    sure: float = Field(default=1.0, ge=0, le=1)
    probability: float = Field(ge=0, le=1)


class CalibratedGate:
    """Open when the question is like something published, and the answer right with enough probability."""

    rule_type = CalibratedRule

    def __init__(self, rule: CalibratedRule, source: str, chosen: Chosen) -> None:
        self._rule = rule
        self._tier = source
        self._calibration = chosen.calibration
        self._models = chosen.calibration.models if chosen.calibration else chosen.models
        self.thresholds: Mapping[str, float] = {
            "likeness": rule.likeness,
            "margin": rule.margin,
            "topic": rule.topic,
            "probability": self._threshold(None),
        }

    def judge(self, signals: Signals) -> Verdict:
        probability = self._models.probability(self._tier, signals.every, signals.similarity)
        failed = []
        if signals.likeness < self._rule.likeness:
            failed.append(Reason.SIMILARITY_LOW)
        if signals.margin < self._rule.margin and probability < self._rule.sure:
            failed.append(Reason.MARGIN_LOW)
        if signals.topic < self._rule.topic and probability < self._rule.sure:
            failed.append(Reason.TOPIC_MISMATCH)
        # Strictly above: the threshold is the probability of the first labelled question that was left out.
        if probability <= self._threshold(signals.about):
            failed.append(Reason.CONFIDENCE_LOW)
        return Verdict(tuple(failed), probability)

    def _threshold(self, topic: str | None) -> float:
        own = self._calibration
        return self._rule.probability if own is None else own.threshold_for(topic)


class OpenRule(Rule):
    """No condition: whatever was found is said. For systems that leave it to a language model to decline."""

    rule: Literal["open"]


class OpenGate:
    """Always open."""

    rule_type = OpenRule

    def __init__(self, rule: OpenRule, source: str, chosen: Chosen) -> None:
        del rule, source, chosen  # it has no condition

    thresholds: Mapping[str, float] = {}

    def judge(self, signals: Signals) -> Verdict:
        return Verdict((), signals.similarity)


def failures(signals: Signals, thresholds: Thresholds) -> tuple[Reason, ...]:
    """The conditions that do not hold, in the order similarity, margin, topic; none when the gate is open.

    From the similarity `sure` on, the candidate is practically what was asked, and only similarity counts.
    """
    if signals.similarity < thresholds.similarity:
        return (Reason.SIMILARITY_LOW,)
    if thresholds.sure is not None and signals.similarity >= thresholds.sure:
        return ()
    failed = []
    if signals.margin < thresholds.margin:
        failed.append(Reason.MARGIN_LOW)
    if signals.topic < thresholds.topic:
        failed.append(Reason.TOPIC_MISMATCH)
    return tuple(failed)


def faq_signals(best: Candidate, rivals: Sequence[Candidate], topics: Mapping[str, float]) -> Signals:
    """Signals of the best FAQ entry; `rivals` are the entries that would answer something else, best first."""
    margin = best.score - rivals[0].score if rivals else 1.0
    similarity = best.scores.get("similarity", best.score)
    return Signals(
        similarity,
        max(margin, 0.0),
        topic_probability(topics, best.item.topic),
        best.scores.get("cosine", 0.0),
        likeness=similarity,
        about=best.item.topic,
    )


def passage_signals(candidates: Sequence[Candidate], topics: Mapping[str, float]) -> Signals:
    """Signals of the best passage, the first of `candidates`; clauses of the same article are no rivals."""
    best = candidates[0]
    rivals = (c for c in candidates[1:] if _parent(c) != _parent(best))
    margin = best.score - next((rival.score for rival in rivals), 0.0)
    similarity = 0.5 * best.scores["coverage"] + 0.5 * _scaled(best.scores["cosine"])
    nearest = max(candidate.scores["cosine"] for candidate in candidates)
    words = max(candidate.scores.get("bigrams", 0.0) for candidate in candidates)
    return Signals(
        similarity,
        max(margin, 0.0),
        topic_probability(topics, best.item.topic),
        best.scores["cosine"],
        lead=best.score - candidates[1].score if len(candidates) > 1 else 1.0,
        likeness=_MEANING * _scaled(nearest) + (1 - _MEANING) * words,
        about=best.item.topic,
    )


_MEANING = 0.7
"""What the embedder's word counts for likeness; the rest is the pairs of words that some passage shares."""


def _scaled(cosine: float) -> float:
    return min(max((cosine - COSINE_FLOOR) / (COSINE_CEILING - COSINE_FLOOR), 0.0), 1.0)


def named(source: str, signals: Signals, best: Candidate) -> dict[str, float]:
    """All that is known of the best candidate of a source, by the names that the trace gives it."""
    seen = {name: value for name, value in asdict(signals).items() if name not in ("every", "about")}
    return {
        f"{source}.{name}": value
        for name, value in ({"score": best.score} | dict(best.scores) | seen).items()
    }


def _parent(candidate: Candidate) -> str:
    assert isinstance(candidate.item, Passage)
    return candidate.item.parent
