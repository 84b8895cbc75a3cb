"""The candidates for a mistyped word are the words one typo away."""

from __future__ import annotations

import pytest

from vietnamese.diacritics import Diacritics
from vietnamese.lexicon import Lexicon
from vietnamese.typos import MOST_CANDIDATES, Typos


@pytest.fixture(scope="module")
def typos() -> Typos:
    return Typos(Diacritics(Lexicon.learn(["Điểm rèn luyện, nghĩa vụ quân sự, bảo hiểm."])))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("điẻm", "điểm"),
        ("đưc", "được"),
        ("hcọ", "học"),
        ("hnận", "nhận"),
        ("tiếnng", "tiếng"),
        ("khpng", "không"),
    ],
)
def test_words_one_typo_away(typos: Typos, typed: str, meant: str) -> None:
    assert meant in typos.candidates(typed, is_bare=False)


def test_a_bare_word_has_all_readings(typos: Typos) -> None:
    assert {"thì", "thi"} <= set(typos.candidates("thhi", is_bare=True))


def test_diacritics_that_were_typed_stay(typos: Typos) -> None:
    assert "điềm" not in typos.candidates("điểmm", is_bare=False)
    assert "học" not in typos.candidates("xocj", is_bare=False)


def test_a_word_far_from_all_others_has_none(typos: Typos) -> None:
    assert typos.candidates("zzzzz", is_bare=True) == []
    assert len(typos.candidates("cann", is_bare=True)) <= MOST_CANDIDATES
