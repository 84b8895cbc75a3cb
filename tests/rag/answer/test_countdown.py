"""The days until the next deadline of an answer."""

from __future__ import annotations

from datetime import date

import pytest

from rag.answer.countdown import can_be_counted, time_left
from school.reader import Reader
from school.reading_knowledge import ReadingKnowledge

ANSWER = "Hạn cuối: học kỳ 1 ngày **15/10/2026**, học kỳ 2 ngày **15/3/2027**, học kỳ hè ngày **15/7/2027**."
READER = Reader(ReadingKnowledge())


@pytest.mark.parametrize(
    ("asked", "today", "said"),
    [
        ("đóng học phí còn mấy ngày nữa", date(2026, 10, 1), "**Còn 14 ngày** (đến hết 15/10/2026)."),
        ("đóng học phí còn mấy ngày nữa", date(2026, 10, 15), "**Hạn là hôm nay**, 15/10/2026."),
        ("đóng học phí còn mấy ngày nữa", date(2026, 10, 16), "**Còn 150 ngày** (đến hết 15/03/2027)."),
        ("học phí hk2 còn bao nhiêu ngày", date(2026, 10, 1), "**Còn 165 ngày** (đến hết 15/03/2027)."),
        ("học phí hk1 con may ngay nua", date(2026, 10, 16), "**Đã quá hạn**: hạn gần nhất là 15/10/2026."),
        ("học phí hk2 còn kịp đóng ko", date(2027, 3, 14), "**Còn 1 ngày** (đến hết 15/03/2027)."),
        ("còn bao lâu nữa", date(2028, 1, 1), "**Đã quá hạn**: hạn gần nhất là 15/07/2027."),
        ("hạn đóng học phí là khi nào", date(2026, 10, 1), ""),
        ("đợt tháng 3 còn mấy ngày", date(2026, 10, 1), "**Còn 165 ngày** (đến hết 15/03/2027)."),
        ("dot thang 12 nay con kip ko", date(2026, 11, 27), ""),
    ],
)
def test_the_next_deadline_that_lies_ahead_counts(asked: str, today: date, said: str) -> None:
    assert time_left(ANSWER, READER.prepared(asked), today) == said


def test_without_a_deadline_nothing_is_said() -> None:
    assert (
        time_left("Bạn nộp đơn tại Phòng Đào tạo.", READER.prepared("còn mấy ngày nữa"), date(2026, 1, 1))
        == ""
    )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Nữ sinh kỹ thuật đăng ký 01/11–30/11 trên cổng.", "**Còn 3 ngày** (đến hết 30/11/2026)."),
        ("Nộp đơn trước ngày 10/12.", "**Còn 12 ngày** (đến hết 09/12/2026)."),
        ("Nộp đơn trước ngày 28/11.", "**Hạn là hôm nay**, 27/11/2026."),
        ("Đăng ký từ 01/10 đến 31/10.", "**Đã quá hạn**: hạn gần nhất là 31/10/2026."),
        ("Hạn nộp: học kỳ 1 ngày 15/10, học kỳ 2 ngày 15/3.", "**Còn 108 ngày** (đến hết 15/03/2027)."),
        ("Vắng quá 1/3 số buổi thì không được nộp đơn.", ""),
    ],
)
def test_a_day_of_every_year_is_the_nearest_one(answer: str, said: str) -> None:
    assert time_left(answer, READER.prepared("còn mấy ngày nữa"), date(2026, 11, 27)) == said


TERM = "Học kỳ 2 bắt đầu ngày **22/02/2027** (học kỳ 1 đã bắt đầu ngày 07/09/2026)."
EXAMS = "Kỳ thi học kỳ 1 diễn ra từ 28/12/2026 đến 17/01/2027; lịch thi công bố ngày 05/12/2026."


@pytest.mark.parametrize(
    ("answer", "asked", "today", "said"),
    [
        (
            TERM,
            "từ giờ tới đó còn mấy tuần",
            date(2026, 11, 28),
            "**Còn 86 ngày**, khoảng 12 tuần (bắt đầu ngày 22/02/2027).",
        ),
        (TERM, "còn mấy ngày nữa vào hk2", date(2026, 11, 28), "**Còn 86 ngày** (bắt đầu ngày 22/02/2027)."),
        (TERM, "còn mấy tuần nữa", date(2027, 2, 20), "**Còn 2 ngày** (bắt đầu ngày 22/02/2027)."),
        (TERM, "còn mấy ngày nữa", date(2027, 2, 22), "**Bắt đầu hôm nay**, 22/02/2027."),
        (TERM, "còn mấy ngày nữa", date(2027, 2, 23), "**Đã bắt đầu** ngày 22/02/2027."),
        (
            EXAMS,
            "lịch thi kì 1 còn mấy ngày",
            date(2026, 11, 28),
            "**Còn 30 ngày** (bắt đầu ngày 28/12/2026).",
        ),
        (
            EXAMS,
            "how many weeks are left until the exams",
            date(2026, 11, 28),
            "**30 days left**, some 4 weeks (it begins on 28/12/2026).",
        ),
        (EXAMS, "còn kịp không", date(2026, 11, 28), ""),
        (
            "Đợt thực tập bắt đầu ngày 22/02/2027, đăng ký chậm nhất ngày 11/01/2027.",
            "còn mấy ngày",
            date(2026, 11, 28),
            "**Còn 44 ngày** (đến hết 11/01/2027).",
        ),
    ],
)
def test_without_a_deadline_the_day_on_which_something_begins_counts(
    answer: str, asked: str, today: date, said: str
) -> None:
    assert time_left(answer, READER.read(asked), today) == said


@pytest.mark.parametrize(
    ("answer", "asked", "can"),
    [
        (ANSWER, "còn kịp không", True),
        (ANSWER, "còn mấy ngày nữa", True),
        (ANSWER, "hạn là khi nào", False),
        (TERM, "còn mấy tuần nữa", True),
        # Whether there is time left, only a deadline tells.
        (TERM, "còn kịp không", False),
        ("Bạn nộp đơn tại Phòng Đào tạo.", "còn mấy ngày nữa", False),
    ],
)
def test_days_can_be_counted_to_what_a_question_asks_for(answer: str, asked: str, can: bool) -> None:
    assert can_be_counted(answer, READER.read(asked), date(2026, 11, 28)) is can
