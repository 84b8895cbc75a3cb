"""A school of two offices, whose distance to a question is set by the test (`dial_stand_in`)."""

from __future__ import annotations

from collections.abc import Callable

from rag.types import Reply

QUESTION = "cho hỏi chuyện này"
"""It has no word of the school: all there is to go by is what was dialled."""

_CLAUSES = "\n\n".join(
    f"{number}. Hồ bơi số {number} mở cửa lúc {number} giờ sáng cho mọi sinh viên của trường vào tất cả các ngày trong "
    "tuần trừ ngày lễ."
    for number in range(1, 9)
)
DOCUMENTS = {
    "ho-boi": f"---\ntitle: Hồ bơi\ntopic: life\n---\n### Điều 1. Hồ bơi\n\n{_CLAUSES}\n",
    "thu-vien": "---\ntitle: Thư viện\ntopic: study\n---\n### Điều 1. Thư viện\n\nThư viện mở cửa lúc 7 giờ.\n",
}
"""Eight clauses of one article, long enough to be passages of their own; one short article."""

FAQ = (
    "- {id: pool, question: Hồ bơi mở cửa lúc mấy giờ?, answer: Lúc 6 giờ., topic: life}\n"
    "- {id: library, question: Thư viện mở cửa lúc mấy giờ?, answer: Lúc 7 giờ., topic: study}\n"
)
TOPICS = "- {id: life, name: Đời sống}\n- {id: study, name: Học tập}\n"

Ask = Callable[..., Reply]
Asker = Callable[..., Ask]
