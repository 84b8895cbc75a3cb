"""Gates: a gate decides whether the best candidate of a source may be the answer, and gives the reasons.

Every kind of gate is a class behind `Gate`, registered by name (`rag.registry`) and made from the rule of that name in
a preset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import compress
from typing import ClassVar, Literal, Protocol

from pydantic import Field

from rag.decide.calibration import Calibration
from rag.decide.probability import ProbabilityModels
from rag.pipeline import Rule
from rag.registry import registered
from rag.types import CALCULATOR_SOURCE, FAQ_SOURCE, GRAPH_SOURCE, STUDY_SOURCE, Candidate, Passage, Reason
from school.topics import topic_probability

COSINE_FLOOR, COSINE_CEILING = 0.80, 0.92
"""The range of E5's cosines between a question and a passage, from unrelated texts to the same words."""

_ROUNDING = 1e-6
"""Tolerance for float32: a cosine exactly at the boundary may be computed this much below it."""


@dataclass(frozen=True, slots=True)
class Signals:
    """The signals of a source's best candidate; numbers but `cosine` are in 0..1.

    `similarity`: of question and candidate. `margin`: the lead over the best rival. `topic`: the probability that the
    question is about the candidate's topic; 1 when the classifier lacks that topic. `cosine`: of question and
    candidate. `likeness`: similarity of the question to anything published. `lead`: the lead over the next candidate,
    rival or not. `about`: the candidate's topic. `every`: all signals of all sources by their names in the trace
    ("faq.dice").
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
    """A gate's judgement. `failed`: conditions that do not hold, empty when open; `confidence` (0..1) of the reply."""

    failed: tuple[Reason, ...]
    confidence: float

    @property
    def is_open(self) -> bool:
        return not self.failed

    def shut(self) -> Verdict:
        """Return the verdict for a source behind a more probable one: never open."""
        return Verdict(self.failed or (Reason.CONFIDENCE_LOW,), self.confidence)


class Gate(Protocol):
    """Judges the best candidate of an answer source.

    The class is called with the rule of the preset, the source's name, and the school's choices; `rule_type` is the
    class of its rule.
    """

    rule_type: ClassVar[type[Rule]]

    @property
    def thresholds(self) -> Mapping[str, float]:
        """The thresholds by name, for the trace."""
        ...

    def judge(self, signals: Signals) -> Verdict: ...


@dataclass(frozen=True, slots=True)
class Chosen:
    """The models of probability, and the school's calibration if it made one."""

    models: ProbabilityModels = field(default_factory=ProbabilityModels)
    calibration: Calibration | None = None


def gate_of(rule: Rule, source: str, chosen: Chosen) -> Gate:
    """Return the gate that a preset describes for an answer source. Raises SettingsError for an unknown name."""
    gate: Gate = registered("gates", rule.rule)(rule, source, chosen)
    return gate


class Thresholds(Rule):
    """Three conditions; from the similarity `sure` on (None: never), margin and topic are not required."""

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
        self.thresholds: Mapping[str, float] = rule.model_dump(exclude={"rule"}, exclude_none=True)

    def judge(self, signals: Signals) -> Verdict:
        return Verdict(failures(signals, self._rule), signals.similarity)


class CosineRule(Rule):
    """The cosine of question and candidate must be `at_least` this, the boundary included."""

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
    """The question must be like something published, and the answer right with a probability above a threshold.

    `likeness` in 0..1 keeps out matters that the school has not written about. `probability` is the threshold until
    the school chooses a risk by `covan calibrate`. A candidate with a lead below `margin`, or with a topic less
    probable than `topic`, must be right with the probability `sure`.
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
        doubtful = probability < self._rule.sure
        conditions = {
            Reason.SIMILARITY_LOW: signals.likeness < self._rule.likeness,
            Reason.MARGIN_LOW: doubtful and signals.margin < self._rule.margin,
            Reason.TOPIC_MISMATCH: doubtful and signals.topic < self._rule.topic,
            # Strictly above: the threshold is the probability of the first labelled question that was left out.
            Reason.CONFIDENCE_LOW: probability <= self._threshold(signals.about),
        }
        return Verdict(tuple(reason for reason, fails in conditions.items() if fails), probability)

    def _threshold(self, topic: str | None) -> float:
        own = self._calibration
        return self._rule.probability if own is None else own.threshold_for(topic)


class ComputedRule(Rule):
    """The least `probability` that a calculator's matter is that of the question."""

    sources: ClassVar[frozenset[str] | None] = frozenset({CALCULATOR_SOURCE})
    rule: Literal["computed"]
    probability: float = Field(ge=0, le=1)


_UNUSED = 0.85
"""The factor for each value of the question that a calculator does not use: another rule may be asked about."""


_SEVERAL, _FITTED = 2, 0.6
"""So many values of the question that a calculator uses, with none left over, take this share of the doubt away."""

_LED = 0.8
"""The share of the doubt that a full lead over the other calculators takes away."""


class ComputedGate:
    """Open when a calculator is about the matter of the question: by its own examples, or as the entry it follows is.

    An entry that answers the question with some probability passes it on to the calculators that follow it. Shut when a
    value with a unit is left over ("giữa kỳ 30%"): a result without it would be the answer to another question.
    """

    rule_type = ComputedRule

    def __init__(self, rule: ComputedRule, source: str, chosen: Chosen) -> None:
        self._least = rule.probability
        self._source = source
        self._models = chosen.calibration.models if chosen.calibration else chosen.models
        self._shipped = chosen.models
        self.thresholds: Mapping[str, float] = {"probability": rule.probability}

    def judge(self, signals: Signals) -> Verdict:
        followed = signals.every.get(f"{self._source}.follows", 0.0)
        unused = signals.every.get(f"{self._source}.unused", 0.0)
        entry = self._models.probability(FAQ_SOURCE, signals.every, 0.0) if followed else 0.0
        models = self._models if self._source in self._models.by_source else self._shipped
        # Nothing but the words tells the matter, and a rule is near many questions in words: 0.6 is a doubtful one.
        own = signals.similarity**2
        own += (1 - own) * _LED * max(signals.every.get(f"{self._source}.ahead", 0.0), 0.0)
        own = models.probability(self._source, signals.every, own)
        if signals.every.get(f"{self._source}.used", 0.0) >= _SEVERAL and not unused:
            own += (1 - own) * _FITTED
        told = signals.every.get(f"{self._source}.told", 1.0)
        told *= not signals.every.get(f"{self._source}.left_over", 0.0)
        probability = told * max(own, followed * entry) * _UNUSED**unused
        return Verdict(() if probability > self._least else (Reason.CONFIDENCE_LOW,), probability)


ENTRY_FIRST = "entry_first"
"""The score of a path (0 or 1) that tells what an office's entry tells with more besides: a day, a fee, a telephone."""

STRUCTURAL = "structural"
"""The score of a path (0 or 1) that tells how the school is built up, which entries do not: majors of a programme."""

NAMED = "named"
"""The key of a path's `meta` with the folded names of the courses and persons that the message asks about by name."""


class LinkedRule(Rule):
    """The least `probability` that a message asks just what a path of the graph answers.

    An FAQ entry that is right with the probability `yields_to`, and needs nothing of the student, answers in place of a
    path with the score `ENTRY_FIRST`. With `last`, a path answers only what no entry, clause or calculation does,
    and goes on only with what a path has answered.
    """

    sources: ClassVar[frozenset[str] | None] = frozenset({GRAPH_SOURCE, STUDY_SOURCE})
    rule: Literal["linked"]
    probability: float = Field(ge=0, le=1)
    yields_to: float = Field(default=1.0, ge=0, le=1)
    last: bool = False


class LinkedGate:
    """Open when the entity is surely linked and the words of the message are explained (`rag.retrieve.graph`)."""

    rule_type = LinkedRule

    def __init__(self, rule: LinkedRule, source: str, chosen: Chosen) -> None:
        del source, chosen  # its number stands in the preset
        self._least = rule.probability
        self.thresholds: Mapping[str, float] = {"probability": rule.probability}

    def judge(self, signals: Signals) -> Verdict:
        probability = min(max(signals.similarity, 0.0), 1.0)
        return Verdict(() if probability > self._least else (Reason.CONFIDENCE_LOW,), probability)


class OpenRule(Rule):
    """No condition, for systems in which a language model declines to answer."""

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
    """Return the conditions that do not hold, in the order similarity, margin, topic; empty when the gate is open."""
    if signals.similarity < thresholds.similarity:
        return (Reason.SIMILARITY_LOW,)
    if thresholds.sure is not None and signals.similarity >= thresholds.sure:
        return ()
    low = signals.margin < thresholds.margin, signals.topic < thresholds.topic
    return tuple(compress((Reason.MARGIN_LOW, Reason.TOPIC_MISMATCH), low))


def faq_signals(
    best: Candidate, rivals: Sequence[Candidate], topics: Mapping[str, float], rival_topic: float = 0.0
) -> Signals:
    """Return the signals of the best FAQ entry; `rivals` are the entries with another answer, best first.

    A rival whose topic has a lower probability than `rival_topic` does not count.
    """
    likely = [rival for rival in rivals if topic_probability(topics, rival.item.topic) >= rival_topic]
    margin = best.score - likely[0].score if likely else 1.0
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
    """Return the signals of the first of `candidates`, the best passage; clauses of its article are no rivals."""
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
"""The weight of the nearest cosine in `likeness`; the rest is the share of word pairs that a passage has."""


def _scaled(cosine: float) -> float:
    return min(max((cosine - COSINE_FLOOR) / (COSINE_CEILING - COSINE_FLOOR), 0.0), 1.0)


def named(source: str, signals: Signals, best: Candidate) -> dict[str, float]:
    """Return all scores and signals of a source's best candidate, by their names in the trace."""
    seen = {name: value for name, value in asdict(signals).items() if name not in ("every", "about")}
    return {
        f"{source}.{name}": value
        for name, value in ({"score": best.score} | dict(best.scores) | seen).items()
    }


def _parent(candidate: Candidate) -> str:
    assert isinstance(candidate.item, Passage)
    return candidate.item.parent
