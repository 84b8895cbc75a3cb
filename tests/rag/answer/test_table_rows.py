"""The quoted source has the rows that an answer uses, with the sentence that leads in to their table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag.answer.curated import CuratedAnswers
from rag.answer.table_rows import MOST_WORDS, is_row, quotation
from rag.types import FaqEntry, Passage, Source

LEAD = "1. Đơn giá tín chỉ như sau:"
FEES = (
    "Nhóm: Nhóm I; Các ngành: Kế toán, Luật; Đơn giá (đồng/tín chỉ): 480.000",
    "Nhóm: Nhóm II; Các ngành: Công nghệ thông tin, Kỹ thuật điện; Đơn giá (đồng/tín chỉ): 560.000",
    "Nhóm: Nhóm III; Các ngành: Kiến trúc, Thú y; Đơn giá (đồng/tín chỉ): 540.000",
    "Nhóm: Nhóm V; Các ngành: Dược học; Đơn giá (đồng/tín chỉ): 980.000",
    "Nhóm: Nhóm VI; Các ngành: Báo chí; Đơn giá (đồng/tín chỉ): 500.000",
)
GRADES = tuple(
    f"Thang điểm 10: {ten}; Điểm chữ: {letter}; Thang điểm 4: {four}; Kết quả: Đạt"
    for ten, letter, four in (
        ("9,0 – 10", "A", "4,0"),
        ("8,0 – 8,9", "B+", "3,5"),
        ("7,0 – 7,9", "B", "3,0"),
        ("5,5 – 6,4", "C", "2,0"),
        ("4,0 – 4,9", "D", "1,0"),
    )
)
STEPS = (
    "Công việc: Nhận hồ sơ; Thời gian: 02/3/2026 – 15/6/2026",
    "Công việc: Thi môn Vẽ; Thời gian: 20/6/2026 – 21/6/2026",
    "Công việc: Công bố kết quả; Thời gian: 01/7/2026",
)


def table(rows: tuple[str, ...], lead: str = LEAD, place: str = "Điều 4, khoản 1") -> list[Passage]:
    return [
        Passage(
            id=f"a#{number}",
            text=row,
            document_id="a",
            title="Quy định",
            locator=f"{place}, bảng, hàng {number}",
            context=("Quy định", lead),
        )
        for number, row in enumerate(rows, 1)
    ]


@pytest.mark.parametrize(
    ("rows", "answer", "names", "used"),
    [
        (FEES, "Đơn giá ngành Dược học là **980.000 đồng/tín chỉ**.", (), (3,)),
        (FEES, "Đơn giá là **560.000 đồng/tín chỉ**.", (), (1,)),
        (FEES, "16 tín chỉ, tổng 8.960.000 đồng.", ("Công nghệ thông tin",), (1,)),
        (FEES, "Ngành Kiến trúc 540.000, ngành Dược học 980.000 đồng.", (), (2, 3)),
        # The fee of another group stands beside that of the student's own.
        (FEES, "560.000 đồng/tín chỉ; thể chất theo Nhóm I, 480.000.", ("Công nghệ thông tin",), (0, 1)),
        (GRADES, "Điểm **D** là từ **4,0** đến **4,9**, thang điểm 4 là **1,0**.", (), (4,)),
        (GRADES, "7,2 điểm (thang điểm 10) là điểm **B**, thang điểm 4 là **3,0**: đạt.", (), (2,)),
        (GRADES, "8 điểm là **B+** hay 3,5.", (), (1,)),
        (STEPS, "Năm 2026 bạn thi ngày 20/6 hoặc 21/6/2026.", (), (1,)),
    ],
)
def test_the_rows_of_the_answer_are_quoted(
    rows: tuple[str, ...], answer: str, names: tuple[str, ...], used: tuple[int, ...]
) -> None:
    assert quotation(table(rows), answer, names) == "\n".join([LEAD, *(rows[row] for row in used)])


@pytest.mark.parametrize(
    "answer",
    [
        "Bạn xem số tiền tại mục Học phí trên Cổng sinh viên.",
        "Năm 2026 có 2 điểm thành phần.",
        "Nhóm I 480.000, Nhóm II 560.000, Nhóm III 540.000, Nhóm V 980.000.",
    ],
)
def test_without_a_sure_row_or_with_most_the_whole_table_is(answer: str) -> None:
    assert quotation(table(FEES), answer) == "\n".join([LEAD, *FEES])


def test_a_long_table_without_a_sure_row_is_its_lead_alone() -> None:
    long = tuple(f"{row}; Ghi chú: {'chữ ' * MOST_WORDS}" for row in FEES)

    assert quotation(table(long), "Bạn xem trên Cổng sinh viên.") == LEAD
    one_long = (*FEES[:3], long[3])
    assert quotation(table(one_long), "Ngành Kiến trúc 540.000 đồng.") == f"{LEAD}\n{FEES[2]}"


def test_rows_stand_below_the_headings_of_their_part() -> None:
    rows = [replace(row, context=(*row.context, "Hệ chính quy")) for row in table(FEES[:2])]
    rows += [replace(row, context=(*row.context, "Hệ liên thông")) for row in table(FEES)[2:]]

    quoted = quotation(rows, "Ngành Dược học 980.000 đồng.")

    assert quoted == "\n".join([LEAD, "Hệ liên thông", FEES[3]])


def test_a_place_without_rows_is_its_first_passage() -> None:
    clause = replace(table(FEES)[0], locator="Điều 4, khoản 2", text="2. Nộp một lần.")

    assert quotation([clause, *table(FEES)], "Nộp 2 lần") == "2. Nộp một lần."
    assert quotation([clause, *table(FEES)], "Dược học 980.000") == f"{LEAD}\n{FEES[3]}"


def test_the_citations_of_an_answer_get_its_rows() -> None:
    curated = CuratedAnswers(table(FEES))
    entry = FaqEntry("a", "Gì?", (), "Dược.", "tuition", sources=(Source("a", "Điều 4, khoản 1"),))
    whole = curated.citations(entry)

    [cited] = curated.fitting(whole, "Ngành Dược học là 980.000 đồng.", ())

    assert whole[0].quote == "\n".join([LEAD, *FEES])
    assert (cited.quote, cited.locator) == (f"{LEAD}\n{FEES[3]}", "Điều 4, khoản 1")
    # An extract quotes what it says.
    [extract] = curated.fitting([replace(cited, quote=FEES[0])], f"{FEES[0]} và 980.000", ())
    assert extract.quote == FEES[0]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (FEES[0], True),
        ("Nơi: Hồ bơi; Giờ mở cửa: 5:30 – 20:00, nghỉ thứ Hai", True),
        ("1. Giờ mở cửa và mức thu như sau:", False),
        ("a) Có ít nhất 15 tín chỉ;", False),
        ("Sinh viên nộp đơn: mẫu số 3.", False),
    ],
)
def test_a_row_is_known_by_its_columns(line: str, row: bool) -> None:
    assert is_row(line) is row
