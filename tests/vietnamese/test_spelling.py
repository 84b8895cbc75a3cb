"""A message is read as it was meant; words that are right stay."""

from __future__ import annotations

import unicodedata
from time import perf_counter

import pytest

from vietnamese.lexicon import Lexicon
from vietnamese.spelling import SpellingCorrector, with_marks
from vietnamese.text import MAX_QUESTION_CHARS, fold

REGULATION = """Điều 5. Sinh viên bị cảnh báo học vụ hai học kỳ liên tiếp thì bị buộc thôi học.
Hồ sơ bảo lưu kết quả học tập nộp tại Phòng Đào tạo. Lệ phí thi lại do Khoa quy định. Lớp chất lượng cao."""


@pytest.fixture(scope="module")
def corrector() -> SpellingCorrector:
    return SpellingCorrector(Lexicon.learn([REGULATION]), kept={"cntt", "mona"})


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("bi canh bao hoc vu hai hoc ky thi sao", "bị cảnh báo học vụ hai học kỳ thì sao"),
        ("nop ho so bao luu o dau???", "nộp hồ sơ bảo lưu ở đâu?"),
        ("LE PHI THI LAI BAO NHIEU", "LỆ PHÍ THI LẠI BAO NHIÊU"),
        ("Phong Dao tao o dau", "Phòng Đào tạo ở đâu"),
        ("ko bik hojc phis bn", "không biết học phí bao nhiêu"),
        ("khônggg đc nghỉ ạ!!!", "không được nghỉ ạ!"),
        ("Hồ sơ bảo lưu nop ở đâu", "Hồ sơ bảo lưu nộp ở đâu"),
        ("học phí cua lop chat luong cao", "học phí của lớp chất lượng cao"),
        ("cho em hỏi hoc phi ạ", "cho em hỏi học phí ạ"),
        ("hcoj phí bao nhiu", "học phí bao nhiêu"),
        ("Hồ sơ bảo lưu nộp ở đâuu, điẻm rèn luyện", "Hồ sơ bảo lưu nộp ở đâu, điểm rèn luyện"),
        ("em có đưc nghỉ học khôgn", "em có được nghỉ học không"),
        ("dieu kien tot nghipe", "điều kiện tốt nghiệp"),
        ("Hai học kì này, qui định", "Hai học kỳ này, quy định"),
        ("hai hoc ki nay, qui dinh", "hai học kỳ này, quy định"),
    ],
)
def test_messages_as_they_were_meant(corrector: SpellingCorrector, typed: str, meant: str) -> None:
    assert corrector.correct(typed).text == meant


@pytest.mark.parametrize(
    "text",
    [
        "Bạn trai em cứ đánh em",
        "İa với İstanbul",
        "em muốn chat với bot được không",
        "Quá trình quang hợp xảy ra ở đâu, vai trò của nước là gì?",
        "Công thức tính chu vi hình tròn",
        "cho em hỏi link zalo, email và hotline của trường",
        "ctđttt mục iii của qđđ",
        "mức thu phí do ai quy định",
        "bạn Mona Lisa đi taxi lúc 9h30",
        "thư về sv@truong.example https://hojc.example/phis",
        "em dùng ví momo, đi xe vinbus, ở quận phú nhuận",
        "lịch thi IELTS, TOEIC, MOS tháng 12",
        "can i do my internship in the summer",
        "the bot is stupid, let me chat with a human",
        "K48 CNTT CT101 - 3.5",
        "PHI là gì",
        "xyzzy plugh qwrtp",
        "website www.truong.example hoac.edu.vn",
        "",
    ],
)
def test_right_words_stay(corrector: SpellingCorrector, text: str) -> None:
    assert corrector.correct(text).text == text
    assert corrector.correct(text).typed == ()


def test_words_that_could_be_right_are_kept_as_typed(corrector: SpellingCorrector) -> None:
    assert corrector.correct("sinh viên đưc nghỉ ko, hojc phis").typed == ("đưc",)
    assert corrector.correct("lop chat luong cao nop tien").typed == ("chat",)


def test_restored_words_have_the_letters_that_were_typed(corrector: SpellingCorrector) -> None:
    for text in ("K48 CNTT hoc phi", "GPA 2.0 co duoc tot nghiep", "xyzzy dang ky"):
        assert fold(corrector.correct(text).text) == fold(text)


def test_the_result_is_nfc(corrector: SpellingCorrector) -> None:
    decomposed = unicodedata.normalize("NFD", "điều kiện tốt nghiệp")

    assert corrector.correct(decomposed).text == "điều kiện tốt nghiệp"


@pytest.mark.parametrize(
    "text", ["\ufdfa" * 1000, "\ud800", "😀😀😀", "/intent{}", "?" * 5000, "a" * 100_000, "hocj " * 10_000]
)
def test_hostile_input_is_survived(corrector: SpellingCorrector, text: str) -> None:
    corrected = corrector.correct(text).text

    assert len(corrected) <= 2 * MAX_QUESTION_CHARS
    corrected.encode("utf-8")


def test_a_message_takes_a_few_milliseconds_at_most(corrector: SpellingCorrector) -> None:
    messages = [
        "em muon hoi ve dieu kien bao luu ket qua hoc tap thi nop ho so o dau a",
        "hojc phis ko biết nộp đâu",
    ]
    for message in messages:
        corrector.correct(message)
    started = perf_counter()
    for message in messages * 10:
        corrector.correct(message)
    assert (perf_counter() - started) / 20 < 0.02


def test_a_name_is_written_as_the_school_writes_it(corrector: SpellingCorrector) -> None:
    assert corrector.correct("hoc phi nganh it", {"it": "it"}).text == "học phí ngành it"
    assert corrector.correct("hoc phi nganh ly", {"ly": "lý"}).text == "học phí ngành lý"


@pytest.mark.parametrize(
    ("typed", "spelled", "marked"),
    [
        ("hoc Phi ko", "học phí không", "học Phí ko"),
        ("hoc ki nay", "học kỳ này", "học kì này"),
        ("dang ki THU Y", "đăng ký thú y", "đăng kí THÚ Y"),
        ("18 tc", "18 tín chỉ", "18 tc"),
        ("", "", ""),
    ],
)
def test_the_marks_of_the_correction_go_onto_the_letters_typed(typed: str, spelled: str, marked: str) -> None:
    assert with_marks(typed, spelled) == marked
    assert fold(marked) == fold(typed)
