"""The verifier: each kind of unsupported sentence by itself. `benchmarks/verifier.py` measures it on hundreds."""

from __future__ import annotations

from dataclasses import replace

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


RULES = Passage(
    id="3",
    text=(
        "1. Sinh viên được gia hạn tối đa 45 ngày kể từ hạn cuối; đơn vị trả lời trong 5 ngày làm việc.\n"
        "2. Sinh viên không được học hộ, học ghép vào lớp khác. Đơn nộp Khoa, Khoa trả lời.\n"
        "3. Nghiệm thu trong 20 ngày; đơn xin lùi hạn gửi Phòng Khoa học và nêu lý do theo Điều 8.\n"
        "4. Phòng tự học mở 7:30 – 20:00, không thu phí. Khi giảng viên không cấm, sinh viên được dùng máy tính."
    ),
    document_id="r",
    title="Quy định",
    context=("Điều 11. Được nấu ăn và không nấu ăn",),
    locator="Điều 11",
)
ROW = Passage(
    id="4",
    text="Hành vi: Về muộn; Lần 1: Nhắc nhở; Lần 2: Cảnh cáo; Người xử lý: ThS. Lê An; Trưởng khu: TS. Vũ Bình; "
    "Mức (đồng/tháng): 100.000",
    document_id="t",
    title="Nội quy",
    locator="Điều 1, bảng, hàng 1",
)


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("Bạn được gia hạn nhiều nhất 45 ngày tính từ hạn cuối.", RULES),
        ("Bạn được gia hạn không quá 45 ngày.", RULES),
        ("Phòng tự học mở từ 7 giờ 30 đến 20 giờ và miễn phí.", RULES),
        ("Không, bạn không thể học ghép vào lớp khác.", RULES),
        ("Về muộn lần 1 bị nhắc nhở, lần 2 bị cảnh cáo.", ROW),
        ("Trưởng khu là TS. Vũ Bình.", ROW),
        ("Mức là 100.000 đồng mỗi tháng.", ROW),
    ],
)
def test_phrases_with_one_meaning_are_one(text: str, passage: Passage) -> None:
    assert reason(text, passage) is None


@pytest.mark.parametrize(
    ("text", "passage", "expected"),
    [
        ("Bạn được gia hạn ít nhất 45 ngày kể từ hạn cuối.", RULES, Unsupported.VALUE),
        ("Đơn vị trả lời trong 45 ngày.", RULES, Unsupported.VALUES_APART),
        ("Nêu lý do theo Điều 11.", RULES, Unsupported.VALUE),
        ("Sinh viên được học ghép vào lớp khác.", RULES, Unsupported.NEGATION),
        ("Khi giảng viên cấm, sinh viên được dùng máy tính.", RULES, Unsupported.NEGATION),
        ("Phòng tự học có thu phí.", RULES, Unsupported.NEGATION),
        ("Sinh viên không được dùng máy tính.", RULES, Unsupported.NEGATION),
        ("Đơn nộp Khoa, Viện trả lời.", RULES, Unsupported.NAME),
        ("Học ghép vào lớp khác bị đình chỉ.", RULES, Unsupported.WORDS),
        ("Về muộn lần 1 bị cảnh cáo.", ROW, Unsupported.VALUES_APART),
        ("Trưởng khu là ThS. Lê An.", ROW, Unsupported.VALUES_APART),
        ("Mức là 100.000 đồng mỗi năm.", ROW, Unsupported.VALUE),
    ],
)
def test_what_a_passage_says_of_another_matter_is_not_supported(
    text: str, passage: Passage, expected: Unsupported
) -> None:
    assert reason(text, passage) is expected


def test_a_passage_for_all_that_names_a_cohort_is_not_for_another_one() -> None:
    some = Passage(id="5", text="K51 học từ 06/7 đến 01/8.", document_id="q", title="Lịch", locator="Điều 2")
    later = replace(some, text="K51 trở về sau học từ 06/7 đến 01/8.")
    between = replace(some, text="Từ K49 đến K51 học từ 06/7 đến 01/8.")

    assert reason("K51 học từ 6/7 đến 1/8.", some) is None
    assert reason("K52 học từ 6/7 đến 1/8.", some) is not None
    assert reason("K52 học từ 6/7 đến 1/8.", later) is None
    assert reason("K50 học từ 6/7 đến 1/8.", later) is not None
    assert reason("K50 học từ 6/7 đến 1/8.", between) is None
    assert reason("K52 học từ 6/7 đến 1/8.", between) is not None


def test_a_rate_is_for_its_time_and_a_limit_belongs_to_its_number() -> None:
    loan = Passage(
        id="6",
        text="Lãi suất 4,8 %/năm. Số tín chỉ tối thiểu mỗi học kỳ là 12.",
        document_id="v",
        title="Vay vốn",
        locator="Điều 4",
    )

    assert reason("Lãi suất là 4,8% một năm.", loan) is None
    assert reason("Lãi suất là 4,8 %/tháng.", loan) is not None
    assert reason("Mỗi học kỳ ít nhất 12 tín chỉ.", loan) is None
    assert reason("Mỗi học kỳ nhiều nhất 12 tín chỉ.", loan) is Unsupported.VALUE


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
