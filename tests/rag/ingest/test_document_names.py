"""Regulations are named by title, by its short form, by number."""

from __future__ import annotations

import re
from datetime import date

import pytest

from rag.ingest.document_names import document_forms, document_names
from rag.types import Document, DocumentMeta
from vietnamese.text import fold

OLD = DocumentMeta(
    "qc-2021",
    "Quy chế đào tạo đại học (ban hành năm 2021)",
    "743/QĐ-DHX",
    date(2021, 7, 26),
    effective_to=date(2025, 8, 31),
)
NEW = DocumentMeta(
    "qc-2025", "Quy chế đào tạo trình độ đại học", "655/QĐ-DHX", date(2025, 7, 18), supersedes=("qc-2021",)
)
LEAVE = DocumentMeta("bao-luu", "Quy định về bảo lưu kết quả", "318/QĐ-DHX", date(2024, 5, 1))
DORM = DocumentMeta("ktx", "Nội quy ký túc xá", "318/QĐ-DHX", date(2026, 5, 1))
OLD_K = DocumentMeta("tt-49", "Quy định thực tập (K49)")
NEW_K = DocumentMeta("tt-50", "Quy định thực tập (K50)")
PAGE = DocumentMeta("page", "Câu hỏi thường gặp về học phí")
METAS = (OLD, NEW, LEAVE, DORM, OLD_K, NEW_K, PAGE)
ALIASES = {"ktx": ("nội quy ktx",), "tt-49": ("quy định thực tập k49",)}
FORMS = document_forms([Document(meta, "", "") for meta in METAS], ALIASES)


def named(text: str) -> set[str]:
    """The documents by the longest forms that match."""
    found = [
        (match.end() - match.start(), form.value)
        for form in FORMS
        for match in re.finditer(form.pattern, fold(text))
        if form.exact is None or re.fullmatch(form.exact, text.lower()[match.start() : match.end()])
    ]
    return {value for length, value in found if length == max(found)[0]}


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("quy chế đào tạo trình độ đại học", "qc-2025"),
        ("theo quy chế đào tạo", "qc-2025"),
        ("QUY CHE DAO TAO", "qc-2025"),
        ("quy chế đào tạo năm 2021", "qc-2021"),
        ("quy chế đào tạo 2025", "qc-2025"),
        ("quy định bảo lưu kết quả", "bao-luu"),
        ("quy định về bảo lưu kết quả", "bao-luu"),
        ("nội quy ktx", "ktx"),
        ("quy định thực tập k49", "tt-49"),
        ("655/QĐ-DHX", "qc-2025"),
        ("quyết định số 655/qđ-dhx", "qc-2025"),
        ("qđ 743", "qc-2021"),
        ("quyết định 318 năm 2024", "bao-luu"),
        ("318/QĐ-DHX ngày 1 tháng 5 năm 2026", "ktx"),
    ],
)
def test_a_document_that_is_named(text: str, document: str) -> None:
    assert named(text) == {document}


@pytest.mark.parametrize(
    "text",
    [
        "quy định thực tập",  # two of them
        "quyết định 318",
        "318/QĐ-DHX",
        "bảo lưu kết quả",
        "số 655",
        "quyết định 6550",
        "quyết định 655-2019",
        "655/QĐ-KHAC nào đó",
        "câu hỏi thường gặp về học phí",
        "quy chế",
    ],
)
def test_what_names_no_document_for_certain(text: str) -> None:
    assert named(text) == set()


def test_no_name_leads_to_two_documents() -> None:
    names = [fold(name) for listed in document_names(METAS, ALIASES).values() for name in listed]

    assert len(names) == len(set(names))
