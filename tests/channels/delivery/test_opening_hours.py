"""When somebody is at work, and how that is said."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from channels.delivery.opening_hours import OpeningHours, now
from channels.delivery.time_phrase import time_phrase

ZONE = ZoneInfo("Asia/Ho_Chi_Minh")
WEEKDAY = [["07:30", "11:30"], ["13:30", "17:00"]]
HOURS = OpeningHours.of(
    {
        "timezone": "Asia/Ho_Chi_Minh",
        "week": {
            **dict.fromkeys(("mon", "tue", "wed", "thu", "fri"), WEEKDAY),
            "sat": [["07:30", "11:30"]],
        },
        "closed": ["2026-11-24"],
    }
)


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


@pytest.mark.parametrize(
    ("time", "opens"),
    [
        ("2026-11-23T07:29", "2026-11-23T07:30"),  # a Monday
        ("2026-11-23T07:30", "2026-11-23T07:30"),
        ("2026-11-23T11:29", "2026-11-23T11:29"),
        ("2026-11-23T11:30", "2026-11-23T13:30"),
        ("2026-11-23T17:00", "2026-11-25T07:30"),  # Tuesday is closed
        ("2026-11-28T12:00", "2026-11-30T07:30"),  # a Saturday's noon
        ("2026-11-29T12:00", "2026-11-30T07:30"),
    ],
)
def test_the_next_time_that_somebody_is_at_work(time, opens):
    assert HOURS.next_open(at(time)) == at(opens)
    assert HOURS.open(at(time)) == (time == opens)


def test_a_school_that_never_opens_tells_no_time():
    assert OpeningHours(ZONE, {}).next_open(at("2026-11-23T08:00")) is None


def test_no_hours_are_none():
    assert OpeningHours.of(None) is None


def test_the_time_can_be_said_to_be_another(monkeypatch):
    monkeypatch.setenv("COVAN_NOW", "2026-11-22T23:30:00+00:00")
    assert now(ZONE) == at("2026-11-23T06:30")
    monkeypatch.setenv("COVAN_NOW", "2026-11-22T23:30:00")
    with pytest.raises(ValueError, match="with a zone"):
        now(ZONE)


@pytest.mark.parametrize(
    ("then", "language", "said"),
    [
        ("2026-11-22T13:30", "vi", "13:30 hôm nay"),
        ("2026-11-23T07:30", "vi", "7:30 ngày mai (thứ Hai 23/11)"),
        ("2026-11-25T07:05", "vi", "7:05 thứ Tư 25/11"),
        ("2026-11-29T08:00", "vi", "8:00 Chủ nhật 29/11"),
        ("2026-11-25T07:30", "en", "7:30 on Wednesday 25/11"),
    ],
)
def test_a_time_as_one_says_it(then, language, said):
    assert time_phrase(at(then), at("2026-11-22T09:00"), language) == said
