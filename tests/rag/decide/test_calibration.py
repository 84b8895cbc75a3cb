"""A school's calibration stands beside its index; a damaged one is reported."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn

from rag.decide.calibration import (
    Calibration,
    calibration_file,
    load_calibration,
    remove_calibration,
    save_calibration,
)
from rag.decide.probability import ProbabilityModel, ProbabilityModels
from rag.errors import IndexUnusableError, SettingsError
from rag.ingest.build import build_index
from rag.types import FAQ_SOURCE


def test_it_comes_back_as_it_was(tmp_path: Path, calibration: Calibration) -> None:
    path = save_calibration(tmp_path, calibration)

    assert path == tmp_path / "calibration" / "covan.json"
    assert load_calibration(tmp_path, "covan") == calibration
    assert [file.name for file in path.parent.iterdir()] == ["covan.json"]


def test_each_preset_has_its_own(tmp_path: Path, calibration: Calibration) -> None:
    save_calibration(tmp_path, calibration)

    assert load_calibration(tmp_path, "chatcvht") is None
    assert load_calibration(tmp_path, "/elsewhere/covan.yml") == calibration


def test_it_survives_indexing_anew(school: Path, tmp_path: Path, calibration: Calibration) -> None:
    index = tmp_path / "index"
    build_index(school, index, EmbedderStandIn())
    save_calibration(index, calibration)
    (school / "documents" / "moi.md").write_text(
        "# Quy định mới\n\nĐiều 1. Áp dụng từ 2027.\n", encoding="utf-8"
    )

    build_index(school, index, EmbedderStandIn())

    assert load_calibration(index, "covan") == calibration


def test_removing_goes_back(tmp_path: Path, calibration: Calibration) -> None:
    save_calibration(tmp_path, calibration)

    assert remove_calibration(tmp_path, "covan")
    assert load_calibration(tmp_path, "covan") is None
    assert not remove_calibration(tmp_path, "covan")


@pytest.mark.parametrize("content", ["", "{", "{}", "[1]", '{"format": 2}'])
def test_a_damaged_file_is_told_with_what_to_do(
    tmp_path: Path, content: str, calibration: Calibration
) -> None:
    path = save_calibration(tmp_path, calibration)
    path.write_text(content, encoding="utf-8")

    with pytest.raises(IndexUnusableError, match=r"covan\.json.*covan calibrate"):
        load_calibration(tmp_path, "covan")


@pytest.mark.parametrize("wrong", [{"threshold": 1.5}, {"risk": 0}, {"threshold": "high"}])
def test_a_calibration_that_makes_no_sense_is_damaged(
    tmp_path: Path, wrong: dict[str, object], calibration: Calibration
) -> None:
    path = save_calibration(tmp_path, calibration)
    path.write_text(json.dumps(calibration.model_dump(mode="json") | wrong), encoding="utf-8")

    with pytest.raises(IndexUnusableError):
        load_calibration(tmp_path, "covan")


@pytest.mark.parametrize("name", ["../covan", "a/b", "", ".hidden"])
def test_a_preset_cannot_lead_outside_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="name"):
        calibration_file(tmp_path, name)


@pytest.mark.parametrize(
    ("topic", "threshold"), [("tuition", 0.6), ("housing", inf), ("study", 0.8), (None, 0.8)]
)
def test_the_threshold_of_a_topic(topic: str | None, threshold: float, calibration: Calibration) -> None:
    assert calibration.threshold_for(topic) == threshold


def test_nothing_certified_is_never_enough(calibration: Calibration) -> None:
    assert calibration.model_copy(update={"threshold": None}).threshold_for("study") == inf


def test_the_models_are_kept_with_the_threshold(tmp_path: Path, calibration: Calibration) -> None:
    """A release with other models leaves the certified threshold valid."""
    model = ProbabilityModel(names=("faq.margin",), means=(0.0,), scales=(1.0,), weights=(3.0,), bias=0.0)
    made_with = calibration.model_copy(update={"models": ProbabilityModels(by_source={FAQ_SOURCE: model})})
    save_calibration(tmp_path, made_with)

    assert load_calibration(tmp_path, "covan") == made_with
