"""The risks that a person can choose from come to what `covan calibrate` makes of each."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from observations import observation, school

from covan.calibrating.choose import choose
from covan.calibrating.observe import Observation, write_observations
from covan.calibrating.options import DELTA, RISKS, Options
from rag.decide.probability import shipped_models

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def written(folder: Path, observations: list[Observation]) -> Path:
    write_observations(folder / "seen.jsonl", observations)
    return folder / "seen.jsonl"


def test_each_option_is_the_choice_of_the_command(tmp_path: Path) -> None:
    seen = school(600)
    options = Options("covan", lambda: NOW)

    found = options.measured(written(tmp_path, seen))

    assert found["questions"] == 600
    for option in found["options"]:
        choice = choose(seen, shipped_models("covan"), option["risk"], DELTA)
        assert option == {
            "risk": choice.risk,
            "threshold": choice.common.threshold,
            "coverage": choice.coverage,
            "error": choice.error,
            "answered": choice.answered,
            "wrong": choice.wrong,
        }
    option = found["options"][-1]
    made = options.calibration(tmp_path / "seen.jsonl", option["risk"], "v1")
    assert (made.preset, made.index_version, made.made_at, made.risk, made.delta) == (
        "covan",
        "v1",
        NOW,
        option["risk"],
        DELTA,
    )
    assert (made.threshold, made.counts.answered) == (option["threshold"], option["answered"])


def test_the_options_end_where_all_is_answered(tmp_path: Path) -> None:
    right = [observation(number, source="other", confidence=0.5 + number / 1_000) for number in range(400)]

    options = Options("covan").measured(written(tmp_path, right))["options"]

    assert [option["risk"] for option in options] == list(RISKS[: len(options)])
    assert len(options) < len(RISKS)
    assert options[-1]["coverage"] == 1
    assert all(option["coverage"] < 1 for option in options[:-1])


@pytest.mark.parametrize("count", [0, 3])
def test_too_few_questions_vouch_for_nothing(tmp_path: Path, count: int) -> None:
    few = [observation(number) for number in range(count)]

    found = Options("covan").measured(written(tmp_path, few))

    assert [option["risk"] for option in found["options"]] == list(RISKS)
    assert {option["threshold"] for option in found["options"]} == {None}
