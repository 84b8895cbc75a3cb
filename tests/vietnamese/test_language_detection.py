"""In which language a message is written."""

from __future__ import annotations

import pytest

from vietnamese.language_detection import detect_language

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
}


@pytest.mark.parametrize(("text", "language"), TALK.items())
def test_a_message_tells_its_language_when_it_is_long_enough(text: str, language: str | None) -> None:
    assert detect_language(text) == language
