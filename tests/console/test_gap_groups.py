"""Which questions without a good answer are put together: those that one answer can settle."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from console.gaps import group_gaps

SIZE = 64


def gap(number: int, question: str, vector: Sequence[float] | None, **more: Any) -> Mapping[str, Any]:
    """Return a turn as `console.turns.Turns.gaps` returns it."""
    stored = b"" if vector is None else np.asarray(vector, np.float16).tobytes()
    return {
        "id": number,
        "at": float(number),
        "channel": "web",
        "sender": f"student-{number}",
        "question": question,
        "topic": "study",
        "why": ["no_answer"],
        "vector": base64.b64encode(stored).decode(),
        "normalized": question,
        "mentions": [],
        "intents": {},
        **more,
    }


def near(number: int) -> list[float]:
    """Return vectors of which any two have a cosine of 0.93, as E5's of questions about one matter."""
    return [0.93**0.5, *(0.07**0.5 if place == number else 0.0 for place in range(SIZE))]


def grouped(questions: Sequence[str], **of_each: Sequence[Any]) -> list[set[str]]:
    rows = [
        gap(
            number,
            question,
            near(number),
            **{name: values[number] for name, values in of_each.items()},
        )
        for number, question in enumerate(questions)
    ]
    return [{trace["question"] for trace in group["traces"]} for group in group_gaps(rows)]


@pytest.mark.parametrize(
    "needs",
    [
        [{"môn CTDL có mấy tín chỉ", "cấu trúc dữ liệu bao nhiêu tín chỉ ạ"}, {"môn CTDL ai dạy"}],
        [{"phòng đào tạo ở đâu", "phong dao tao nam o toa nao"}, {"số điện thoại phòng đào tạo"}],
        [
            {"khi nào hết hạn đóng học phí", "khi nào thì hết hạn đóng học phí vậy ạ"},
            {"đóng học phí bằng cách nào"},
        ],
        [{"ktx bao nhiêu tiền một tháng", "giá phòng ktx bao nhiêu"}, {"ktx mấy giờ đóng cửa"}],
    ],
)
def test_needs_of_one_matter_are_apart(needs: list[set[str]]) -> None:
    found = grouped([question for need in needs for question in sorted(need)])

    assert sorted(map(sorted, found)) == sorted(map(sorted, needs))


def apart(number: int) -> list[float]:
    """Return vectors of which any two have a cosine of 0.88, as E5's of two words with and without diacritics."""
    return [0.88**0.5, *(0.12**0.5 if place == number else 0.0 for place in range(SIZE))]


def test_short_questions_in_the_same_words_are_together_with_and_without_diacritics() -> None:
    said = ["ho boi", "hồ bơi ở đâu", "trường có hồ bơi không", "sân bóng", "bai xe"]
    rows = [gap(number, question, apart(number)) for number, question in enumerate(said)]

    found = [{trace["question"] for trace in group["traces"]} for group in group_gaps(rows)]

    assert {"ho boi", "hồ bơi ở đâu", "trường có hồ bơi không"} in found
    assert {"sân bóng"} in found
    assert {"bai xe"} in found


def test_questions_that_name_two_offices_are_apart_and_those_of_two_cohorts_are_not() -> None:
    said = ["phòng ấy ở đâu", "phòng ấy ở đâu ạ"]
    offices = [[["office", "a"]], [["office", "b"]]]

    assert len(grouped(said, mentions=offices)) == 2
    assert len(grouped(said, mentions=[offices[0], offices[0]])) == 1
    assert len(grouped(said, mentions=[offices[0], []])) == 1
    assert len(grouped(said, mentions=[[["cohort", "47"]], [["cohort", "48"]]])) == 1


def test_any_two_questions_of_a_group_are_near() -> None:
    # Each is near to the next one, the first and the last are not.
    turned = [[np.cos(angle), np.sin(angle)] for angle in (0.0, 0.3, 0.6)]
    rows = [
        gap(number, question, vector)
        for number, (question, vector) in enumerate(
            zip(["sân bóng", "bãi cỏ", "đường chạy"], turned, strict=True)
        )
    ]

    assert sorted(len(group["traces"]) for group in group_gaps(rows)) == [1, 2]


@pytest.mark.parametrize(
    ("intents", "topic"),
    [
        ([{"ask_services": 0.95, "greet": 0.03}, {"ask_services": 0.85}], "services"),
        # Asked twice, and each time read as another thing, or of nothing for sure: the nearest text's topic is no hint.
        ([{"ask_services": 0.95}, {"ask_dormitory": 0.95}], ""),
        ([{"ask_services": 0.5, "ask_dormitory": 0.4}, {"ask_services": 0.5}], ""),
        ([{"out_of_scope": 0.95}, {"ask_services": 0.9}], ""),
        ([{}, None], ""),
    ],
)
def test_a_topic_is_suggested_only_when_it_is_sure(
    intents: list[dict[str, float] | None], topic: str
) -> None:
    rows = [
        gap(number, "Mượn xe đạp ở đâu?", near(3), topic="dormitory", intents=each)
        for number, each in enumerate(intents)
    ]

    [group] = group_gaps(rows)

    assert group["topic"] == topic


def test_questions_without_a_vector_or_of_an_older_trace_are_grouped() -> None:
    rows = [
        gap(1, "Có hồ bơi không?", None),
        gap(2, "có hồ bơi  không?", None, normalized=None, mentions=None),
        gap(3, "Bãi xe ở đâu?", near(3), normalized=None, mentions=None),
        gap(4, "Bãi xe ở đâu?", near(3), normalized=None, mentions=None),
    ]

    assert [group["questions"] for group in group_gaps(rows)] == [2, 2]
    assert group_gaps([]) == []
