"""`covan new`: an empty knowledge folder that indexes and answers its one example question."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from console.versions import Versions
from covan.training_data import rasa_files
from covan.training_data.examples import all_examples
from covan.training_data.templates import read_templates
from covan.training_data.variants import Variants, read_rules
from rag.ingest.load import load_knowledge

LANGUAGES = ("vi", "en")
QUESTION, ANSWER = "Thư viện mở cửa đến mấy giờ?", "Thư viện mở cửa đến 20 giờ"


def covan(language: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "covan", *map(str, arguments)],
        env=os.environ | {"COVAN_LOCALE": language},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(tmp_path: Path, language: str) -> Path:
    made = covan(language, "new", tmp_path / "school")
    assert made.returncode == 0, made.stderr
    assert "COVAN_KNOWLEDGE_DIR" in made.stdout
    return tmp_path / "school"


def test_only_what_must_be_replaced_is_told(folder: Path) -> None:
    knowledge = load_knowledge(folder)

    assert {(warning.file, warning.message.partition(" is ")[2][:10]) for warning in knowledge.warnings} == {
        ("catalog.yml", "an example")
    }
    assert knowledge.catalog.counselling


def test_its_versions_begin_with_it(folder: Path) -> None:
    versions = Versions(folder)

    assert versions.are_kept
    assert [version.author for version in versions.page()] == ["Covan"]
    assert versions.uncommitted(".") == []


@pytest.mark.e5
def test_it_indexes_and_answers_its_example_question(folder: Path, language: str, tmp_path: Path) -> None:
    indexed = covan(language, "index", folder, "--out", tmp_path / "index")
    asked = covan(language, "ask", QUESTION, "--index", tmp_path / "index")

    assert indexed.returncode == 0, indexed.stderr
    assert ANSWER in asked.stdout, asked.stderr


def test_its_topic_brings_an_intent_and_a_rule(folder: Path) -> None:
    knowledge = load_knowledge(folder)
    found = all_examples({}, knowledge, read_templates(), Variants(read_rules()))

    assert found.topic_intents == ["ask_library"]
    assert "ask_library" in rasa_files.domain_yaml(found.topic_intents, knowledge.catalog.dimension_ids)
    assert "ask_library" in rasa_files.rules_yaml(found.topic_intents)


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")

    refused = covan("en", "new", tmp_path)

    assert refused.returncode == 2
    assert "is not empty" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
