"""What was typed without diacritics is read as the school writes it."""

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
    ("typed", "meant"),
    [
        ("bi canh bao hoc vu hai hoc ky thi sao", "bị cảnh báo học vụ hai học kỳ thì sao"),
        ("nop ho so bao luu o dau?", "nộp hồ sơ bảo lưu ở đâu?"),
        ("LE PHI THI LAI BAO NHIEU", "LỆ PHÍ THI LẠI BAO NHIÊU"),
        ("Phong Dao tao o dau", "Phòng Đào tạo ở đâu"),
    ],
)
def test_the_most_probable_reading_is_taken(diacritics: Diacritics, typed: str, meant: str) -> None:
    assert diacritics.restore(typed, bare=True) == meant


def test_neighbours_decide(diacritics: Diacritics) -> None:
    assert "phí thi lại" in diacritics.restore("le phi thi lai", bare=True)
    assert "thì bị" in diacritics.restore("hai hoc ky lien tiep thi bi buoc thoi hoc", bare=True)


@pytest.mark.parametrize(
    "typed", ["K48 CNTT", "CT101 - 3.5", "GPA 2.0", "https://sv.example/dang", "", "???", "xyzzy plugh"]
)
def test_codes_and_unknown_words_stay(diacritics: Diacritics, typed: str) -> None:
    assert fold(diacritics.restore(typed, bare=True)) == fold(typed)
    assert len(diacritics.restore(typed, bare=True)) == len(typed)


def test_a_short_form_in_capitals_is_no_word(diacritics: Diacritics) -> None:
    assert diacritics.restore("PHI la gi", bare=True).startswith("PHI ")


def test_a_text_with_diacritics_keeps_its_words(diacritics: Diacritics) -> None:
    assert diacritics.restore("Hồ sơ bảo lưu nop ở đâu", bare=False) == "Hồ sơ bảo lưu nộp ở đâu"
    assert diacritics.restore("mức thu phí do ai quy định", bare=False) == "mức thu phí do ai quy định"
