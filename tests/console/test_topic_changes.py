"""The page Today tells which topic went wrong: its outcomes beside those of the days before."""

from __future__ import annotations

import pytest
from console_driver import NOW, SIZES, Clock, OpenPages, Students, databases, scrolling_sideways
from playwright.sync_api import expect

from console.topic_changes import FEWEST, change_of, compared
from console.turns import Turns

DAY_S = 86_400
WEEK_S = 7 * DAY_S


def asked(students: Students, topic: str, *, at: float, **counts: int) -> None:
    """Ask questions on a topic, as many for each decision as are said."""
    for decision, count in counts.items():
        for each in range(count):
            students.asks(f"Câu {each}", f"{topic}-{decision}-{each}", decision=decision, topic=topic, at=at)


@pytest.mark.parametrize(
    ("now", "before", "change"),
    [
        ((15, 30), (3, 30), "worse"),
        ((3, 30), (15, 30), "better"),
        ((15, 30), (14, 30), ""),
        ((9, 9), (0, 30), ""),
        ((9, 30), (0, 9), ""),
        ((10, 10), (0, 10), "worse"),
        ((2, 10), (1, 10), ""),
        ((0, 30), (0, 30), ""),
        ((30, 30), (30, 30), ""),
        ((0, 0), (0, 0), ""),
        # The same shares of many more questions are no chance.
        ((1_100, 10_000), (1_000, 10_000), "worse"),
        ((11, 100), (10, 100), ""),
    ],
)
def test_a_change_is_told_when_it_is_no_chance(
    now: tuple[int, int], before: tuple[int, int], change: str
) -> None:
    assert change_of(now, before) == change


def test_small_groups_are_never_called_better_or_worse() -> None:
    for count in range(FEWEST):
        for bad in range(count + 1):
            assert change_of((bad, count), (0, 1_000)) == change_of((0, 1_000), (bad, count)) == ""


def test_topics_have_their_outcomes_the_most_asked_first() -> None:
    rows = [
        ("tuition", "answer", True, 3),
        ("tuition", "up", True, 1),
        ("study", "no_answer", True, 20),
        ("study", "answer", False, 20),
        ("study", "clarify", False, 1),
        ("gone", "answer", False, 2),
        ("study", "unheard_of", True, 9),
    ]

    study, tuition, gone = compared(rows)

    assert [each["topic"] for each in (study, tuition, gone)] == ["study", "tuition", "gone"]
    assert (study["unanswered"], study["thumbs"], tuition["unanswered"]) == ("worse", "", "")
    assert study["before"] == {"answer": 20, "clarify": 1, "no_answer": 0, "up": 0, "down": 0}
    assert tuition["now"] == {"answer": 3, "clarify": 0, "no_answer": 0, "up": 1, "down": 0}
    assert set(gone["now"].values()) == {0}


@databases
def test_outcomes_are_counted_by_topic_and_time(url: str, clock: Clock) -> None:
    students = Students(url)
    asked(students, "study", at=NOW - 100, answer=1, clarify=1, no_answer=2)
    asked(students, "study", at=NOW - WEEK_S - 100, answer=3)
    asked(students, "study", at=NOW - 3 * WEEK_S, answer=5)
    students.asks("Xin chào", "chao", decision="", topic="study")
    students.asks("Học phí", "an", decision="answer", topic="tuition", good=False)
    students.asks("Học phí", "binh", decision="answer", topic="tuition", good=True, at=NOW - WEEK_S - 100)

    found = Turns(url, clock).statistics(7)

    study, tuition = found["topics"]
    assert study["now"] == {"answer": 1, "clarify": 1, "no_answer": 2, "up": 0, "down": 0}
    assert (study["before"]["answer"], study["before"]["no_answer"]) == (3, 0)
    assert (tuition["now"]["down"], tuition["now"]["up"]) == (1, 0)
    assert (tuition["before"]["down"], tuition["before"]["up"]) == (0, 1)
    assert found["decisions"] == {"answer": 2, "clarify": 1, "no_answer": 2}
    assert found["before"] == {"answer": 4}
    students.database.close()


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_the_topic_that_got_worse_leads_to_its_conversations(
    open_pages: OpenPages, students: Students, size: tuple[int, int]
) -> None:
    asked(students, "study", at=NOW - 100, answer=4, no_answer=10)
    asked(students, "study", at=NOW - 10 * DAY_S, answer=14)
    asked(students, "tuition", at=NOW - 100, answer=20)
    asked(students, "tuition", at=NOW - 10 * DAY_S, answer=6, no_answer=14)
    asked(students, "dormitory", at=NOW - 100, no_answer=9)
    asked(students, "dormitory", at=NOW - 10 * DAY_S, answer=9)
    page = open_pages("advisor", size)

    topics = page.get_by_test_id("topic")

    expect(topics).to_have_count(3)
    expect(topics.nth(0)).to_contain_text("Học vụ")
    expect(topics.nth(0)).to_contain_text("xấu đi")
    expect(topics.nth(0)).to_contain_text("71 % (10)")
    expect(topics.nth(1)).to_contain_text("tốt lên")
    # Nine questions are too few to say so.
    expect(topics.nth(2)).to_contain_text("100 % (9)")
    expect(topics.nth(2)).not_to_contain_text("xấu đi")
    assert scrolling_sideways(page) == []
    topics.nth(0).get_by_role("link").click()

    expect(page.get_by_test_id("used-filters")).to_contain_text("Học vụ")
    expect(page.locator(".row")).to_have_count(14)
    assert scrolling_sideways(page) == []
    page.get_by_role("button", name="Bỏ lọc theo Chủ đề").click()
    expect(page.locator(".row")).to_have_count(43)


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_turns_without_a_topic_are_one_press_away(
    open_pages: OpenPages, students: Students, size: tuple[int, int]
) -> None:
    asked(students, "study", at=NOW - 100, answer=3)
    asked(students, "", at=NOW - 100, no_answer=2)
    page = open_pages("advisor", size)

    page.get_by_test_id("topic").get_by_role("link", name="Chưa rõ chủ đề").click()

    expect(page.get_by_test_id("used-filters")).to_contain_text("Chưa rõ chủ đề")
    expect(page.locator(".row")).to_have_count(2)
    assert scrolling_sideways(page) == []
