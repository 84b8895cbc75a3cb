"""A student whose programme is known gets the paragraphs of an answer that hold for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rag.answer.addressed_paragraphs import for_student
from school.dimensions import Profile
from school.entity_linker import Mention

RULE, PART_TIME = "Bạn cần 15 tín chỉ.", "Nếu bạn học hệ vừa làm vừa học: bạn không thuộc diện này."
BESIDES = "Ngoài ra, nếu bạn học hệ vừa làm vừa học: bạn chỉ chuyển trong hệ này."


def link(text: str) -> Sequence[Mention]:
    name = "hệ vừa làm vừa học"
    at = text.lower().find(name)
    return () if at < 0 else (Mention(at, at + len(name), "program", "vlvh", name, at),)


def given(answer: str, **profile: str) -> tuple[str, tuple[str, ...]]:
    return for_student(answer, Profile(profile), link)


@pytest.mark.parametrize(
    ("answer", "program", "said"),
    [
        (f"{RULE}\n\n{PART_TIME}", "vlvh", PART_TIME),
        (f"{RULE}\n\n{PART_TIME}", "standard", RULE),
        (f"{RULE}\n\n{BESIDES}", "vlvh", f"{RULE}\n\n{BESIDES}"),
        (f"{RULE}\n\n{BESIDES}", "standard", RULE),
    ],
)
def test_the_paragraphs_that_hold_are_given(answer: str, program: str, said: str) -> None:
    assert given(answer, program=program) == (said, ("program",))


@pytest.mark.parametrize(
    "answer", [f"{RULE}\n\n{PART_TIME}", RULE, f"{RULE}\n\nNếu bạn học hệ vừa làm vừa học ban đêm: hỏi khoa."]
)
def test_all_is_given_where_nothing_is_known_or_nobody_is_addressed(answer: str) -> None:
    assert given(answer, cohort="50") == (answer, ())
    unaddressed = answer.replace(PART_TIME, "Nếu bạn học tốt: bạn được khen.")
    assert given(unaddressed, program="vlvh") == (unaddressed, ())
