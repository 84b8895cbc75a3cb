"""Aspects of questions: what is asked about a matter, however it is typed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from school import aspects as module
from school.aspects import (
    ASPECTS,
    MODEL,
    Aspect,
    AspectClassifier,
    agreement,
    aspects_of,
    aspects_said_by,
    shipped_classifier,
)
from school.reading import Reading

ROOT = Path(__file__).parents[2]


def first(text: str) -> Aspect:
    return next(iter(aspects_of(text)))


def test_every_aspect_is_described_in_one_sentence_and_no_other() -> None:
    described = yaml.safe_load(Path(module.__file__).with_suffix(".yml").read_text(encoding="utf-8"))

    assert tuple(described) == ASPECTS
    assert all(
        about["means"].endswith(".") and about["means"].count(".") == 1 for about in described.values()
    )


@pytest.mark.parametrize(
    ("text", "aspect"),
    [
        ("song ngành là gì", "definition"),
        ("bn tiền v ad", "fee"),
        ("khi nào z", "deadline"),
        ("o dau", "place"),
        ("lm sao", "procedure"),
        ("giay to j", "document"),
        ("mất bao lâu", "duration"),
        ("lien he ai", "contact"),
        ("ko nộp thì sao", "consequence"),
        ("ai duoc mien", "exception"),
        ("how much is the tuition fee", "fee"),
        ("when is the deadline", "deadline"),
    ],
)
def test_bare_follow_ups_tell_their_aspect(text: str, aspect: Aspect) -> None:
    assert first(text) == aspect


def test_questions_that_were_not_learnt_from_are_told_apart() -> None:
    """`benchmarks/aspects.py` prints the whole of it."""
    labelled = yaml.safe_load((ROOT / "benchmarks/aspects/test.yml").read_text(encoding="utf-8"))

    shares = {
        aspect: sum(first(text) == aspect for text in texts) / len(texts)
        for aspect, texts in labelled.items()
    }

    assert set(shares) == set(ASPECTS)
    assert sum(shares.values()) / len(shares) >= 0.85
    assert min(shares.values()) >= 0.6, shares


def test_probabilities_are_of_all_aspects_and_ranked() -> None:
    found = aspects_of("hạn đóng học phí là khi nào")

    assert set(found) == set(ASPECTS)
    assert sum(found.values()) == pytest.approx(1, abs=1e-5)
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_diacritics_play_no_part() -> None:
    assert aspects_of("Nộp hồ sơ ở đâu?") == aspects_of("nop ho so o dau")


@pytest.mark.parametrize("text", ["", "  ", "?!", "😀"])
def test_a_text_without_words_has_no_aspect(text: str) -> None:
    assert aspects_of(text) == {}


def test_a_reading_is_classified_by_its_everyday_spelling() -> None:
    reading = Reading("hp bn", "học phí bao nhiêu", is_english=False)

    assert aspects_of(reading) == aspects_of("học phí bao nhiêu")


def test_an_english_reading_is_classified_as_typed() -> None:
    reading = Reading("how much is it", "bao nhiêu", is_english=True)

    assert aspects_of(reading) == aspects_of("how much is it")


def test_an_entry_says_the_aspects_of_its_phrasings() -> None:
    assert aspects_said_by(("Nộp đơn ở đâu?", "nop don cho nao")) == ("place",)
    assert aspects_said_by(("?",)) == ("other",)


def test_agreement_is_the_probability_of_what_is_said() -> None:
    asked: dict[Aspect, float] = {"fee": 0.7, "place": 0.2, "other": 0.1}

    assert agreement(asked, ("fee",)) == pytest.approx(0.7)
    assert agreement(asked, ("fee", "place")) == pytest.approx(0.9)
    assert agreement(asked, ("document",)) == 0


def test_what_is_unknown_agrees_with_everything() -> None:
    assert agreement({}, ("fee",)) == 1
    assert agreement({"fee": 1.0}, ()) == 1


def test_a_saved_classifier_is_the_same(tmp_path: Path) -> None:
    shipped_classifier().save(tmp_path / "a.npz")

    assert AspectClassifier.load(tmp_path / "a.npz").ranking("o dau") == shipped_classifier().ranking("o dau")


def test_a_classifier_of_other_aspects_is_refused(tmp_path: Path) -> None:
    with np.load(MODEL) as stored:
        np.savez(tmp_path / "a.npz", **{**stored, "aspects": np.array(["price", "place"])})

    with pytest.raises(ValueError, match="other aspects"):
        AspectClassifier.load(tmp_path / "a.npz")
