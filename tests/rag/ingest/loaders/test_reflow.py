"""The lines of a printed page are joined to paragraphs."""

from __future__ import annotations

import pytest

from rag.ingest.loaders.reflow import reflow, without_running_lines

FULL = "Sinh viên hệ chính quy phải hoàn thành chương trình đào tạo trong thời gian tối đa"


@pytest.mark.parametrize(
    "unit",
    [
        "Chương II. TỔ CHỨC ĐÀO TẠO",
        "Mục 2",
        "Điều 12. Đăng ký",
        "Điều 12",
        "3. Sinh viên năm cuối",
        "3.1. Sinh viên năm cuối",
        "2.1 Học bổng tài trợ",
        "c) trường hợp khác",
        "đ) Trường hợp khác",
        "- Sinh viên khuyết tật",
        "IV. Kinh phí",
        "Căn cứ Luật Giáo dục đại học",
        "Phụ lục 1",
    ],
)
def test_a_unit_of_structure_begins_a_paragraph_even_after_a_full_line(unit: str) -> None:
    assert unit in reflow([[FULL, FULL.lower(), FULL.lower(), unit]]).text.splitlines()


@pytest.mark.parametrize(
    "rest",
    [
        "điều 39 của Luật Giáo dục",
        "- xã hội của vùng",
        "khoản 2 Điều này",
        "Trung Quốc và các nước",
        "14 tín chỉ",
    ],
)
def test_the_rest_of_a_wrapped_line_is_joined(rest: str) -> None:
    assert reflow([[FULL, FULL.lower(), FULL.lower(), rest]]).text.endswith(f"tối đa {rest}")


def test_the_cells_of_a_table_stay_on_their_own_lines() -> None:
    assert reflow([["Mức điểm", "Đối tượng", "Ghi chú", FULL, FULL.lower(), FULL.lower()]]).text.startswith(
        "Mức điểm\n\nĐối tượng\n\nGhi chú\n\n"
    )


def test_bullets_that_were_run_together_are_parted() -> None:
    assert reflow([["- Nhắc nhở; - Khiển trách; - Cảnh cáo."]]).text.splitlines() == [
        "- Nhắc nhở;",
        "- Khiển trách;",
        "- Cảnh cáo.",
    ]


def test_a_line_in_the_middle_of_every_page_is_no_header() -> None:
    pages = [["a", "b", "c", "Ghi chú", "d", "e", "f"] for _ in range(5)]

    assert all("Ghi chú" in page for page in without_running_lines(pages))


def test_lines_that_differ_in_a_number_of_their_own_are_kept() -> None:
    credits = {"a": 15, "b": 20, "c": 15, "d": 14}
    pages = [[f"Học phần {word}", f"Tổng cộng: {total}"] for word, total in credits.items()]

    assert without_running_lines(pages) == pages


@pytest.mark.parametrize(
    "footer", ["Sổ tay sinh viên {}", "{} Sổ tay sinh viên", "Sổ tay - Trang {}/9", "Trang {}"]
)
def test_a_footer_that_counts_the_pages_goes(footer: str) -> None:
    pages = [[f"Học phần {word}", footer.format(number)] for number, word in enumerate("abcd", start=3)]

    assert without_running_lines(pages) == [[f"Học phần {word}"] for word in "abcd"]


def test_page_numbers_may_begin_anywhere() -> None:
    pages = [[f"Nội dung {word}", str(number)] for number, word in enumerate("abc", start=17)]

    assert without_running_lines(pages) == [["Nội dung a"], ["Nội dung b"], ["Nội dung c"]]
