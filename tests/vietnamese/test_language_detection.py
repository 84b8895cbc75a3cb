"""In which language a message is written."""

from __future__ import annotations

import pytest

from vietnamese.language_detection import detect_language, is_english

TALK: dict[str, str | None] = {
    "hello, I would like to ask about tuition": "en",
    "when is the tuition deadline": "en",
    "My name is Nguyễn Văn An, how can I register for courses": "en",
    "I feel hopeless": "en",
    "can i talk to a human": "en",
    "tell me a joke": "en",
    "cho em hoi deadline dang ky mon": "vi",
    "học phí bao nhiêu": "vi",
    "hoc phi bn v": "vi",
    "em muon check lich thi online": "vi",
    "em xin cảm ơn ạ": "vi",
    "hi": None,
    "thanks": None,
    "ok bye": None,
    "thanks ad": None,
    "k47": None,
    "cntt clc": None,
    "scholarship?": None,
    "": None,
    'inform{"cohort":"47"}': None,
    'EXTERNAL: inform@0.9{"cohort": "47", "name": {"first": "you"}}': None,
    '[{"event": "slot", "name": "cohort", "value": "47"}]': None,
    "session_start": None,
    "what is the tuition fee of {this programme}": "en",
    "học phí của {this programme and that programme} bao nhiêu": "vi",
}


@pytest.mark.parametrize(("text", "language"), TALK.items())
def test_a_message_tells_its_language_when_it_is_long_enough(text: str, language: str | None) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "What is the tuition fee for k48?",
        "tuition fee k48",
        "can i cook in my dorm room",
        "GRADUATION REQUIREMENTS",
        "How do I drop a course?",
        "retake exam",
    ],
)
def test_english_is_recognised(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "hoc phi bao nhieu",
        "the thu vien lam o dau",
        "do an tot nghiep co may tin chi",
        "can bao nhieu diem de pass mon",
        "deadline nop hoc phi la khi nao",
        "deadline hp k48",
        "cách drop môn trên web",
        "How many tín chỉ?",
        "an com o dau",
        "so tin chi toi da",
        "toeic 600 dc k",
        "k48",
        "ok thanks",
        "asdfgh qwerty",
        "",
    ],
)
def test_vietnamese_and_mixed_questions_are_no_english(text: str) -> None:
    assert not is_english(text)


def test_the_schools_own_words_are_english() -> None:
    assert not is_english("grubby xylem")
    assert is_english("grubby xylem", frozenset(["grubby"]))
