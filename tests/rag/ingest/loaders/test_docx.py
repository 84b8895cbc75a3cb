"""A Word document comes out as light Markdown, in the order in which it stands."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

from rag.ingest.loaders.docx import DocxLoader


@pytest.fixture
def word() -> Any:
    return docx.Document()


def text_of(word: Any, folder: Path) -> str:
    path = folder / "quy-dinh.docx"
    word.save(str(path))
    loading = DocxLoader().load(path)
    assert loading.problems == ()
    return loading.documents[0].text


def test_headings_paragraphs_and_tables_keep_their_order(word: Any, tmp_path: Path) -> None:
    word.add_heading("Chương I. Chung", level=2)
    word.add_paragraph("Điều 1. Phạm vi")
    table = word.add_table(rows=2, cols=2)
    for cell, text in zip(table._cells, ["Khóa", "Chuẩn", "K47", "B1 | TOEIC\n500"], strict=True):
        cell.text = text
    word.add_paragraph("Sau bảng.")

    assert text_of(word, tmp_path) == (
        "## Chương I. Chung\n\nĐiều 1. Phạm vi\n\n"
        "| Khóa | Chuẩn |\n| --- | --- |\n| K47 | B1 \\| TOEIC 500 |\n\nSau bảng."
    )


def test_a_merged_cell_holds_for_every_row_and_column_it_spans(word: Any, tmp_path: Path) -> None:
    table = word.add_table(rows=3, cols=3)
    for row, texts in zip(
        table.rows, (("Khóa", "Chuẩn", "Ghi chú"), ("K47", "B1", ""), ("", "A2", "")), strict=True
    ):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    table.cell(1, 1).merge(table.cell(1, 2))

    assert text_of(word, tmp_path).splitlines()[2:] == ["| K47 | B1 | B1 |", "| K47 | A2 | |"]


def test_numbers_that_word_adds_are_written_out(word: Any, tmp_path: Path) -> None:
    formats = ((0, 5, "decimal", "Điều %1."), (1, 1, "decimal", "%2."), (2, 1, "lowerLetter", "%3)"))
    levels = "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for depth, start, form, text in formats
    )
    numbering = word.part.numbering_part.element
    numbering.insert(
        0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">{levels}</w:abstractNum>')
    )
    numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
    for depth, text in (
        (0, "Mức thu"),
        (1, "Đại trà"),
        (2, "kinh tế"),
        (2, "kỹ thuật"),
        (1, "Tiên tiến"),
        (0, "Hạn"),
        (1, "Kỳ 1"),
    ):
        paragraph = word.add_paragraph(text)
        paragraph._p.get_or_add_pPr().append(
            parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{depth}"/><w:numId w:val="90"/></w:numPr>')
        )  # fmt: skip

    assert text_of(word, tmp_path).splitlines() == [
        "Điều 5. Mức thu",
        "1. Đại trà",
        "a) kinh tế",
        "b) kỹ thuật",
        "2. Tiên tiến",
        "Điều 6. Hạn",
        "1. Kỳ 1",
    ]


def test_bullets_become_a_list(word: Any, tmp_path: Path) -> None:
    word.add_paragraph("Hồ sơ gồm:")
    word.add_paragraph("Đơn", style="List Bullet")
    word.add_paragraph("Bảng điểm", style="List Bullet")

    assert text_of(word, tmp_path) == "Hồ sơ gồm:\n\n- Đơn\n- Bảng điểm"


def test_tracked_changes_are_read_as_accepted(word: Any, tmp_path: Path) -> None:
    paragraph = word.add_paragraph("Nộp trước ")
    for tag, text_tag, text in (("del", "delText", "ngày 5"), ("ins", "t", "ngày 10")):
        paragraph._p.append(
            parse_xml(
                f'<w:{tag} {nsdecls("w")} w:id="1" w:author="a">'
                f"<w:r><w:{text_tag}>{text}</w:{text_tag}></w:r></w:{tag}>"
            )
        )

    assert text_of(word, tmp_path) == "Nộp trước ngày 10"


def test_text_in_content_controls_is_not_lost(word: Any, tmp_path: Path) -> None:
    word.add_paragraph("Trước")
    inside = parse_xml(
        f"<w:sdt {nsdecls('w')}><w:sdtContent>"
        "<w:p><w:r><w:t>Bên trong</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    word.element.body.insert(len(word.element.body) - 1, inside)

    assert text_of(word, tmp_path) == "Trước\n\nBên trong"


def test_a_table_of_contents_is_left_out(word: Any, tmp_path: Path) -> None:
    word.styles.add_style("toc 1", docx.enum.style.WD_STYLE_TYPE.PARAGRAPH)
    word.add_paragraph("Điều 1 ........ 3", style="toc 1")
    word.add_heading("Điều 1", level=1)

    assert text_of(word, tmp_path) == "# Điều 1"


def test_the_table_at_the_head_of_a_decision_is_no_table(word: Any, tmp_path: Path) -> None:
    table = word.add_table(rows=1, cols=2)
    table.cell(0, 0).text = "TRƯỜNG ĐẠI HỌC X"
    table.cell(0, 1).text = "CỘNG HÒA XÃ HỘI CHỦ NGHĨA VIỆT NAM"

    assert text_of(word, tmp_path) == "TRƯỜNG ĐẠI HỌC X\n\nCỘNG HÒA XÃ HỘI CHỦ NGHĨA VIỆT NAM"


def test_an_outline_level_makes_a_heading(word: Any, tmp_path: Path) -> None:
    paragraph = word.add_paragraph("Quy định chung")
    outline = paragraph._p.get_or_add_pPr().makeelement(qn("w:outlineLvl"), {qn("w:val"): "1"})
    paragraph._p.get_or_add_pPr().append(outline)

    assert text_of(word, tmp_path) == "## Quy định chung"


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04broken"])
def test_a_file_that_is_no_word_document_says_so(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(content)

    (problem,) = DocxLoader().load(path).problems

    assert problem.message.startswith("the file is no Word document (.docx), or damaged")


def test_a_zip_that_is_no_word_document_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "x")

    (problem,) = DocxLoader().load(path).problems

    assert problem.message.startswith("the file is no Word document (.docx), or damaged")


def test_a_protected_document_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512))

    (problem,) = DocxLoader().load(path).problems

    assert "password" in problem.message


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("word/document.xml", "w") as part,
    ):
        for _ in range(501):
            part.write(bytes(2**20))

    (problem,) = DocxLoader().load(path).problems

    assert "more than 500 MB" in problem.message
