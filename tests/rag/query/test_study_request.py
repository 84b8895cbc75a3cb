"""Requests for help with studying: what is asked for, which chapter, and words that make it something else."""

from __future__ import annotations

import pytest

from rag.query.study_request import StudyKind, study_request, title_words
from rag.retrieve.entity_lookup import Link, words_of

COURSE = "cấu trúc dữ liệu"


def request(text: str) -> tuple[StudyKind | None, int, tuple[str, ...]]:
    """Return what a message asks for; X is the course."""
    said = words_of(text.replace("X", COURSE))
    start = len(words_of(text.partition("X")[0]))
    link = Link(start, start + len(COURSE.split()), ("Course:CT201",), 1.0) if "X" in text else None
    found = study_request(said, link, (COURSE,))
    return found.kind, found.chapter, found.left


@pytest.mark.parametrize(
    ("text", "kind", "chapter"),
    [
        ("đọc sách gì cho môn X", StudyKind.READING, 0),
        ("giao trinh mon X la gi vay ad", StudyKind.READING, 0),
        ("reading list for X please", StudyKind.READING, 0),
        ("tóm tắt chương 2 môn X", StudyKind.SUMMARY, 2),
        ("tóm tắt giúp em chương hai của môn X với ạ", StudyKind.SUMMARY, 2),
        ("summarize chapter III of X", StudyKind.SUMMARY, 3),
        ("cho em vài bài tập chương 1 môn X", StudyKind.EXERCISES, 1),
        ("cho mình xin câu hỏi ôn tập chuong3 mon X", StudyKind.EXERCISES, 3),
        ("exercises for chapter one of X", StudyKind.EXERCISES, 1),
        ("còn chương 3?", None, 3),
    ],
)
def test_a_request_is_read_whole(text: str, kind: StudyKind | None, chapter: int) -> None:
    assert request(text) == (kind, chapter, ())


@pytest.mark.parametrize(
    "text",
    [
        "nộp bài tập môn X muộn có bị trừ điểm không",
        "hạn nộp bài tập lớn môn X",
        "mượn giáo trình môn X ở thư viện được không",
        "giáo trình môn X do ai viết",
        "mua sách môn X ở đâu",
        "môn X mấy tín chỉ",
        "chính sách X mới thế nào",
    ],
)
def test_something_else_about_a_course_is_no_request(text: str) -> None:
    assert request(text)[0] is None


def test_words_that_nothing_explains_are_left() -> None:
    kind, chapter, left = request("tóm tắt chương 2 quy chế đào tạo")

    assert (kind, chapter) == (StudyKind.SUMMARY, 2)
    assert left == ("quy", "che", "dao")
    said = words_of("tóm tắt chương 2 quy chế đào tạo")
    assert study_request(said, None).probability(1.0) < 0.3


def test_the_number_of_credits_is_no_chapter() -> None:
    assert request("môn X mấy tín chỉ")[1] == 0


def test_the_words_of_a_title_are_those_behind_its_number() -> None:
    assert title_words("Chương 3. Ngăn xếp và hàng đợi") == {"ngan", "xep", "hang", "doi"}
