"""The day that processes go by."""

from __future__ import annotations

from datetime import date

import pytest

from school.clock import TODAY, today


def test_the_day_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TODAY, "2026-11-22")
    assert today() == date(2026, 11, 22)


def test_a_day_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TODAY, "22/11/2026")
    with pytest.raises(ValueError, match="COVAN_TODAY must be a day like 2026-11-22"):
        today()


def test_the_day_is_that_of_the_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TODAY, raising=False)
    # The clocks of these two zones are 26 hours apart, so that their days always differ.
    assert today("Pacific/Kiritimati") > today("Etc/GMT+12")


def test_without_it_the_clock_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TODAY, raising=False)
    assert today() == date.today()
