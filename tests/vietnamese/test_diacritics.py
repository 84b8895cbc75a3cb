"""What was typed without diacritics is read as the school writes it."""

from __future__ import annotations

import pytest

from vietnamese.diacritics import Diacritics, spoken
from vietnamese.text import fold

REGULATION = """Điều 5. Sinh viên bị cảnh báo học vụ hai học kỳ liên tiếp thì bị buộc thôi học.
Hồ sơ bảo lưu kết quả học tập nộp tại Phòng Đào tạo. Lệ phí thi lại do Khoa quy định."""


@pytest.fixture(scope="module")
def diacritics() -> Diacritics:
    return Diacritics.learn([REGULATION])


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


def test_a_text_without_diacritics_teaches_nothing() -> None:
    learned = Diacritics.learn(["hoc phi zoc toi da " * 50])
    assert learned.restore("hoc phi", bare=True) == "học phí"
    assert not learned.knows("zoc")


def test_everyday_questions_are_written_with_diacritics() -> None:
    """They are what is learned from: a bare line among them would be passed over."""
    bare = [line for line in spoken() if fold(line) == line.lower()]
    assert not bare


def test_of_a_large_collection_a_part_is_enough() -> None:
    learned = Diacritics.learn(["Sinh viên nộp hồ sơ bảo lưu tại Phòng Đào tạo. " * 100] * 1000)
    assert learned.frequency("lưu") < 100_000
    assert learned.restore("nop ho so bao luu", bare=True) == "nộp hồ sơ bảo lưu"
