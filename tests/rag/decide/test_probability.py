"""The probability of a right answer for usual, missing and absurd evidence, and the file of its model."""

from __future__ import annotations

from math import exp, inf, nan
from pathlib import Path

import pytest
from pydantic import ValidationError

from rag.decide import probability
from rag.decide.probability import (
    ProbabilityModel,
    ProbabilityModels,
    preset_name,
    read_models,
    shipped_models,
)
from rag.errors import SettingsError
from rag.json_file import write_json
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE

MODEL = ProbabilityModel(
    names=("faq.similarity", "faq.margin"), means=(0.5, 0.1), scales=(0.2, 0.1), weights=(2.0, 0.5), bias=0.4
)
MODELS = ProbabilityModels(by_source={FAQ_SOURCE: MODEL})


def test_it_is_the_logistic_of_the_weighed_signals() -> None:
    p = MODEL.probability({"faq.similarity": 0.6, "faq.margin": 0.0})

    assert p == pytest.approx(1 / (1 + exp(-(0.4 + 2.0 * 0.5 + 0.5 * -1))), abs=1e-6)


@pytest.mark.parametrize("nothing", [{}, {"faq.similarity": nan}, {"faq.similarity": inf, "other": 3.0}])
def test_a_signal_that_is_missing_or_no_number_says_nothing(nothing: dict[str, float]) -> None:
    assert MODEL.probability(nothing) == MODEL.probability({"faq.similarity": 0.5, "faq.margin": 0.1})


def test_more_similarity_is_never_less_probable() -> None:
    values = [MODEL.probability({"faq.similarity": step / 20, "faq.margin": 0.3}) for step in range(-20, 40)]

    assert values == sorted(values)
    assert values[0] < values[-1]


def test_evidence_beyond_all_experience_counts_no_more_than_the_farthest_seen() -> None:
    far = MODEL.probability({"faq.similarity": 1e300, "faq.margin": -1e300})

    assert far == MODEL.probability({"faq.similarity": 0.5 + 4 * 0.2, "faq.margin": 0.1 - 4 * 0.1})


@pytest.mark.parametrize("bias", [-1e6, 1e6])
def test_nothing_is_ever_certain(bias: float) -> None:
    sure = ProbabilityModel(names=(), means=(), scales=(), weights=(), bias=bias)

    assert 0 < sure.probability({}) < 1


def test_the_signal_that_speaks_most_against_an_answer() -> None:
    assert MODELS.weakest(FAQ_SOURCE, {"faq.similarity": 0.4, "faq.margin": -0.3}) == "faq.margin"
    assert MODELS.weakest(FAQ_SOURCE, {"faq.similarity": 0.1, "faq.margin": 0.0}) == "faq.similarity"
    assert MODELS.weakest(FAQ_SOURCE, {"faq.similarity": 0.9}) is None
    assert MODELS.weakest(DOCUMENT_SOURCE, {"faq.similarity": 0.1}) is None


@pytest.mark.parametrize(("confidence", "expected"), [(0.7, 0.7), (1.5, 1.0), (-0.1, 0.0), (nan, 0.0)])
def test_a_tier_without_a_model_goes_by_its_confidence(confidence: float, expected: float) -> None:
    assert MODELS.probability(DOCUMENT_SOURCE, {"faq.similarity": 0.9}, confidence) == expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"means": (0.5,)},
        {"scales": (0.2, 0.0)},
        {"names": ("faq.margin", "faq.margin")},
        {"weights": (nan, 1.0)},
        {"more": 1},
    ],
)
def test_a_model_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ProbabilityModel.model_validate(MODEL.model_dump() | wrong)


def test_models_come_back_from_their_file_as_they_were(tmp_path: Path) -> None:
    write_json(tmp_path / "new" / "models.json", MODELS)

    assert read_models(tmp_path / "new" / "models.json") == MODELS


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"by_source": {"faq": {}}}', '{"by_source": {"moon": {}}}']
)
def test_a_damaged_file_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "models.json"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(SettingsError, match=r"models\.json"):
        read_models(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.json"):
        read_models(tmp_path / "none.json")


def test_a_preset_without_shipped_models_has_none() -> None:
    assert shipped_models("/etc/covan/a-preset-of-our-own.yml") == ProbabilityModels()


def test_every_shipped_model_can_be_read_and_belongs_to_a_preset() -> None:
    presets = {path.stem for path in (probability.MODELS.parent.parent / "presets").glob("*.yml")}
    for path in probability.MODELS.glob("*.json"):
        assert read_models(path).by_source
        assert path.stem in presets


def test_a_preset_is_called_by_its_name_or_that_of_its_file() -> None:
    assert preset_name("covan") == "covan"
    assert preset_name("/etc/covan/own.yml") == "own"
