"""`covan topics` scores a topic classifier on labelled lines."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import Result
from command_line import covan

from rag.settings import settings

pytestmark = pytest.mark.e5

TRAIN = """\
__label__KTX đăng ký phòng ký túc xá ở đâu
__label__KTX nội quy ký túc xá về giờ giấc
__label__KTX phí ở ký túc xá một tháng
__label__Tot_nghiep điều kiện xét tốt nghiệp
__label__Tot_nghiep khi nào nhận bằng tốt nghiệp
__label__Tot_nghiep nộp hồ sơ xét tốt nghiệp sớm
"""
TEST = """\
__label__KTX ký túc xá còn phòng không
__label__Tot_nghiep bao giờ xét tốt nghiệp
__label__KTX lễ trao bằng tốt nghiệp
__label__Khac thời tiết hôm nay
"""


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("COVAN_STATE_DIR", str(tmp_path / "state"))
    settings.cache_clear()
    yield
    settings.cache_clear()


def topics(folder: Path, *options: object, train: str = TRAIN, test: str | None = None) -> Result:
    (folder / "train.txt").write_text(train, encoding="utf-8")
    if test is not None:
        (folder / "test.txt").write_text(test, encoding="utf-8")
        options = ("--test", folder / "test.txt", *options)
    return covan("topics", "--train", folder / "train.txt", *options)


def test_accuracy_and_macro_f1_on_a_test_file(tmp_path: Path) -> None:
    result = topics(tmp_path, test=TEST)

    assert result.exit_code == 0, result.output
    assert "accuracy 0.5000" in result.stdout
    assert re.search(r"^macro-F1 0\.\d{4}$", result.stdout, re.MULTILINE)
    assert "topics that --train does not have, so they are never right: Khac" in result.stderr


def test_json_has_the_figures_and_nothing_else(tmp_path: Path) -> None:
    result = topics(tmp_path, "--json", test="\n".join(TEST.splitlines()[:3]))

    measured = json.loads(result.stdout)
    assert measured["accuracy"] == pytest.approx(2 / 3, abs=1e-4)
    assert measured["macro_f1"] == pytest.approx(2 / 3, abs=1e-4)
    assert measured["texts"] == 3
    assert measured["topics"]["KTX"] == {"texts": 2, "precision": 1.0, "recall": 0.5, "f1": 0.6667}
    assert measured["confusion"] == {"KTX": {"Tot_nghiep": 1}, "Tot_nghiep": {}}


def test_cross_validation_gives_every_text_a_topic_once_a_seed(tmp_path: Path) -> None:
    first = topics(tmp_path, "--folds", 3, "--seeds", 2, "--json")
    again = topics(tmp_path, "--folds", 3, "--seeds", 2, "--json")

    measured = json.loads(first.stdout)
    assert measured["texts"] == 6
    assert len(measured["accuracy_by_seed"]) == 2
    assert measured["accuracy"] == pytest.approx(sum(measured["accuracy_by_seed"]) / 2, abs=1e-4)
    assert first.stdout == again.stdout


def test_a_line_without_a_text_counts_and_is_told(tmp_path: Path) -> None:
    result = topics(tmp_path, "--json", test="__label__KTX ký túc xá\n__label__KTX\n")

    assert json.loads(result.stdout)["texts"] == 2
    assert "have a label and no text (they count): 2" in result.stderr


@pytest.mark.parametrize(
    ("options", "train", "test", "says"),
    [
        ((), "no label\n__label__A x\nnor here\n", TEST, "train.txt:3: does not begin with a label"),
        ((), TRAIN, "nothing\n", "test.txt:1: does not begin with a label"),
        ((), "__label__A x\n__label__A y\n", TEST, "two topics are needed"),
        ((), TRAIN, None, "give either --test FILE, or --folds N"),
        (("--folds", 5), TRAIN, TEST, "give either --test FILE, or --folds N"),
        (("--folds", 5), TRAIN, None, "fewer have: KTX (3), Tot_nghiep (3)"),
    ],
)
def test_what_is_wrong_is_told(
    tmp_path: Path, options: tuple[object, ...], train: str, test: str | None, says: str
) -> None:
    result = topics(tmp_path, *options, train=train, test=test)

    assert result.exit_code == 2
    assert says in result.output
    assert "Traceback" not in result.output
