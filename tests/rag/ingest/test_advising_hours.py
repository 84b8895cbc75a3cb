"""The catalogue's hours in which advisors answer."""

from __future__ import annotations

from datetime import date, time
from pathlib import Path

import pytest

from rag.errors import KnowledgeError
from rag.ingest.load import load_knowledge
from school.catalog import AdvisingHours, Span

HOURS = """    timezone: Asia/Ho_Chi_Minh
    week:
      mon: ["13:30-17:00", "7:30–11:30"]
      sat: 08:00-11:00
      sun: []
    closed: [2027-01-01, 2026-12-24, 2027-01-01]
"""


def hours(folder: Path, said: str) -> AdvisingHours | None:
    text = f"school:\n  id: dh\n  name: Trường\n  advising_hours:\n{said}"
    text = text.rstrip() + "\n  counselling: [{name: Tham vấn, phone: 0200 1}]\n"
    (folder / "catalog.yml").write_text(text, encoding="utf-8")
    (folder / "documents").mkdir()
    (folder / "documents" / "a.md").write_text(
        "# Quy định\n\nĐiều 1. Học phí nộp theo học kỳ.", encoding="utf-8"
    )
    return load_knowledge(folder).catalog.school.advising_hours


def test_days_have_their_hours_in_order_and_days_off_are_listed_once(tmp_path: Path) -> None:
    assert hours(tmp_path, HOURS) == AdvisingHours(
        timezone="Asia/Ho_Chi_Minh",
        week=(
            ("mon", (Span(time(7, 30), time(11, 30)), Span(time(13, 30), time(17)))),
            ("sat", (Span(time(8), time(11)),)),
        ),
        closed=(date(2026, 12, 24), date(2027, 1, 1)),
    )


@pytest.mark.parametrize(
    ("good", "bad", "line", "complaint"),
    [
        (
            "Asia/Ho_Chi_Minh",
            "Asia/Hanoi",
            5,
            "'Asia/Hanoi' is no time zone; write its name as in Asia/Ho_Chi_Minh",
        ),
        ("Asia/Ho_Chi_Minh", "../etc/passwd", 5, "is no time zone"),
        (
            '"13:30-17:00"',
            '"sáng"',
            7,
            "'advising_hours.week.mon[1]': 'sáng' are no hours of a day; write \"07:30-11:30\"",
        ),
        ('"13:30-17:00"', '"17:00-13:30"', 7, "the hours '17:00-13:30' end before they begin"),
        ('"13:30-17:00"', '"13:30-24:00"', 7, "no clock shows; the last one is 23:59"),
        ('"13:30-17:00"', '"11:00-17:00"', 7, "the hours of a day overlap at 11:00"),
        ("sat:", "monday:", 8, "unknown key 'monday'; did you mean 'mon'?"),
        ("2026-12-24", "24/12/2026", 10, "must be a date written year-month-day"),
        ("closed:", "holidays:", 10, "unknown key 'holidays'"),
        (HOURS[HOURS.index("      mon") : HOURS.index("      sun")], "", 6, "needs a day with hours"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line_and_what_to_write(
    tmp_path: Path, good: str, bad: str, line: int, complaint: str
) -> None:
    with pytest.raises(KnowledgeError) as refused:
        hours(tmp_path, HOURS.replace(good, bad))

    assert complaint in str(refused.value)
    [problem] = refused.value.problems
    assert (problem.file, problem.line) == ("catalog.yml", line)
