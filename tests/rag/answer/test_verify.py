"""The verifier: each kind of unsupported sentence by itself. `benchmarks/verifier.py` measures it on hundreds."""

from __future__ import annotations

import pytest

from rag.answer.cited_sentences import CitedSentence, cited_sentences
from rag.answer.verify import Unsupported, evidence_of, unsupported
from rag.types import Passage
from school.dimensions import AppliesTo

PASSAGE = Passage(
    id="1",
    text=(
        "2. Sinh viên nộp học phí 631.800 đồng cho 12 tháng tại Phòng Tài chính trước ngày 05/9/2026.\n"
        "a) Sinh viên nghỉ quá 3 buổi không được dự thi.\n"
        "Số tháng: 6 tháng; Số tiền: 315.900 đồng"
    ),
    document_id="d",
    title="Quy định về học phí",
    locator="Điều 3, khoản 2",
    applies_to=AppliesTo({"cohort": ("47-49",)}),
)
OTHER = Passage(
    id="2", text="Thư viện mở cửa lúc 7 giờ.", document_id="e", title="Thư viện", locator="Điều 1"
)


def reason(text: str, *passages: Passage) -> Unsupported | None:
    return unsupported(text, [evidence_of(passage) for passage in passages or (PASSAGE,)])


@pytest.mark.parametrize(
    "text",
    [
        "Sinh viên nộp học phí 631.800 đồng cho 12 tháng.",
        "Bạn nộp 631800 đồng cho 12 tháng tại Phòng Tài chính.",
        "Hạn nộp học phí là trước ngày 5 tháng 9 năm 2026.",
        "Nếu nghỉ quá ba buổi, bạn không được dự thi.",
        "Sinh viên khóa 48 nộp học phí tại Phòng Tài chính.",
        "Với 6 tháng, số tiền là 315.900 đồng.",
    ],
)
def test_a_sentence_in_other_words_is_supported(text: str) -> None:
    assert reason(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sinh viên nộp học phí 613.800 đồng cho 12 tháng.", Unsupported.VALUE),
        ("Sinh viên nộp học phí 631.800 đồng cho 12 tuần.", Unsupported.VALUE),
        ("Sinh viên nộp học phí trước ngày 06/9/2026.", Unsupported.VALUE),
        ("Sinh viên nộp học phí theo khoản 3.", Unsupported.VALUE),
        ("Sinh viên khóa 50 nộp học phí tại Phòng Tài chính.", Unsupported.VALUE),
        ("Sinh viên nộp học phí 315.900 đồng cho 12 tháng.", Unsupported.VALUES_APART),
        ("Sinh viên nộp học phí tại Phòng Đào tạo.", Unsupported.NAME),
        ("Sinh viên nộp học phí tại phòng khảo thí.", Unsupported.NAME),
        ("Sinh viên nộp học phí cho thầy Nguyễn Văn An.", Unsupported.NAME),
        ("Nếu nghỉ quá 3 buổi, bạn vẫn được dự thi.", Unsupported.NEGATION),
        ("Sinh viên không nộp học phí.", Unsupported.NEGATION),
        ("Sinh viên nộp học phí sau ngày 05/9/2026.", Unsupported.OPPOSITE),
        ("Sinh viên được tặng áo mưa và mũ bảo hiểm.", Unsupported.WORDS),
        ("Sinh viên nộp học phí qua https://evil.example/pay.", Unsupported.VALUE),
        (" ".join(["học phí"] * 100), Unsupported.TOO_LONG),
    ],
)
def test_what_a_passage_does_not_say_is_not_supported(text: str, expected: Unsupported) -> None:
    assert reason(text) is expected


def test_the_right_fact_with_the_wrong_citation_is_not_supported() -> None:
    assert reason("Thư viện mở cửa lúc 7 giờ.", OTHER) is None
    assert reason("Thư viện mở cửa lúc 7 giờ.", PASSAGE) is not None


def test_without_a_citation_nothing_is_supported() -> None:
    assert unsupported("Thư viện mở cửa lúc 7 giờ.", []) is Unsupported.NO_CITATION


def test_marks_are_read_wherever_a_model_puts_them() -> None:
    found = cited_sentences("Một câu [1]. Câu hai. [2][3]\n- Câu ba [1, 2]\nCâu bốn.\nCâu năm [4].")

    assert [(s.text, s.cites) for s in found] == [
        ("Một câu.", (1,)),
        ("Câu hai.", (2, 3)),
        ("Câu ba", (1, 2)),
        ("Câu bốn.", (4,)),
        ("Câu năm.", (4,)),
    ]
    assert found[2] == CitedSentence("Câu ba", (1, 2), 1, "-")


def test_marks_before_their_sentences_are_read_too() -> None:
    assert [(s.text, s.cites) for s in cited_sentences("[1] Câu một. [2] Câu hai.")] == [
        ("Câu một.", (1,)),
        ("Câu hai.", (2,)),
    ]


def test_a_last_sentence_without_a_mark_has_no_citation() -> None:
    assert [s.cites for s in cited_sentences("Câu một [1]. Câu hai.")] == [(1,), ()]
