"""A question as it was meant, whatever was typed."""

from __future__ import annotations

import unicodedata

import pytest

from school.catalog import GlossaryEntry
from school.glossary import Glossary
from vietnamese.chat_spelling import normalize
from vietnamese.text import MAX_QUESTION_CHARS

GLOSSARY = Glossary((GlossaryEntry("ko", ("không",), also=("k",), kind="teencode"),))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  học   phí?  ", "học phí?"),
        ("khôngggg", "không"),
        ("emmmm ơiiii", "em ơi"),
        ("rồii", "rồi"),
        ("hả???!!!", "hả?"),
        ("đi!!!", "đi!"),
        ("chờ.......", "chờ..."),
        ("ko biết??", "không biết?"),
        ("koooo", "không"),
        ("cttt với attt và httt", "cttt với attt và httt"),
        ("emmm khônggg", "em không"),
        ("điểm loại III, nhóm AAA", "điểm loại III, nhóm AAA"),
        ("KHÔNGGGG", "KHÔNG"),
        ("class pass fee", "class pass fee"),
        ("www.abc.vn a@bbb.vn", "www.abc.vn a@bbb.vn"),
        ("7480201 K47 1000", "7480201 K47 1000"),
        ("học\x00 phí\u202e", "học phí"),
        ("", ""),
    ],
)
def test_everyday_spelling(text: str, expected: str) -> None:
    assert normalize(text, GLOSSARY) == expected


def test_without_a_glossary_chat_spelling_stays() -> None:
    assert normalize("ko biếtttt") == "ko biết"


def test_the_result_is_nfc_and_bounded() -> None:
    decomposed = unicodedata.normalize("NFD", "điều kiện tốt nghiệp")

    assert normalize(decomposed) == "điều kiện tốt nghiệp"
    assert len(normalize("học phí " * 100_000, GLOSSARY)) <= MAX_QUESTION_CHARS


@pytest.mark.parametrize(
    "text", ["\ufdfa" * 1000, "\ud800", "😀😀😀", "/intent{}", "?" * 5000, "a" * 100_000]
)
def test_hostile_input_is_survived(text: str) -> None:
    result = normalize(text, GLOSSARY)

    assert len(result) <= MAX_QUESTION_CHARS
    result.encode("utf-8")
