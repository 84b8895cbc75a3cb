"""A PDF is loaded as its printed paragraphs, without headers, footers and page numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rag.ingest.load import load_knowledge
from rag.ingest.loaders.pdf import PdfLoader
from rag.ingest.split import split

WritePdf = Callable[..., Path]

CLAUSE = "Sinh viên thuộc diện chính sách được miễn học phí, nộp hồ sơ tại Phòng Công tác sinh viên. " * 3


def text_of(path: Path) -> str:
    loading = PdfLoader().load(path)
    assert loading.problems == ()
    return loading.documents[0].text


def test_wrapped_lines_become_paragraphs_and_units_stay_apart(write_pdf: WritePdf) -> None:
    path = write_pdf(
        [
            [
                "QUY ĐỊNH",
                "Về học phí của sinh viên",
                "Chương I",
                "NHỮNG QUY ĐỊNH CHUNG",
                "Điều 1. Mức thu",
                "Sinh viên đóng học phí theo số tín chỉ đã đăng ký trong học kỳ, theo đơn giá quy",
                "định tại Điều 4 của văn bản này và các thông báo hằng năm của Phòng Tài chính của",
                "Trường.",
                "1. Sinh viên đóng đủ học phí trước ngày 15 tháng 10 của học kỳ, theo thông báo của",
                "Phòng Tài chính; quá hạn thì:",
                "a) Bị nhắc nhở;",
                "b) Bị hủy đăng ký học phần.",
                "- Trừ trường hợp được gia hạn.",
                "Khóa Đơn giá",
                "K47 510.000",
            ]
        ]
    )

    lines = [line for line in text_of(path).splitlines() if line]

    assert lines == [
        "QUY ĐỊNH",
        "Về học phí của sinh viên",
        "Chương I",
        "NHỮNG QUY ĐỊNH CHUNG",
        "Điều 1. Mức thu",
        "Sinh viên đóng học phí theo số tín chỉ đã đăng ký trong học kỳ, theo đơn giá quy định tại Điều 4 "
        "của văn bản này và các thông báo hằng năm của Phòng Tài chính của Trường.",
        "1. Sinh viên đóng đủ học phí trước ngày 15 tháng 10 của học kỳ, theo thông báo của Phòng Tài chính; "
        "quá hạn thì:",
        "a) Bị nhắc nhở;",
        "b) Bị hủy đăng ký học phần.",
        "- Trừ trường hợp được gia hạn.",
        "Khóa Đơn giá",
        "K47 510.000",
    ]


def test_running_headers_and_page_numbers_go(write_pdf: WritePdf) -> None:
    pages = [
        ["Trường Đại học X - Sổ tay", f"{number}. Mục số {number} có nội dung.", f"Trang {number}/4"]
        for number in range(1, 5)
    ]

    assert text_of(write_pdf(pages)).splitlines() == [f"{n}. Mục số {n} có nội dung." for n in range(1, 5)]


def test_a_paragraph_goes_on_over_the_page(write_pdf: WritePdf) -> None:
    full = "Sinh viên được nghỉ học tạm thời và bảo lưu kết quả đã học khi có lý do chính đáng"

    text = text_of(write_pdf([[full, full.lower(), full.lower(), "1"], ["theo quy định của Trường.", "2"]]))

    assert text == f"{full} {full.lower()} {full.lower()} theo quy định của Trường."


def test_each_passage_knows_the_page_it_begins_on(write_pdf: WritePdf) -> None:
    pages = [
        ["QUY ĐỊNH", "Về học phí", "1"],
        ["Điều 1. Mức thu", "1. Sinh viên đóng học phí theo số tín chỉ đã đăng ký.", "2"],
        [f"{number}. {CLAUSE}" for number in (2, 3)] + ["3"],
        [f"4. {CLAUSE}", "Điều 2. Miễn giảm", CLAUSE, "4"],
    ]
    path = write_pdf(pages)

    (document,) = load_knowledge(path.parent).documents
    places = {passage.locator: passage.page for passage in split(document)}

    assert places["Điều 1, khoản 1"] == 2
    assert (places["Điều 1, khoản 2"], places["Điều 1, khoản 3"]) == (3, 3)
    assert (places["Điều 1, khoản 4"], places["Điều 2"]) == (4, 4)


def test_a_clause_that_goes_on_over_the_page_stands_where_it_begins(write_pdf: WritePdf) -> None:
    full = "1. Sinh viên được nghỉ học tạm thời và bảo lưu kết quả đã học khi có lý do chính đáng"

    path = write_pdf([["Điều 1. Nghỉ học", full], ["theo quy định của Trường.", "2. Sinh viên nộp đơn."]])

    (document,) = PdfLoader().load(path).documents
    assert document.marks == ((0, {"page": 1}), (3, {"page": 2}))
    assert document.text.splitlines()[3] == "2. Sinh viên nộp đơn."


def test_a_number_in_the_text_is_no_page_number(write_pdf: WritePdf) -> None:
    text = text_of(write_pdf([["Điểm tối đa", "25", "Điểm tối thiểu", "14"], ["Hết", "7"]]))

    assert "25" in text
    assert "14" in text
    assert "7" in text


def test_a_page_without_text_is_a_warning(write_pdf: WritePdf) -> None:
    loading = PdfLoader().load(write_pdf([["Điều 1. Trang này có đủ chữ."], []]))

    assert [warning.message for warning in loading.warnings] == [
        "no text on page 2: a scan or a picture, which is not read"
    ]


def test_a_scan_can_still_be_cited(tmp_path: Path, write_pdf: WritePdf) -> None:
    write_pdf([[], []])

    knowledge = load_knowledge(tmp_path)

    assert [document.meta.id for document in knowledge.documents] == ["quy-dinh"]
    assert [str(warning) for warning in knowledge.warnings] == [
        "quy-dinh.pdf: no page has text: the file is a scan; put in a PDF that was made from the "
        "document itself"
    ]


def test_a_file_that_is_no_pdf_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"PK\x03\x04 not this")

    (problem,) = PdfLoader().load(path).problems

    assert problem.message == "the file is no PDF, whatever its name says"


def test_a_damaged_pdf_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing that follows is right")

    (problem,) = PdfLoader().load(path).problems

    assert "damaged" in problem.message


def test_a_pdf_with_a_password_says_so(write_pdf: WritePdf) -> None:
    (problem,) = PdfLoader().load(write_pdf([["Điều 1. Mật"]], protected=True)).problems

    assert "password" in problem.message
