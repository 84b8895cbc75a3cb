"""Slips of the keyboard are mended; what may be a word, a name or a code stays."""

from __future__ import annotations

import pytest

from vietnamese.diacritics import Diacritics
from vietnamese.lexicon import Lexicon
from vietnamese.typos import Slips


@pytest.fixture(scope="module")
def slips() -> Slips:
    lexicon = Lexicon.learn(["Điểm rèn luyện, nghĩa vụ quân sự, bảo hiểm."])
    return Slips(Diacritics(lexicon), {"taxi", "httt"})


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hojc phis", "học phí"),
        ("hocj phis", "học phí"),
        ("tots nghieepj", "tốt nghiệp"),
        ("ddangw kys hojc phaanf", "đăng ký học phần"),
        ("dieemr renf luyeenj", "điểm rèn luyện"),
        ("ho5c phi1 bao nhie6u", "học phí bao nhiêu"),
        ("hcoj phí", "học phí"),
        ("hocc phis", "hoc phí"),
        ("sinh vieen", "sinh viên"),
        ("KYS TUCS XAS", "KÝ TÚC XÁ"),
    ],
)
def test_slips_are_mended(slips: Slips, typed: str, meant: str) -> None:
    assert slips.correct(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "học phí bao nhiêu",
        "hoc phi bao nhieu",
        "k48 httt CT101 hk1 H2O",
        "toan1 bao nhiêu tín chỉ",
        "bạn Mona Lisa đi taxi",
        "sv@daihocsaola.example https://hojc.example/phis",
        "TOEIC IELTS MOS",
        "zzzzz qwrtp",
        "",
    ],
)
def test_words_names_and_codes_stay(slips: Slips, text: str) -> None:
    assert slips.correct(text) == text
