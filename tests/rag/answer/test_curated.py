"""An office's answer is shown with the very words it rests on, and never with others."""

from __future__ import annotations

import pytest

from rag.answer.curated import CuratedAnswers
from rag.types import FaqEntry, Passage, Source


def passage(locator: str, document: str = "quy-che") -> Passage:
    return Passage(
        id=f"{document}#{locator}",
        text=f"Lời của {locator}.",
        document_id=document,
        title="Quy chế",
        locator=locator,
        number="5/QĐ",
        url="https://x.example",
    )


PASSAGES = [
    passage("Điều 1 (QUYẾT ĐỊNH)"),
    passage("Điều 1, khoản 1 (QUY CHẾ)"),
    passage("Điều 1, khoản 2 (QUY CHẾ)"),
    passage("Điều 2, khoản 1, điểm a–e"),
    passage("Điều 2, khoản 1, điểm g–i"),
    passage("Điều 2, khoản 2"),
    passage("Điều 12"),
    passage("Điều 13, khoản 1"),
    passage("Điều 13, khoản 10"),
    passage("Phụ lục I, Điều 2"),
    passage("Thư viện (cơ sở 2)"),
    passage("Điều 1", "khac"),
]


def quoted(*sources: Source) -> list[tuple[str, str]]:
    entry = FaqEntry("a", "Gì?", (), "Vậy.", "study", sources=sources)
    return [(citation.locator, citation.quote) for citation in CuratedAnswers(PASSAGES).citations(entry)]


@pytest.mark.parametrize(
    ("locator", "found"),
    [
        ("Điều 2, khoản 2", "Điều 2, khoản 2"),
        (" Điều 12 ", "Điều 12"),
        ("Điều 12, khoản 3", "Điều 12"),
        ("Điều 12, khoản 3, điểm b", "Điều 12"),
        ("Điều 13", "Điều 13, khoản 1"),
        ("Điều 13, khoản 10", "Điều 13, khoản 10"),
        ("Điều 2, khoản 1, điểm a", "Điều 2, khoản 1, điểm a–e"),
        ("Điều 2, khoản 1, điểm đ", "Điều 2, khoản 1, điểm a–e"),
        ("Điều 2, khoản 1, điểm e", "Điều 2, khoản 1, điểm a–e"),
        ("Điều 2, khoản 1, điểm h", "Điều 2, khoản 1, điểm g–i"),
        ("Điều 1, khoản 2 (QUY CHẾ)", "Điều 1, khoản 2 (QUY CHẾ)"),
        ("Điều 1, khoản 2", "Điều 1, khoản 2 (QUY CHẾ)"),
        ("Điều 1 (QUY CHẾ)", "Điều 1, khoản 1 (QUY CHẾ)"),
        ("Điều 1 (QUYẾT ĐỊNH)", "Điều 1 (QUYẾT ĐỊNH)"),
        ("Phụ lục I", "Phụ lục I, Điều 2"),
        ("Thư viện (cơ sở 2)", "Thư viện (cơ sở 2)"),
    ],
)
def test_the_quotation_is_what_stands_at_the_place(locator: str, found: str) -> None:
    assert quoted(Source("quy-che", locator)) == [(locator, f"Lời của {found}.")]


@pytest.mark.parametrize(
    "locator",
    [
        "",
        "Điều 99",
        "Điều 1, khoản 9 (QUY CHẾ)",
        "Điều 2, khoản 7",
        "Điều 2, khoản 1, điểm k",
        "Điều 2, khoản 1, tiết b",
        "Điều 13, khoản 2",
        "Điều 1 (NGHỊ QUYẾT)",
        "Phụ lục II",
        "trang 5",
        "(",
    ],
)
def test_a_place_that_is_not_there_has_no_quotation(locator: str) -> None:
    """Better none than the words of another clause under its name."""
    assert quoted(Source("quy-che", locator)) == [(locator, "")]


def test_a_citation_says_where_its_document_can_be_found() -> None:
    entry = FaqEntry("a", "Gì?", (), "Vậy.", "study", sources=(Source("quy-che", "Điều 99"),))

    (citation,) = CuratedAnswers(PASSAGES).citations(entry)

    assert (citation.document_id, citation.title, citation.number) == ("quy-che", "Quy chế", "5/QĐ")
    assert citation.url == "https://x.example"


def test_every_source_is_cited_in_the_order_of_the_entry() -> None:
    sources = (Source("khac", "Điều 1"), Source("quy-che", "Điều 12"))

    assert quoted(*sources) == [("Điều 1", "Lời của Điều 1."), ("Điều 12", "Lời của Điều 12.")]


def test_without_sources_nothing_is_cited() -> None:
    assert quoted() == []
    assert quoted(Source("gone", "Điều 1")) == []
