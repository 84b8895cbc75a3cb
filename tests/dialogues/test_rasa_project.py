"""Rasa's own checks of the project: its data, its rules, its conversations."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from actions.dialogue_acts import SMALL_TALK
from covan import rasa
from covan.classifier_fit import trained_topics
from covan.domain import read_domain
from covan.project import ROOT
from covan.rasa_model import ensure_model
from rag.settings import Settings
from school.intents import GENERAL_INTENTS
from vietnamese.small_talk import SmallTalk

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def model() -> Path:
    return ensure_model()


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        rasa.command(*arguments),
        cwd=ROOT,
        env=rasa.environment(Settings()),
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_conversation_goes_as_written(model: Path, tmp_path: Path) -> None:
    done = run(
        *("test", "core", "--model", str(model), "--stories", str(HERE / "stories")),
        *("--out", str(tmp_path), "--no-plot", "--fail-on-prediction-errors"),
    )

    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((tmp_path / "story_report.json").read_text(encoding="utf-8"))
    assert report["conversation_accuracy"]["total"] >= 7
    assert report["conversation_accuracy"]["accuracy"] == 1.0


def test_every_response_is_said_somewhere_and_everything_said_is_a_response() -> None:
    """Rasa only warns of responses that no rule names; ours are mostly named by actions and the front door."""
    domain = read_domain()
    sources = [
        ROOT / "data" / "rules.yml",
        *(ROOT / "actions").glob("*.py"),
        *(ROOT / "server").glob("*.py"),
        *(ROOT / "channels").rglob("*.py"),
    ]
    said = {name for path in sources for name in re.findall(r"\butter_\w+", path.read_text(encoding="utf-8"))}
    said = said - {"utter_message"} | {"utter_default"}
    # Small talk is replied to by the name of its kind or intent.
    said |= {f"utter_{name}" for name in (*(kind.value for kind in SmallTalk), *SMALL_TALK)}

    assert set(domain["responses"]) == said


def test_general_intents_are_those_of_the_domain() -> None:
    assert {*GENERAL_INTENTS, "hand_over", "erase_all"} == set(read_domain()["intents"])


def test_every_topic_of_the_sample_school_has_an_intent(model: Path) -> None:
    topics = yaml.safe_load((ROOT / "knowledge" / "topics.yml").read_text(encoding="utf-8"))

    assert trained_topics(model) == {topic["id"] for topic in topics}


@pytest.mark.usefixtures("model")
def test_rasa_works_by_hand_with_the_environment_file() -> None:
    """docs/development.md describes it: the environment file, and Rasa's command line. The data are valid."""
    script = ". .covan/rasa.env && server/.venv/bin/rasa data validate --fail-on-warnings"

    done = subprocess.run(
        ["env", "-i", "PATH=/usr/bin:/bin", "sh", "-ac", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
