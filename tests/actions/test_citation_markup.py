"""Locators above the quotations of an answer."""

from __future__ import annotations

from dataclasses import replace

from actions.citation_markup import text_with_locators
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, Citation, Decision, DecisionKind, Reason, Reply, Trace


def citation(locator: str, quote: str, document: str = "quy-che") -> Citation:
    return Citation(document, f"Văn bản {document}", locator, quote)


def reply(text: str, *citations: Citation, curated: bool = False) -> Reply:
    return Reply(
        decision=Decision(DecisionKind.ANSWER, (Reason.CONDITIONS_HOLD,)),
        source=FAQ_SOURCE if curated else DOCUMENT_SOURCE,
        curated=curated,
        text=text,
        citations=citations,
        options=(),
        confidence=0.9,
        trace=Trace("?", "covan", "1"),
    )


FIRST = citation("Điều 3, khoản 1", "1. Nộp đơn trong bảy ngày.")
SECOND = citation("Điều 9, khoản 2", "[…] Lệ phí là 30.000 đồng. […]")


def test_one_quotation_stands_as_it_is() -> None:
    one = reply(FIRST.quote, FIRST)

    assert text_with_locators(one) == FIRST.quote


def test_each_of_several_stands_under_its_place() -> None:
    two = reply(f"{FIRST.quote}\n\n{SECOND.quote}", FIRST, SECOND)

    assert text_with_locators(two) == (
        "**Điều 3, khoản 1**\n\n1. Nộp đơn trong bảy ngày.\n\n"
        "**Điều 9, khoản 2**\n\n[…] Lệ phí là 30.000 đồng. […]"
    )


def test_of_several_documents_each_is_named() -> None:
    other = replace(SECOND, document_id="thong-bao", title="Thông báo học phí")
    two = reply(f"{FIRST.quote}\n\n{other.quote}", FIRST, other)

    assert "**Điều 3, khoản 1** – *Văn bản quy-che*\n\n1." in text_with_locators(two)
    assert "**Điều 9, khoản 2** – *Thông báo học phí*\n\n[…]" in text_with_locators(two)


def test_a_long_title_is_cut_at_a_word() -> None:
    other = replace(SECOND, document_id="quyet-dinh", title="QUYẾT ĐỊNH Ban hành Quy định " * 9)

    heading = text_with_locators(reply(f"{FIRST.quote}\n\n{other.quote}", FIRST, other)).split("\n\n")[2]
    assert len(heading) < 120
    assert heading.endswith("…*")


def test_pieces_of_one_place_stand_under_it_together() -> None:
    more = replace(SECOND, quote="[…] Nộp tại phòng 5.")
    three = reply(f"{FIRST.quote}\n\n{SECOND.quote}\n\n{more.quote}", FIRST, SECOND, more)

    assert text_with_locators(three).count("**Điều 9, khoản 2**") == 1
    assert text_with_locators(three).endswith(f"{SECOND.quote}\n\n{more.quote}")


def test_one_place_needs_no_heading_however_many_pieces_it_is_quoted_in() -> None:
    more = replace(FIRST, quote="[…] Nộp tại phòng 5.")
    two = reply(f"{FIRST.quote}\n\n{more.quote}", FIRST, more)

    assert text_with_locators(two) == two.text


def test_without_a_place_the_document_is_named() -> None:
    nowhere = replace(SECOND, locator="")
    two = reply(f"{FIRST.quote}\n\n{nowhere.quote}", FIRST, nowhere)

    assert "**Văn bản quy-che**\n\n[…]" in text_with_locators(two)


def test_clauses_that_share_a_leading_sentence_are_told_apart() -> None:
    lead = "Sinh viên được miễn học phí khi:"
    a = citation("Điều 5, khoản 1, điểm a", f"{lead}\na) là con liệt sĩ;")
    b = citation("Điều 5, khoản 1, điểm b", f"{lead}\nb) là người khuyết tật.")
    two = reply(f"{lead}\na) là con liệt sĩ;\nb) là người khuyết tật.", a, b)

    assert text_with_locators(two) == (
        f"**Điều 5, khoản 1, điểm a**\n\n{lead}\na) là con liệt sĩ;\n\n"
        "**Điều 5, khoản 1, điểm b**\n\nb) là người khuyết tật."
    )


def test_the_same_words_twice_are_two_places() -> None:
    same = replace(FIRST, locator="Điều 4, khoản 1")
    two = reply(f"{FIRST.quote}\n\n{FIRST.quote}", FIRST, same)

    assert text_with_locators(two).count(FIRST.quote) == 2
    assert text_with_locators(two).index("Điều 4") > text_with_locators(two).index("Điều 3")


def test_an_answer_of_an_office_is_said_in_its_own_words() -> None:
    own = reply("Bạn nộp đơn trong bảy ngày, lệ phí 30.000 đồng.", FIRST, SECOND, curated=True)

    assert text_with_locators(own) == own.text


def test_what_is_not_quoted_literally_is_left_alone() -> None:
    free = reply("Nộp đơn trong một tuần.", FIRST, SECOND)

    assert text_with_locators(free) == free.text


def test_the_rows_of_a_table_are_a_list() -> None:
    rows = ("Nơi: Hồ bơi; Giờ mở cửa: 5:30 – 20:00", "Nơi: Sân cầu lông; Giờ mở cửa: 6:00 – 21:00")
    text = f"1. Giờ mở cửa như sau:\n{rows[0]}\n{rows[1]}\n2. Sinh viên mang thẻ."

    listed = f"1. Giờ mở cửa như sau:\n- {rows[0]}\n- {rows[1]}\n\n2. Sinh viên mang thẻ."
    assert text_with_locators(reply(text, citation("Điều 2", text))) == listed
    assert text_with_locators(reply(text, citation("Điều 2", text), curated=True)) == text


def test_names_within_a_sentence_get_no_locators() -> None:
    one = replace(FIRST, quote="Kỹ thuật lập trình (CT103)", locator="dòng: CT103")
    other = replace(FIRST, quote="Toán rời rạc (TN114)", locator="dòng: TN114")
    path = reply(f"Phải học: {one.quote}, {other.quote}.", one, other)

    assert text_with_locators(path) == path.text
