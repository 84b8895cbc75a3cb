"""Bare syllables are read as the school writes them."""

from __future__ import annotations

import pytest

from vietnamese.diacritics import Diacritics
from vietnamese.lexicon import Lexicon
from vietnamese.text import fold

REGULATION = """Điều 5. Sinh viên bị cảnh báo học vụ hai học kỳ liên tiếp thì bị buộc thôi học.
Hồ sơ bảo lưu kết quả học tập nộp tại Phòng Đào tạo. Lệ phí thi lại do Khoa quy định."""


@pytest.fixture(scope="module")
def diacritics() -> Diacritics:
    return Diacritics(Lexicon.learn([REGULATION]))


@pytest.mark.parametrize(
    "meant",
    [
        "bị cảnh báo học vụ hai học kỳ thì sao",
        "nộp hồ sơ bảo lưu ở đâu",
        "lệ phí thi lại bao nhiêu",
        "hai học kỳ liên tiếp thì bị buộc thôi học",
    ],
)
def test_the_most_probable_reading_is_taken(diacritics: Diacritics, meant: str) -> None:
    choices = [[(reading, 0.0) for reading in diacritics.readings(fold(word))] for word in meant.split()]

    assert diacritics.most_probable(choices) == meant.split()


@pytest.mark.parametrize(
    "meant",
    [
        "em nghĩ tới chuyện tự tử",
        "thôi không cần nữa",
        "chúc ngủ ngon nha",
        "bạn ở đâu",
        "phòng đào tạo ở đâu",
    ],
)
def test_talk_is_read_in_every_school(meant: str) -> None:
    everyday = Diacritics(Lexicon.learn(()))
    choices = [[(reading, 0.0) for reading in everyday.readings(fold(word))] for word in meant.split()]

    assert everyday.most_probable(choices) == meant.split()


def test_what_is_typed_counts(diacritics: Diacritics) -> None:
    assert diacritics.most_probable([[("thi", 0.0), ("thì", 0.0)], [("lại", 0.0)]]) == ["thi", "lại"]
    assert diacritics.most_probable([[("thi", -9.0), ("thì", 0.0)], [("lại", 0.0)]]) == ["thì", "lại"]


def test_the_readings_of_a_word_are_those_seen(diacritics: Diacritics) -> None:
    assert diacritics.readings("buoc")[0] == "buộc"
    assert diacritics.readings("xyzzy") == ()
    assert diacritics.frequency("buộc") > 0
    assert diacritics.frequency("xyzzy") == 0
