"""A regulation is split where a lawyer would cut it, and nothing of it is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rag.ingest.split import MAX_WORDS, split
from rag.types import Document, DocumentMeta, Passage
from school.dimensions import AppliesTo

SENTENCE = "Sinh viên phải nộp hồ sơ đầy đủ và đúng hạn cho Phòng Đào tạo theo mẫu đã công bố trên cổng."
"""Twenty words."""

KNOWLEDGE = Path(__file__).parents[3] / "knowledge"


def passages(text: str, **meta: object) -> list[Passage]:
    return split(Document(DocumentMeta(**{"id": "qd", "title": "Quy định", **meta}), text, "hash"))  # type: ignore[arg-type]


def by_locator(text: str) -> dict[str, str]:
    found = passages(text)
    texts = {passage.locator: passage.text for passage in found}
    assert len(texts) == len(found), [passage.locator for passage in found]
    return texts


def sentences(count: int, about: str = "") -> str:
    return " ".join(f"{SENTENCE[:-1]} {about}{number}." for number in range(count))


def tokens(text: str) -> list[str]:
    return re.findall(r"\w+", text)


# --- places ---------------------------------------------------------------------------------------------------------


def test_clauses_of_an_article_are_cited_one_by_one() -> None:
    text = f"""\
# QUY ĐỊNH

## Chương II. ĐĂNG KÝ

### Điều 4. Đăng ký học phần

1. {sentences(2)}
2. Sinh viên được đăng ký: {sentences(1)}
"""
    found = passages(text)

    assert [passage.locator for passage in found] == ["Điều 4, khoản 1", "Điều 4, khoản 2"]
    assert found[1].text.startswith("2. Sinh viên được đăng ký:")
    assert found[0].context == ("QUY ĐỊNH", "Chương II. ĐĂNG KÝ", "Điều 4. Đăng ký học phần")


@pytest.mark.parametrize(
    "heading",
    [
        "### Điều 4. Đăng ký học phần",
        "**Điều 4. Đăng ký học phần**",
        "Điều 4. Đăng ký học phần",
        "ĐIỀU 4: ĐĂNG KÝ HỌC PHẦN",
        "###### **Điều 4. Đăng ký học phần** ######",
    ],
    ids=["Markdown", "bold", "plain", "capitals", "deep and bold"],
)
def test_an_article_is_recognised_however_its_title_is_set(heading: str) -> None:
    found = passages(f"{heading}\n\n1. {sentences(2)}\n2. {sentences(2)}\n")

    assert [passage.locator for passage in found] == ["Điều 4, khoản 1", "Điều 4, khoản 2"]


@pytest.mark.parametrize("mark", ["1.", "1)", "1/"])
def test_clauses_may_be_numbered_in_several_ways(mark: str) -> None:
    second = mark.replace("1", "2")
    found = passages(f"### Điều 1. A\n\n{mark} {sentences(2)}\n{second} {sentences(2)}\n")

    assert [passage.locator for passage in found] == ["Điều 1, khoản 1", "Điều 1, khoản 2"]


def test_an_article_with_a_letter_in_its_number() -> None:
    found = passages("### Điều 12a. Bổ sung\n\nĐoạn được bổ sung.\n\n### Điều 12đ. Nữa\n\nĐoạn khác.\n")

    assert [passage.locator for passage in found] == ["Điều 12a", "Điều 12đ"]


def test_a_clause_of_a_clause() -> None:
    text = f"### Điều 3. A\n\n3.1. {sentences(2)}\n3.2. {sentences(2)}\n"

    assert [passage.locator for passage in passages(text)] == ["Điều 3, khoản 3.1", "Điều 3, khoản 3.2"]


def test_a_short_article_is_one_passage() -> None:
    text = (
        "### Điều 5. Hạn nộp\n\n1. Nộp trước ngày 5.\n2. Nộp tại phòng:\n   a) Đào tạo;\n   b) Tài chính.\n"
    )

    (passage,) = passages(text)

    assert passage.locator == "Điều 5"
    assert passage.text.split("\n") == [
        "1. Nộp trước ngày 5.",
        "2. Nộp tại phòng:",
        "a) Đào tạo;",
        "b) Tài chính.",
    ]


def test_an_article_that_is_one_sentence() -> None:
    """The article of a decision has no title: the text behind its number is its content."""
    (passage,) = passages("Điều 3. Trưởng các phòng, khoa chịu trách nhiệm thi hành Quyết định này.\n")

    assert (passage.locator, passage.text) == (
        "Điều 3",
        "Trưởng các phòng, khoa chịu trách nhiệm thi hành Quyết định này.",
    )


def test_a_document_without_articles_is_cited_by_its_headings() -> None:
    text = f"# Sổ tay\n\n## Thư viện\n\n{sentences(1)}\n\n## Nhà ăn\n\nMở cửa lúc 6 giờ.\n"

    assert by_locator(text) == {"Thư viện": sentences(1), "Nhà ăn": "Mở cửa lúc 6 giờ."}


def test_an_appendix_is_part_of_the_place() -> None:
    text = "### Điều 9. A\n\nHiệu lực.\n\n## PHỤ LỤC II. Mức thu\n\n### Điều 9. B\n\nMức thu là 5 đồng.\n"

    found = passages(text)

    assert found[1].locator.startswith("Phụ lục II, Điều 9")
    assert found[0].locator.startswith("Điều 9")
    assert found[0].locator != found[1].locator


def test_the_decision_and_the_regulation_behind_it_are_told_apart() -> None:
    text = """\
# QUYẾT ĐỊNH

Điều 1. Ban hành kèm theo Quyết định này Quy chế học vụ.

Điều 2. Quyết định có hiệu lực từ ngày ký.

# QUY CHẾ HỌC VỤ

### Điều 1. Phạm vi

Quy chế này quy định việc học.

### Điều 3. Khác

Điều này có một lần.
"""
    assert by_locator(text) == {
        "Điều 1 (QUYẾT ĐỊNH)": "Ban hành kèm theo Quyết định này Quy chế học vụ.",
        "Điều 2": "Quyết định có hiệu lực từ ngày ký.",
        "Điều 1 (QUY CHẾ HỌC VỤ)": "Quy chế này quy định việc học.",
        "Điều 3": "Điều này có một lần.",
    }


def test_a_clause_with_a_heading_of_its_own_stays_in_its_article() -> None:
    text = "## Điều 5. Miễn giảm\n\n### 1. Đối tượng\n\nCon thương binh.\n\n### 2. Hồ sơ\n\nĐơn và thẻ.\n"

    locators = [passage.locator for passage in passages(text)]

    assert len(locators) == 2
    for locator, number in zip(locators, "12", strict=True):
        assert locator.startswith("Điều 5, ")
        assert locator.endswith(number)


# --- headings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "# QUY ĐỊNH\n\n## Chương I. CHUNG\n\n### Điều 1. Phạm vi\n",
        "Chương I\n\nĐiều 1. Phạm vi\n\nĐiều 2. Đối tượng\n",
        "**PHỤ LỤC**\n\n**Mục 2. Học phí**\n",
        "",
        "\n\n---\n\n***\n",
        "| Chứng chỉ | Bậc |\n|---|---|\n",
    ],
)
def test_headings_with_nothing_under_them_say_nothing(text: str) -> None:
    assert passages(text) == []


def test_a_heading_is_context_and_not_text() -> None:
    text = "# QUY ĐỊNH\n\n## Chương I. CHUNG\n\n### Điều 1. Phạm vi\n\nMọi sinh viên.\n\n### Điều 2. Trống\n"

    (passage,) = passages(text)

    assert passage.text == "Mọi sinh viên."
    assert passage.context == ("QUY ĐỊNH", "Chương I. CHUNG", "Điều 1. Phạm vi")


def test_an_unfinished_heading_leaves_the_next_one_alone() -> None:
    text = "## Chương I. CHUNG\n\n### Điều 1. A\n\nMột.\n\n## Chương II. RIÊNG\n\n### Điều 2. B\n\nHai.\n"

    first, second = passages(text)

    assert first.context == ("Chương I. CHUNG", "Điều 1. A")
    assert second.context == ("Chương II. RIÊNG", "Điều 2. B")


# --- long clauses ---------------------------------------------------------------------------------------------------

LONG = f"""\
### Điều 7. Điều kiện

2. Sinh viên được xét khi có đủ các điều kiện sau:
   a) {sentences(2, "a")}
   b) {sentences(2, "b")}
   c) {sentences(2, "c")}
   d) {sentences(2, "d")}
"""


def test_a_long_clause_is_split_at_its_points_behind_the_sentence_that_leads_in() -> None:
    found = passages(LONG)

    assert len(found) > 1
    for passage in found:
        lead, *points = passage.text.split("\n")
        assert lead == "2. Sinh viên được xét khi có đủ các điều kiện sau:"
        assert points
        assert len(passage.text.split()) <= MAX_WORDS + len(lead.split())
    assert found[0].locator.startswith("Điều 7, khoản 2, điểm a")
    assert found[-1].locator.endswith("d")
    points = [line[0] for passage in found for line in passage.text.split("\n")[1:]]
    assert points == ["a", "b", "c", "d"]


def test_a_point_that_is_long_itself_is_cited_alone() -> None:
    text = f"### Điều 7. A\n\n1. Gồm:\n   a) {sentences(4, 'a')}\n   b) {sentences(4, 'b')}\n"

    assert [passage.locator for passage in passages(text)] == [
        "Điều 7, khoản 1, điểm a",
        "Điều 7, khoản 1, điểm b",
    ]


def test_a_clause_without_points_is_cut_at_its_sentences() -> None:
    found = passages(f"### Điều 8. A\n\n1. {sentences(20)}\n")

    assert len(found) > 2
    assert {passage.locator for passage in found} == {"Điều 8, khoản 1"}
    for passage in found:
        assert len(passage.text.split()) <= MAX_WORDS
        assert passage.text.endswith(".")


def test_a_title_before_a_name_ends_no_sentence() -> None:
    line = "Trưởng phòng là PGS. TS. Nguyễn An, điện thoại 0292 3832 663. "

    for passage in passages(f"### Điều 8. A\n\n1. {line * 40}\n"):
        assert passage.text.endswith("663.")


def test_a_text_without_sentences_is_cut_all_the_same() -> None:
    found = passages(" ".join(f"từ{number}" for number in range(2000)))

    assert all(len(passage.text.split()) <= 2 * MAX_WORDS for passage in found)
    assert [word for passage in found for word in passage.text.split()] == [f"từ{n}" for n in range(2000)]


def test_a_short_sentence_above_long_points_can_be_quoted() -> None:
    """The short line is a sentence, not a title: an answer may quote it."""
    fee = "1. Mức thu là 560.000 đồng một tín chỉ."
    text = f"### Điều 9. Mức thu\n\n{fee}\n   a) {sentences(4)}\n   b) {sentences(4)}\n"

    assert any(fee in passage.text for passage in passages(text))


def test_a_clause_broken_over_lines_is_one_clause() -> None:
    text = (
        "### Điều 2. A\n\n1. Sinh viên nộp đơn cho Phòng Đào tạo\ntrước ngày thi ít nhất hai ngày.\n"
        f"2. {sentences(3)}\n"
    )

    first = passages(text)[0]

    assert first.text == "1. Sinh viên nộp đơn cho Phòng Đào tạo trước ngày thi ít nhất hai ngày."


# --- tables ---------------------------------------------------------------------------------------------------------

SHORT_TABLE = """\
### Điều 8. Bảng quy đổi

| Chứng chỉ | Tương đương |
|---|---|
| HSK cấp 1 | bậc A1 |
| HSK cấp 2 | bậc A2 |
"""


def test_a_row_is_read_as_a_statement_with_its_column_headings() -> None:
    (passage,) = passages(SHORT_TABLE)

    assert passage.text.split("\n") == [
        "Chứng chỉ: HSK cấp 1; Tương đương: bậc A1",
        "Chứng chỉ: HSK cấp 2; Tương đương: bậc A2",
    ]
    assert passage.locator == "Điều 8"


def test_a_table_with_its_name_in_the_corner_reads_like_speech() -> None:
    (passage,) = passages("| | bậc |\n|---|---|\n| HSK cấp 1 | A1 |\n| HSK cấp 2 | A2 |\n")

    assert passage.text.split("\n") == ["HSK cấp 1; bậc: A1", "HSK cấp 2; bậc: A2"]


def long_table(rows: int) -> str:
    lines = [
        f"| Ngành số {row} | {row}00.000 đồng | ghi chú cho ngành số {row} |" for row in range(1, rows + 1)
    ]
    return "\n".join(("| Ngành | Học phí | Ghi chú |", "|:--|--:|:-:|", *lines))


def test_rows_of_a_long_table_are_passages_of_their_own() -> None:
    found = passages(f"### Điều 3. Mức thu\n\n1. Mức thu theo ngành như sau:\n\n{long_table(12)}\n")

    rows = [passage for passage in found if "Ngành: " in passage.text]
    assert [passage.text for passage in rows][
        6
    ] == "Ngành: Ngành số 7; Học phí: 700.000 đồng; Ghi chú: ghi chú cho ngành số 7"
    assert len(rows) == 12
    assert len({passage.locator for passage in rows}) == 12
    assert all(passage.locator.startswith("Điều 3, khoản 1, ") for passage in rows)
    # What leads in to the table says what the rows are about.
    assert all(any("Mức thu theo ngành" in text for text in passage.context) for passage in rows)


def test_a_row_with_one_cell_is_a_heading_of_the_rows_below() -> None:
    table = (
        "| Nội dung | Mức |\n|---|---|\n| 1. Khóa 47 | |\n"
        + "".join(f"| Ngành số {n} của khối kỹ thuật công nghệ | {n} đồng |\n" for n in range(9))
        + "| 2. Khóa 48 | |\n"
        + "".join(f"| Ngành số {n} của khối kinh tế và luật | {n} nghìn |\n" for n in range(9))
    )
    rows = passages(table)

    assert len(rows) == 18
    assert all("1. Khóa 47" in row.context for row in rows[:9])
    assert all("2. Khóa 48" in row.context and "1. Khóa 47" not in row.context for row in rows[9:])


def test_row_numbers_and_empty_cells_are_not_read_out() -> None:
    (passage,) = passages("| STT | Tên | Ghi chú |\n|---|---|---|\n| 1 | Thư viện | - |\n| 2 | Nhà ăn | |\n")

    assert passage.text == "Tên: Thư viện\nTên: Nhà ăn"


def test_a_table_without_headings_is_read_as_it_stands() -> None:
    (passage,) = passages("| Thư viện | tầng 2 |\n| Nhà ăn | tầng 1 |\n")

    assert passage.text == "Thư viện; tầng 2\nNhà ăn; tầng 1"


def test_two_tables_have_their_own_headings() -> None:
    text = "| A | B |\n|---|---|\n| 1 | 2 |\n\n| C | D |\n|---|---|\n| 3 | 4 |\n"

    assert "\n".join(passage.text for passage in passages(text)) == "A: 1; B: 2\nC: 3; D: 4"


def test_a_row_with_more_cells_than_headings_keeps_them() -> None:
    (passage,) = passages("| A | B |\n|---|---|\n| một | hai | ba |\n")

    assert passage.text == "A: một; B: hai; ba"


# --- what a passage carries -----------------------------------------------------------------------------------------


def test_a_passage_carries_what_is_known_of_its_document() -> None:
    applies = AppliesTo({"cohort": ("47-",)})
    found = passages(
        f"### Điều 1. A\n\n1. {sentences(2)}\n2. {sentences(2)}\n",
        id="hoc-phi",
        title="Học phí",
        number="5/QĐ",
        topic="tuition",
        applies_to=applies,
        url="https://x.example/a",
    )

    assert [passage.id for passage in found] == ["hoc-phi#0", "hoc-phi#1"]
    assert [passage.order for passage in found] == [0, 1]
    for passage in found:
        assert (passage.document_id, passage.title, passage.number) == ("hoc-phi", "Học phí", "5/QĐ")
        assert (passage.topic, passage.applies_to, passage.url) == ("tuition", applies, "https://x.example/a")
    assert found[0].parent == found[1].parent


def test_clauses_of_different_articles_have_different_parents() -> None:
    found = passages(
        "### Điều 1. A\n\nMột.\n\n### Điều 2. B\n\nHai.\n\n## Chương V. C\n\n### Điều 3. D\n\nBa.\n"
    )

    assert len({passage.parent for passage in found}) == 3


def test_emphasis_is_for_the_page_and_not_for_the_text() -> None:
    (passage,) = passages("Nộp **trước** ngày *30* và __đủ__; 3*4 = 12, mã a_b_c.\n")

    assert passage.text == "Nộp trước ngày 30 và đủ; 3*4 = 12, mã a_b_c."


def test_splitting_is_the_same_every_time() -> None:
    assert passages(LONG + SHORT_TABLE) == passages(LONG + SHORT_TABLE)


# --- nothing is lost ------------------------------------------------------------------------------------------------

MIXED = f"""\
# QUY CHẾ

Căn cứ Luật Giáo dục đại học;

## Chương I. CHUNG

### Điều 1. Phạm vi

Đoạn dẫn của điều này:
- Gạch một;
  + Cộng một;
- Gạch hai.

Đoạn sau danh sách.

1. {sentences(7, "x")}
   a) Điểm đầu {sentences(3, "y")}
   b) Điểm sau {sentences(3, "z")}
   Đoạn sau các điểm.
2. Khoản ngắn:

| Cột một | Cột hai |
|---|---|
| ô một | ô hai |

Đoạn sau bảng.

{LONG}

{long_table(12)}

Nơi nhận: lưu VT.
"""


def test_nothing_of_a_text_is_lost() -> None:
    """Every word stands in the text of a passage, or in its headings when it is part of one."""
    found = passages(MIXED)

    said = {token for passage in found for token in tokens("\n".join((*passage.context, passage.text)))}
    assert set(tokens(MIXED)) <= said


@pytest.mark.parametrize("path", sorted((KNOWLEDGE / "documents").glob("*.md")), ids=lambda path: path.stem)
def test_nothing_of_the_sample_documents_is_lost(path: Path) -> None:
    """Every line that is no heading and no table stands in one piece in a passage's shown text."""
    _, _, text = path.read_text(encoding="utf-8").partition("\n---\n")
    found = passages(text)
    shown = " ".join(" ".join(passage.text.split()) for passage in found)
    above = {heading for passage in found for heading in passage.context}

    for line in text.splitlines():
        stripped = re.sub(r"\*\*|__|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)", "", line).strip()
        if not any(char.isalnum() for char in stripped) or stripped.startswith(("|", "#")):
            continue
        pieces = re.split(r"(?<=[.;!?])\s+", stripped)
        assert stripped in above or all(piece in shown for piece in pieces), stripped
    for row in re.findall(r"^\|(.*)\|\s*$", text, re.MULTILINE):
        cells = [cell.strip(" *") for cell in row.split("|")]
        read = shown + " ".join(above)
        numbered = re.compile(r"[-:\s]*|\d{1,2}")
        assert all(
            cell.casefold() in ("stt", "tt") or numbered.fullmatch(cell) or cell in read for cell in cells
        ), row


# --- text without marks ---------------------------------------------------------------------------------------------


def test_the_title_of_a_plain_text_is_a_heading() -> None:
    """A .txt or a PDF has no "#": a title in capitals says nothing that a student could be told."""
    (passage,) = passages("NỘI QUY KÝ TÚC XÁ\n\nĐiều 1. Giờ giấc\n\nCổng đóng lúc 22 giờ 30.\n")

    assert passage.text == "Cổng đóng lúc 22 giờ 30."
    assert passage.context == ("NỘI QUY KÝ TÚC XÁ", "Điều 1. Giờ giấc")


def test_capitals_inside_an_article_are_text() -> None:
    text = "Điều 1. Hồ sơ\n\n1. Sinh viên nộp:\n\nĐƠN XIN HOÃN THI\n\n2. Nộp trước hai ngày.\n"

    (passage,) = passages(text)

    assert passage.locator == "Điều 1"
    assert "ĐƠN XIN HOÃN THI" in passage.text
    assert "2. Nộp trước hai ngày." in passage.text
