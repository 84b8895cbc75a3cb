"""Facts that a question asks for are found in its answers."""

from __future__ import annotations

import pytest

from rag.answer.asked_facts import Facts, facts_asked_for, facts_in
from rag.retrieve.embedder import load_embedder
from school.reader import Reader
from school.reading_knowledge import ReadingKnowledge


@pytest.mark.e5
@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("làm lại thẻ sinh viên hết bao nhiêu tiền", Facts.MONEY),
        ("hạn nộp hồ sơ là ngày nào", Facts.DAY),
        ("thực tập kéo dài bao lâu", Facts.LENGTH),
        ("điều kiện xét học bổng là gì", None),
    ],
)
def test_the_kind_is_known_by_the_aspect(question: str, kind: Facts | None) -> None:
    assert facts_asked_for(Reader(ReadingKnowledge(), load_embedder()).read(question)) is kind


def test_they_are_compared_whatever_their_spelling() -> None:
    assert facts_in("Mức 5.000.000 đồng, còn **30 %**.", Facts.MONEY) == {"5000000đồng", "30%"}
    assert facts_in("từ 01/10 đến 31/10/2026", Facts.DAY) == {"01/10", "31/10/2026"}
    assert facts_in("Sau 10 ngày làm việc", Facts.LENGTH) == {"10ngày"}
    assert facts_in("Bạn nộp đơn.", Facts.MONEY) == frozenset()
