"""An office that the catalogue does not have gets no other office's number."""

from __future__ import annotations

from datetime import date

import pytest
from sample_school import sample_index

from rag.engine import Engine
from rag.query.unknown_office import unknown_office
from rag.types import FAQ_SOURCE, Matter, Question


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.open(sample_index(), today=lambda: date(2026, 11, 23))


@pytest.mark.parametrize(
    ("text", "office"),
    [
        ("số điện thoại phòng âm nhạc", "am nhac"),
        ("sdt phong thiet bi", "thiet bi"),
        ("phòng đào tạo ở đâu", ""),
        ("nộp đơn ở phòng nào", ""),
        ("ktx phòng 6 người ở đâu", ""),
        ("phòng âm nhạc có đàn không", ""),
    ],
    ids=["unknown", "undiacritised", "known", "which", "a room", "no contact"],
)
def test_its_name_is_found(engine: Engine, text: str, office: str) -> None:
    assert unknown_office(engine.reader.read(text)) == office


@pytest.mark.parametrize("history", [(), (Matter("Đi trao đổi nước ngoài thì hỏi ai?", "services-005"),)])
@pytest.mark.parametrize("text", ["số điện thoại phòng âm nhạc", "sdt phong thiet bi"])
def test_no_other_offices_number_is_given(engine: Engine, text: str, history: tuple[Matter, ...]) -> None:
    reply = engine.reply(Question(text, history=history))

    assert (reply.source, reply.answer_id) != (FAQ_SOURCE, "services-005")
    assert "3800" not in reply.text


def test_a_known_offices_number_is_given(engine: Engine) -> None:
    assert "(0200) 3800 101" in engine.reply(Question("sdt phong dao tao")).text
