"""The report of a calibration names the choice in every case, and runs no text that a student typed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from observations import observation, school

from covan.calibrating.choose import Choice, choose
from covan.calibrating.fit import fit_models, halves
from covan.calibrating.observe import Observation, read_observations
from covan.calibrating.options import calibration_of
from covan.calibrating.reliability import reliability
from covan.calibrating.report import write_report
from rag.decide.probability import ProbabilityModels
from rag.errors import QuestionsError
from rag.types import Reason

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


def written(folder: Path, observations: Sequence[Observation], choice: Choice) -> str:
    calibration = calibration_of(choice, "covan", "v1", datetime(2026, 11, 20, tzinfo=UTC))
    return write_report(folder, choice, calibration, observations, "q.csv").read_text(encoding="utf-8")


def chosen(observations: Sequence[Observation], *, by_topic: bool = False) -> Choice:
    return choose(observations, ProbabilityModels(), 0.1, 0.1, by_topic=by_topic)


def test_it_says_what_was_chosen(tmp_path: Path) -> None:
    answers = school(600)
    choice = chosen(answers)

    page = written(tmp_path, answers, choice)

    assert f"({choice.wrong} of {choice.answered})" in page
    assert "asked for: 10%" in page
    assert "never answers" not in page
    assert page.count("<circle") == 10


def test_what_was_fitted_on_is_told_apart(tmp_path: Path) -> None:
    answers = school(600)
    learnt_from, kept = halves(answers)
    choice = choose(kept, fit_models(learnt_from), 0.1, 0.1, fitted_on=len(learnt_from))

    page = written(tmp_path, answers, choice)

    assert f"besides {choice.fitted_on} that the probabilities were fitted on" in page
    assert "confidence_low: document.likeness" in page


def test_nothing_certified_and_nothing_to_answer_have_their_page_too(tmp_path: Path) -> None:
    silent = [observation(n, source=None, right=False, reasons=(Reason.NOTHING_FOUND,)) for n in range(5)]

    page = written(tmp_path, silent, chosen(silent))

    assert "never answers" in page
    assert "nothing_found" in page
    assert "There is nothing to answer with" in page


def test_topics_with_their_own_threshold_are_marked(tmp_path: Path) -> None:
    answers = [o.model_copy(update={"topic": "easy" if n % 2 else None}) for n, o in enumerate(school(800))]

    page = written(tmp_path, answers, chosen(answers, by_topic=True))

    assert "its own" in page
    assert "in every group at once" in page


@pytest.mark.parametrize("where", ["question", "answer", "cited_at", "expected", "id", "topic"])
def test_what_was_typed_is_shown_and_never_run(tmp_path: Path, where: str) -> None:
    answers = [*school(100), observation(1000, right=False, confidence=0.99, **{where: HOSTILE})]

    page = written(tmp_path, answers, chosen(answers))

    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "<img" not in page


def test_programs_read_the_same(tmp_path: Path) -> None:
    answers = school(600)
    choice = chosen(answers)
    written(tmp_path, answers, choice)

    record = json.loads((tmp_path / "calibration-covan.json").read_text(encoding="utf-8"))
    lines = (tmp_path / "answers-covan.jsonl").read_text(encoding="utf-8").splitlines()

    assert record["coverage"] == choice.coverage
    assert record["common"]["threshold"] == choice.common.threshold
    assert record["risk_coverage"][-1] == [1.0, sum(not o.right for o in answers) / 600]
    assert len(lines) == 600
    assert json.loads(lines[0]).keys() == {"probability", "right"}
    assert read_observations([tmp_path / "observations-covan.jsonl"]) == answers


def test_lines_that_are_no_observations_are_named_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    path.write_text(school(1)[0].model_dump_json() + '\n{"id": 3}\nnot json\n', encoding="utf-8")

    with pytest.raises(QuestionsError, match=r"(?s)o\.jsonl:2: .*o\.jsonl:3: "):
        read_observations([path])
    with pytest.raises(QuestionsError, match=r"none\.jsonl: cannot be read"):
        read_observations([tmp_path / "none.jsonl"])


def test_reliability_has_equally_many_answers_in_each_bin() -> None:
    bins = reliability((n / 95, n % 5 > 0) for n in range(95))

    assert [part.count for part in bins] == [11, 11, 11, 11, 11, 10, 10, 10, 10]
    assert [part.probability for part in bins] == sorted(part.probability for part in bins)
    assert all(part.low <= part.right <= part.high for part in bins)
    assert reliability([]) == []
