"""Rate limits of the website's channel."""

import pytest

from channels.web import limits as web_limits
from channels.web.limits import OpenStreams, Rate


class Clock:
    def __init__(self):
        self.now = 1_000.0

    def __call__(self):
        return self.now


def test_so_many_a_minute_at_once_or_spread():
    clock = Clock()
    rate = Rate(6, clock)

    assert [rate.wait_s("a") for _ in range(8)] == [0, 0, 0, 0, 0, 0, 10, 10]
    assert rate.wait_s("b") == 0
    clock.now += 9.0
    assert rate.wait_s("a") == 1
    clock.now += 1.0
    assert [rate.wait_s("a") for _ in range(2)] == [0, 10]
    clock.now += 3_600.0
    assert [rate.wait_s("a") for _ in range(7)].count(0) == 6


def test_many_at_once_few_from_then_on_and_some_given_back():
    clock = Clock()
    rate = Rate(2, clock, most=3)

    assert [rate.wait_s("a") for _ in range(4)] == [0, 0, 0, 30]
    rate.give_back("a")
    assert [rate.wait_s("a") for _ in range(2)] == [0, 30]
    for _ in range(9):
        rate.give_back("a")
    assert [rate.wait_s("a") for _ in range(4)].count(0) == 3


def test_a_flood_of_addresses_does_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(web_limits, "REMEMBERED", 10)
    rate = Rate(1, Clock())
    for number in range(100):
        assert rate.wait_s(str(number)) == 0

    assert len(rate._left) == 10
    assert rate.wait_s("99") > 0


def test_places_are_given_back_whatever_happens():
    streams = OpenStreams(of_a_session=1, of_an_address=2)
    with streams.one_more("s", "a") as first, streams.one_more("s", "a") as second:
        assert (first, second) == (True, False)
    with pytest.raises(ZeroDivisionError), streams.one_more("s", "a"):
        raise ZeroDivisionError
    with (
        streams.one_more("s", "a") as one,
        streams.one_more("t", "a") as two,
        streams.one_more("u", "a") as three,
    ):
        assert (one, two, three) == (True, True, False)
        with streams.one_more("u", "b") as elsewhere:
            assert elsewhere

    assert not streams._open


def test_streams_of_all_addresses_together_are_limited():
    streams = OpenStreams(in_all=2)
    with (
        streams.one_more("s", "a") as one,
        streams.one_more("t", "b") as two,
        streams.one_more("u", "c") as three,
    ):
        assert (one, two, three) == (True, True, False)
    with streams.one_more("u", "c") as again:
        assert again
