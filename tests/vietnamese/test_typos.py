"""Typos are corrected; what may be a word, a name or a code stays."""

from __future__ import annotations

import pytest

from vietnamese.diacritics import Diacritics
from vietnamese.lexicon import Lexicon
from vietnamese.syllables import is_spelled
from vietnamese.typos import TypoCorrection

WORDS = frozenset(["taxi", "httt", "hoc", "nhieu"])


@pytest.fixture(scope="module")
def typos() -> TypoCorrection:
    lexicon = Lexicon.learn(["Điểm rèn luyện, nghĩa vụ quân sự, bảo hiểm."])
    return TypoCorrection(Diacritics(lexicon), lambda word: word in WORDS or is_spelled(word))


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
        ("điẻm thi", "điểm thi"),
        ("sinh vieen", "sinh viên"),
        ("KYS TUCS XAS", "KÝ TÚC XÁ"),
    ],
)
def test_typos_are_corrected(typos: TypoCorrection, typed: str, meant: str) -> None:
    assert typos.correct(typed) == meant


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
def test_words_names_and_codes_stay(typos: TypoCorrection, text: str) -> None:
    assert typos.correct(text) == text
