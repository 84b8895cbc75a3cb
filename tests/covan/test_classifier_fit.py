"""The classifier and the knowledge are told apart where they do not fit."""

from __future__ import annotations

import io
import json
import os
import tarfile
from pathlib import Path

import pytest

from covan.classifier_fit import newest_model, trained_topics, untrained_topics

TOPICS = "- {id: study, name: Học vụ}\n- {id: parking, name: Gửi xe}\n"


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


def model(models: Path, name: str, *intents: object) -> Path:
    data = json.dumps({"domain": {"intents": intents}}).encode()
    with tarfile.open(models / name, "w:gz") as archive:
        member = tarfile.TarInfo("metadata.json")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return models / name


def test_a_model_knows_the_topics_of_its_intents(models: Path) -> None:
    trained = model(
        models, "a.tar.gz", "ask_study", {"ask_fees": {"use_entities": []}}, "ask_advisor", "greet"
    )

    assert trained_topics(trained) == {"study", "fees"}


def test_a_topic_that_the_model_does_not_know_is_told_with_its_line(models: Path, tmp_path: Path) -> None:
    (tmp_path / "topics.yml").write_text(TOPICS, encoding="utf-8")
    old = model(models, "old.tar.gz", "ask_study", "ask_parking")
    os.utime(old, (0, 0))
    assert newest_model(models) == old
    model(models, "new.tar.gz", "ask_study")

    [problem] = untrained_topics(tmp_path, models)

    assert (problem.file, problem.line) == ("topics.yml", 2)
    assert problem.message == "the trained classifier does not know the topic 'parking'; run: covan train"


def test_before_the_first_training_nothing_is_told(models: Path, tmp_path: Path) -> None:
    (tmp_path / "topics.yml").write_text(TOPICS, encoding="utf-8")

    assert untrained_topics(tmp_path, models) == []
