"""Examples are the passages found for a question, and which of them answer: by the FAQ's sources, or by labels."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from embedder_stand_in import EmbedderStandIn

from covan.evaluation.labels import read_labelled
from covan.ranking.examples import Asked, Example, asked_by_faq, asked_by_label, examples
from rag.index.format import Index
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.pipeline import load_pipeline
from rag.rerank.ranking_model import WEIGHED
from school.sentence_embedder import VectorArray

SMALL_SCHOOL = Path(__file__).parents[2] / "small_school"
TODAY = date(2026, 11, 1)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    out = tmp_path_factory.mktemp("ranking") / "index"
    build_index(SMALL_SCHOOL, out, EmbedderStandIn())
    return open_index(out, EmbedderStandIn())


def found(asked: Sequence[Asked], index: Index, today: date = TODAY) -> list[Example]:
    def embed(texts: Sequence[str]) -> VectorArray:
        return np.stack([EmbedderStandIn().query(text) for text in texts])

    return examples(asked, index, load_pipeline("covan").retrieval, embed, today)


def answering(asked: Asked, index: Index) -> set[tuple[str, str]]:
    return {(p.document_id, p.locator) for p in index.passages if asked.answers(p)}


def labelled(tmp_path: Path, content: str, index: Index) -> list[Asked]:
    (tmp_path / "q.csv").write_text(content, encoding="utf-8")
    return list(asked_by_label(read_labelled(tmp_path / "q.csv"), index))


def test_every_way_to_ask_an_entry_leads_to_its_sources(index: Index) -> None:
    credits = [asked for asked in asked_by_faq(index) if "tín chỉ" in asked.group or "tin chi" in asked.group]

    assert {asked.question.text for asked in credits} == {
        "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?",
        "dang ky toi da may tin chi",
        "1 kỳ học nhiều nhất bao nhiêu tín",
    }
    for asked in credits:
        places = answering(asked, index)
        assert ("quy-che-2025", "Điều 1, khoản 1 (QUY CHẾ HỌC VỤ)") in places
        assert {document for document, _ in places} == {"quy-che-2025"}


def test_entries_without_sources_in_the_documents_teach_nothing(index: Index) -> None:
    texts = {asked.question.text for asked in asked_by_faq(index)}

    assert "Xin bảng điểm ở đâu?" not in texts
    assert "Đăng ký ở ký túc xá như thế nào?" not in texts, "Điều 9 is not there"


def test_an_entry_is_asked_by_a_student_whom_it_is_for(index: Index) -> None:
    cohorts = {
        place[0]: asked.question.profile.get("cohort")
        for asked in asked_by_faq(index)
        if asked.group == "chuan ngoai ngu de tot nghiep la gi"
        for place in answering(asked, index)
    }

    assert cohorts == {"ngoai-ngu-k48": "48", "ngoai-ngu-k49": "49"}


def test_examples_have_the_features_of_the_passages_found(index: Index) -> None:
    made = found(list(asked_by_faq(index)), index)

    assert made
    for example in made:
        assert example.values.shape == (len(example.relevant), len(WEIGHED))
        assert np.isfinite(example.values).all()
    assert any(example.relevant.any() for example in made)


def test_what_does_not_hold_on_the_day_is_not_found(index: Index, tmp_path: Path) -> None:
    asked = labelled(tmp_path, "id,question,decision,source\n1,cảnh báo học vụ,answer,quy-che-2021\n", index)

    assert answering(asked[0], index)
    assert not found(asked, index)[0].relevant.any()
    assert found(asked, index, today=date(2022, 1, 1))[0].relevant.any()


def test_a_label_names_documents_a_place_in_one_or_an_entry(index: Index, tmp_path: Path) -> None:
    asked = labelled(
        tmp_path,
        "id,question,decision,source,locator\n"
        "1,phúc khảo,answer,quy-che-2025,\n"
        '2,phúc khảo,answer,quy-che-2025,"Điều 3, khoản 2"\n'
        "3,toeic,answer,language-k49,\n"
        "4,phúc khảo,answer,nowhere,\n",
        index,
    )

    whole, place, entry, nowhere = (answering(some, index) for some in asked)
    assert place == {("quy-che-2025", "Điều 3, khoản 2")} < whole
    assert {document for document, _ in entry} == {"ngoai-ngu-k49"}
    assert not nowhere
    assert len(found(asked, index)) == 3, "a question that nothing published answers teaches nothing"


def test_questions_that_have_no_answer_teach_nothing(index: Index, tmp_path: Path) -> None:
    content = "id,question,decision,source\n1,thời tiết,no_answer,\n2,chuẩn ngoại ngữ,clarify,cohort\n"

    assert labelled(tmp_path, content, index) == []


def test_a_reference_answer_is_found_in_the_passages_that_say_it(index: Index, tmp_path: Path) -> None:
    clause = next(
        p for p in index.passages if p.locator == "Điều 3, khoản 2" and p.document_id == "quy-che-2025"
    )
    content = f'id,question,scope,answer\n1,phúc khảo,in_scope,"{clause.text}"\n2,thời tiết,out_of_scope,\n'

    (asked,) = labelled(tmp_path, content, index)

    assert ("quy-che-2025", "Điều 3, khoản 2") in answering(asked, index)


def test_a_labelled_question_that_the_faq_has_is_of_the_entrys_group(index: Index, tmp_path: Path) -> None:
    content = "id,question,decision,source\n1,chuan dau ra ANH VAN,answer,ngoai-ngu-k49\n2,gì đó,answer,noi-quy-ktx\n"

    groups = [asked.group for asked in labelled(tmp_path, content, index)]

    assert groups == ["chuan ngoai ngu de tot nghiep la gi", "gi do"]
