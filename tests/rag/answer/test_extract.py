"""The smallest run of clauses that holds the answer, in the document's own words and order."""

from __future__ import annotations

import pytest

from rag.answer.extract import LEFT_OUT, extract
from rag.pipeline import ExtractLimits, load_pipeline
from rag.types import DOCUMENT_SOURCE, Candidate, Passage
from vietnamese.text import words

LIMITS = load_pipeline("covan").extract.model_copy(
    update={"max_words": 40, "neighbour_margin": 0.1, "also": 0}
)


def clause(order: int, score: float, text: str = "", parent: str = "Điều 1") -> Candidate:
    passage = Passage(
        id=f"a#{order}",
        text=text or f"Khoản {order} nói điều số {order}.",
        document_id="a",
        title="Quy định",
        locator=f"{parent}, khoản {order}",
        parent=parent,
        order=order,
        number="5/QĐ",
        url="https://x.example",
    )
    return Candidate(DOCUMENT_SOURCE, passage, score)


def locators(*candidates: Candidate, limits: ExtractLimits = LIMITS) -> list[str]:
    _, citations = extract(candidates, limits)
    return [citation.locator for citation in citations]


def test_the_best_clause_alone_when_no_other_is_as_good() -> None:
    text, (citation,) = extract([clause(3, 0.9), clause(4, 0.7)], LIMITS)

    assert text == citation.quote == "Khoản 3 nói điều số 3."
    assert (citation.document_id, citation.title, citation.number) == ("a", "Quy định", "5/QĐ")
    assert (citation.locator, citation.url) == ("Điều 1, khoản 3", "https://x.example")


def test_clauses_that_are_nearly_as_good_come_in_the_order_of_the_document() -> None:
    text, citations = extract([clause(3, 0.9), clause(1, 0.88), clause(2, 0.85)], LIMITS)

    assert text == "Khoản 1 nói điều số 1.\nKhoản 2 nói điều số 2.\nKhoản 3 nói điều số 3."
    assert [citation.locator for citation in citations] == [f"Điều 1, khoản {n}" for n in (1, 2, 3)]


def test_clauses_of_another_article_are_left_out() -> None:
    assert locators(clause(3, 0.9), clause(1, 0.9, parent="Điều 2")) == ["Điều 1, khoản 3"]


def test_what_would_be_too_long_is_left_out() -> None:
    long = "từ " * 35

    assert locators(clause(1, 0.9), clause(2, 0.89, long), clause(3, 0.88)) == [
        *("Điều 1, khoản 1", "Điều 1, khoản 3"),
    ]


def test_one_clause_is_never_cut() -> None:
    long = "từ " * 200

    text, _ = extract([clause(1, 0.9, long), clause(2, 0.9)], LIMITS)

    assert text == long


WITH_OTHERS = LIMITS.model_copy(update={"max_words": 30, "also": 2, "also_margin": 0.2})


def test_the_next_best_clauses_of_other_articles_follow_in_their_own_paragraphs() -> None:
    text, citations = extract(
        [clause(1, 0.9), clause(4, 0.8, parent="Điều 2"), clause(5, 0.6, parent="Điều 3")], WITH_OTHERS
    )

    assert text == "Khoản 1 nói điều số 1.\n\nKhoản 4 nói điều số 4."
    assert [citation.locator for citation in citations] == ["Điều 1, khoản 1", "Điều 2, khoản 4"]


def test_of_a_clause_that_does_not_fit_come_the_sentences_that_say_what_was_asked() -> None:
    paid = "Học phí được đóng trước ngày khai giảng."
    long = f"Sinh viên nộp đơn tại phòng đào tạo. {paid} Các điều khác do nhà trường quy định."

    text, (_, other) = extract(
        [clause(1, 0.9, "Khoản này dài mười từ nên còn ít chỗ lại."), clause(2, 0.8, long, "Điều 2")],
        WITH_OTHERS.model_copy(update={"max_words": 20}),
        "khi nào đóng học phí",
    )

    assert other.quote == f"{LEFT_OUT} {paid} {LEFT_OUT}"
    assert text.endswith(f"\n\n{other.quote}")


def test_a_question_typed_without_diacritics_chooses_the_same_sentences() -> None:
    long = "Sinh viên nộp đơn tại phòng đào tạo. Học phí được đóng trước ngày khai giảng."
    candidates = [clause(1, 0.9, "Khoản này dài mười từ nên còn ít chỗ lại."), clause(2, 0.8, long, "Điều 2")]
    limits = WITH_OTHERS.model_copy(update={"max_words": 20})

    assert extract(candidates, limits, "khi nao dong hoc phi") == extract(
        candidates, limits, "khi nào đóng học phí"
    )


def test_an_answer_with_others_is_never_longer_than_it_may_be() -> None:
    candidates = [
        clause(n, 0.9 - n / 100, f"Điều số {n} nói một chuyện gì đó dài dòng.", f"Điều {n}") for n in range(5)
    ]

    text, _ = extract(candidates, WITH_OTHERS.model_copy(update={"also": 5}), "chuyện gì")

    assert len(words(text)) <= 30


def test_the_sentence_that_leads_in_is_said_once() -> None:
    text, citations = extract(
        [clause(1, 0.9, "Gồm:\na) Một;"), clause(2, 0.9, "Gồm:\nb) Hai."), clause(3, 0.9, "Khác:\nc) Ba.")],
        LIMITS,
    )

    assert text == "Gồm:\na) Một;\nb) Hai.\nKhác:\nc) Ba."
    assert [citation.quote for citation in citations] == ["Gồm:\na) Một;", "Gồm:\nb) Hai.", "Khác:\nc) Ba."]


@pytest.mark.parametrize("margin", [0.0, 0.3])
def test_how_near_is_near_enough_is_a_setting(margin: float) -> None:
    limits = LIMITS.model_copy(update={"neighbour_margin": margin})

    assert len(locators(clause(1, 0.9), clause(2, 0.7), limits=limits)) == (2 if margin else 1)


def test_a_row_of_a_table_is_quoted_whole_on_a_line_of_its_own() -> None:
    pool, court = (
        "Nơi: Hồ bơi; Giờ mở cửa: 5:30 – 20:00; Mức thu: 15.000 đồng",
        "Nơi: Sân cầu lông; Giờ mở cửa: 6:00 – 21:00; Mức thu: 40.000 đồng",
    )
    table = clause(2, 0.8, f"1. Giờ mở cửa như sau:\n{pool}\n{court}", parent="Điều 2")
    limits = LIMITS.model_copy(update={"also": 1, "also_margin": 0.4, "max_words": 27})

    text, citations = extract([clause(1, 0.9), table], limits, "hồ bơi mở cửa mấy giờ")

    assert text.split("\n\n")[1] == citations[1].quote
    assert pool in citations[1].quote.split("\n")
    assert court not in text
