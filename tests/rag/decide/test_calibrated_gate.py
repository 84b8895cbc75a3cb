"""The gate compares one probability with one threshold: the preset's, until a school chooses a risk."""

from __future__ import annotations

import pytest

from rag.decide.calibration import Calibration
from rag.decide.gate import CalibratedRule, Chosen, Signals, gate_of
from rag.decide.probability import ProbabilityModel, ProbabilityModels
from rag.types import FAQ_SOURCE, Reason

RULE = CalibratedRule(rule="calibrated", likeness=0.4, probability=0.5)


def failed(
    confidence: float, chosen: Chosen, likeness: float = 1.0, topic: str | None = None
) -> tuple[Reason, ...]:
    gate = gate_of(RULE, FAQ_SOURCE, chosen)
    return gate.judge(Signals(confidence, 1.0, 1.0, likeness=likeness, about=topic)).failed


@pytest.mark.parametrize(("confidence", "opens"), [(0.500001, True), (0.5, False), (0.49, False)])
def test_before_calibrating_the_presets_own_threshold_counts(confidence: float, *, opens: bool) -> None:
    assert failed(confidence, Chosen()) == (() if opens else (Reason.CONFIDENCE_LOW,))


@pytest.mark.parametrize(("confidence", "opens"), [(0.800001, True), (0.8, False), (0.799999, False)])
def test_then_only_what_is_above_the_chosen_threshold_is_answered(
    confidence: float, calibration: Calibration, *, opens: bool
) -> None:
    """The threshold is the probability of the surest labelled question that was left out."""
    assert (not failed(confidence, Chosen(calibration=calibration))) is opens


def test_a_topic_may_have_its_own(calibration: Calibration) -> None:
    chosen = Chosen(calibration=calibration)

    assert not failed(0.7, chosen, topic="tuition")
    assert failed(0.7, chosen, topic="study") == (Reason.CONFIDENCE_LOW,)


def test_nothing_certified_is_nothing_answered(calibration: Calibration) -> None:
    silent = calibration.model_copy(update={"threshold": None, "by_topic": {}})

    assert failed(1.0, Chosen(calibration=silent)) == (Reason.CONFIDENCE_LOW,)


def test_what_is_like_nothing_published_is_kept_out_however_probable() -> None:
    assert failed(0.99, Chosen(), likeness=0.39) == (Reason.SIMILARITY_LOW,)
    assert failed(0.99, Chosen(), likeness=0.4) == ()
    assert failed(0.1, Chosen(), likeness=0.1) == (Reason.SIMILARITY_LOW, Reason.CONFIDENCE_LOW)


def test_a_calibration_keeps_the_models_it_was_made_with(calibration: Calibration) -> None:
    """A release with other models leaves the certified threshold valid."""
    model = ProbabilityModel(names=("faq.margin",), means=(0.0,), scales=(1.0,), weights=(3.0,), bias=0.0)
    own = calibration.model_copy(update={"models": ProbabilityModels(by_source={FAQ_SOURCE: model})})
    shipped = ProbabilityModels(by_source={FAQ_SOURCE: model.model_copy(update={"bias": 5.0})})
    gate = gate_of(RULE, FAQ_SOURCE, Chosen(shipped, own))

    verdict = gate.judge(Signals(0.1, 0.7, 1.0, every={"faq.margin": 0.7}))

    assert verdict.confidence == model.probability({"faq.margin": 0.7})
