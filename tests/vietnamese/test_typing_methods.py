"""Keys of Telex and VNI are composed; possible words, names and codes stay."""

from __future__ import annotations

import pytest

from vietnamese.diacritics import Diacritics
from vietnamese.lexicon import Lexicon
from vietnamese.syllables import is_spelled
from vietnamese.typing_methods import KeyComposition

WORDS = frozenset(["taxi", "httt", "hoc", "nhieu"])


@pytest.fixture(scope="module")
def keys() -> KeyComposition:
    lexicon = Lexicon.learn(["Điểm rèn luyện, nghĩa vụ quân sự, bảo hiểm."])
    return KeyComposition(Diacritics(lexicon), lambda word: word in WORDS or is_spelled(word))


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
        ("sinh vieen", "sinh viên"),
        ("KYS TUCS XAS", "KÝ TÚC XÁ"),
    ],
)
def test_keys_are_composed(keys: KeyComposition, typed: str, meant: str) -> None:
    assert keys.compose(typed) == meant


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
def test_words_names_and_codes_stay(keys: KeyComposition, text: str) -> None:
    assert keys.compose(text) == text
