"""Rasa gets a school's training data, and a failed training changes nothing."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from command_line import SMALL_SCHOOL
from rich.console import Console

from covan import rasa
from covan.indexing import ensure_index
from covan.rasa_model import TrainingError, ensure_model
from covan.training_data.faq_questions import faq_questions
from covan.training_data.rasa_files import nlu_yaml
from covan.training_data.seeds import read_seeds, seed_files
from rag.settings import Settings
from rag.types import FaqEntry


def entry(number: int, topic: str, *wordings: str) -> FaqEntry:
    return FaqEntry(
        id=f"{topic}-{number}", question=wordings[0], variants=wordings[1:], answer="...", topic=topic
    )


FAQ = [
    entry(1, "tuition", "Học phí bao nhiêu?", "hp nhiu z", "hoc phi nam nay"),
    entry(2, "tuition", "Hạn đóng học phí?", "khi nao dong tien"),
    entry(1, "study", "Đăng ký môn ở đâu?", "hp nhiu z"),
    entry(1, "parking", "Gửi xe ở đâu?"),
]


def test_every_entry_gives_its_question_before_any_gives_a_variant() -> None:
    assert faq_questions(FAQ, per_topic=3)["ask_tuition"] == [
        "Học phí bao nhiêu?",
        "Hạn đóng học phí?",
        "hp nhiu z",
    ]


def test_no_wording_is_an_example_of_two_intents() -> None:
    found = faq_questions(FAQ, taken=["ĐĂNG KÝ MÔN Ở ĐÂU?"])

    assert found["ask_study"] == []
    assert "hp nhiu z" in found["ask_tuition"]


def test_every_topic_of_the_faq_has_an_intent() -> None:
    assert list(faq_questions(FAQ)) == ["ask_tuition", "ask_study", "ask_parking"]


def test_no_character_of_an_example_means_anything_to_rasa() -> None:
    odd = [entry(1, "study", "/restart [k47](cohort) {x}: - 'a' \"b\" #c", "- y: &z")]

    [block] = yaml.safe_load(nlu_yaml(faq_questions(odd)))["nlu"]
    assert [example["text"] for example in block["examples"]] == [
        "restart (k47)(cohort) (x): - 'a' \"b\" #c",
        "- y: &z",
    ]


def test_rasa_reads_the_examples_in_a_time_that_grows_with_their_number_alone() -> None:
    """Its reader compares a value that is not quoted with as many patterns as there were such values before."""
    values = [
        token for token in yaml.scan(nlu_yaml(faq_questions(FAQ))) if isinstance(token, yaml.ScalarToken)
    ]

    assert [token.value for token in values if token.plain] == ["version", "nlu"]


def test_seeds_are_read_as_they_are_written() -> None:
    written = read_seeds()
    lines = [line for path in seed_files() for line in path.read_text(encoding="utf-8").splitlines()]

    assert "cảm ơn" in written["thank"]
    assert sum(map(len, written.values())) == sum(line.strip().startswith("- ") for line in lines) - sum(
        line.strip().startswith("- intent:") for line in lines
    )


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """The small school in a state folder of its own, with a Rasa that fails."""
    folder = tmp_path_factory.mktemp("small")
    broken = folder / "python"
    broken.write_text("#!/bin/sh\necho 'the reason why'\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rasa, "PYTHON", broken)
        settings = Settings(knowledge_dir=SMALL_SCHOOL, state_dir=folder / "state")
        ensure_index(settings)
        yield settings


def fail_to_train(settings: Settings) -> None:
    with pytest.raises(TrainingError, match="the reason why"):
        ensure_model(settings, force=True, console=Console(file=io.StringIO()))


@pytest.mark.e5
def test_when_rasa_fails_the_model_before_stays_and_the_log_is_shown(small: Settings) -> None:
    before = rasa.models_dir(small) / "covan-before.tar.gz"
    before.parent.mkdir(parents=True)
    before.write_bytes(b"a model")

    fail_to_train(small)

    assert list(rasa.models_dir(small).glob("*.tar.gz")) == [before]
    assert before.read_bytes() == b"a model"


@pytest.mark.e5
def test_files_for_rasa_that_are_current_are_not_written_again(small: Settings) -> None:
    fail_to_train(small)
    written = {path: path.stat().st_mtime_ns for path in rasa.generated(small).iterdir()}

    fail_to_train(small)

    assert {path: path.stat().st_mtime_ns for path in rasa.generated(small).iterdir()} == written


TRAINS = """#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    --out) out="$2" ;;
    --fixed-model-name) name="$2" ;;
  esac
  shift
done
echo trained >> "$out/times"
echo "a model" > "$out/$name"
"""


@pytest.fixture
def trained(small: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The small school with a live model that has learnt something else, and a Rasa that trains at once."""
    python = tmp_path / "python"
    python.write_text(TRAINS, encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setattr(rasa, "PYTHON", python)
    settings = small.model_copy(update={"state_dir": tmp_path / "state"})
    shutil.copytree(small.index_dir, settings.index_dir)
    live = rasa.models_dir(settings) / "covan-live.tar.gz"
    live.parent.mkdir(parents=True)
    live.write_bytes(b"the live model")
    return settings


def quietly(settings: Settings, **options: bool) -> tuple[Path, str]:
    """Return the model of a training, and what was said."""
    said = io.StringIO()
    return ensure_model(settings, console=Console(file=said, width=200), **options), said.getvalue()


@pytest.mark.e5
def test_a_candidate_is_not_live_until_somebody_says_so(trained: Settings) -> None:
    live = rasa.models_dir(trained) / "covan-live.tar.gz"
    old = rasa.candidates_dir(trained) / "covan-older.tar.gz"
    old.parent.mkdir()
    old.write_bytes(b"an older candidate")

    candidate, _ = quietly(trained, candidate=True)

    assert list(rasa.candidates_dir(trained).glob("*.tar.gz")) == [candidate]
    assert list(rasa.models_dir(trained).glob("*.tar.gz")) == [live]
    assert "is current" in quietly(trained, candidate=True)[1]
    # A start leaves the live model in use.
    found, said = quietly(trained)
    assert found == live
    assert f"{candidate.name} waits in the console" in said
    assert list(rasa.models_dir(trained).glob("*.tar.gz")) == [live]

    forced, _ = quietly(trained, force=True)
    assert forced == rasa.models_dir(trained) / candidate.name
    # What the live model has learnt is no candidate.
    assert quietly(trained, candidate=True)[0] == forced
    assert list(rasa.candidates_dir(trained).glob("*.tar.gz")) == []


@pytest.mark.e5
def test_a_model_that_was_set_aside_does_not_go_live_by_itself(trained: Settings) -> None:
    live = rasa.models_dir(trained) / "covan-live.tar.gz"
    candidate, _ = quietly(trained, candidate=True)
    before = candidate.replace(rasa.models_dir(trained) / candidate.name)
    live.touch()
    rasa.set_aside_file(trained).write_text(before.name, encoding="utf-8")

    assert quietly(trained)[0] == live

    # It can be tried again, without another training.
    again, said = quietly(trained, candidate=True)
    assert again == candidate
    assert f"Trained before: {candidate.name}" in said
    assert again.read_bytes() == before.read_bytes()
