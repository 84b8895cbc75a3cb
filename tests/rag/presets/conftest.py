"""A school of two offices, whose distance to a question is set by the test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest
from dial_stand_in import DialStandIn

from rag.engine import Engine
from rag.knowledge.index import build_index, open_index
from rag.pipeline import Pipeline
from rag.types import Question, Reply

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


@pytest.fixture
def asker(tmp_path: Path) -> Asker:
    """Makes a way to ask a school by a pipeline, with cosines by marker: `ask({"hồ bơi": 0.9})`."""

    def make(
        pipeline: Pipeline,
        documents: Mapping[str, str] = DOCUMENTS,
        faq: str = FAQ,
        markers: tuple[str, ...] = ("hồ bơi", "thư viện"),
    ) -> Ask:
        source = tmp_path / "school"
        (source / "documents").mkdir(parents=True)
        for name, text in documents.items():
            (source / "documents" / f"{name}.md").write_text(text, encoding="utf-8")
        if faq:
            (source / "faq").mkdir()
            (source / "faq" / "faq.yml").write_text(faq, encoding="utf-8")
            (source / "topics.yml").write_text(TOPICS, encoding="utf-8")
        embedder = DialStandIn(*markers)
        build_index(source, tmp_path / "index", embedder)
        index = open_index(tmp_path / "index", embedder)
        engine = Engine(index, pipeline, embedder, today=lambda: date(2026, 11, 1))

        def ask(cosines: Mapping[str, float], text: str = QUESTION, **question: object) -> Reply:
            embedder.dial(cosines)
            return engine.reply(Question(text, **question))  # type: ignore[arg-type]

        return ask

    return make
