"""Whom a text is for, and that values do not change under anybody's hands."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, is_dataclass

import pytest

from rag import types
from school.dimensions import AppliesTo, Profile


@pytest.mark.parametrize(
    ("cohorts", "cohort", "admitted"),
    [
        ((), "47", True),
        (("47",), "47", True),
        (("47",), "4", False),
        (("47",), "470", False),
        (("47-",), "46", False),
        (("47-",), "47", True),
        (("47-",), "60", True),
        (("-46",), "46", True),
        (("-46",), "9", True),
        (("-46",), "47", False),
        (("47-49",), "46", False),
        (("47-49",), "47", True),
        (("47-49",), "49", True),
        (("47-49",), "50", False),
        (("-45", "50-"), "51", True),
        (("-45", "50-"), "47", False),
    ],
)
def test_ranges_of_cohorts(cohorts: tuple[str, ...], cohort: str, admitted: bool) -> None:
    assert AppliesTo({"cohort": cohorts}).admits("cohort", cohort) is admitted


@pytest.mark.parametrize("cohort", ["", "K47", "47-48", "-47", "four", "²", "٤٧x", "9" * 5000])
def test_what_is_no_cohort_is_in_no_range_of_cohorts(cohort: str) -> None:
    assert not AppliesTo({"cohort": ("40-60",)}).admits("cohort", cohort)
    assert AppliesTo().admits("cohort", cohort)


@pytest.mark.parametrize("dimension", ["major", "program", "campus"])
def test_values_without_an_order_are_listed(dimension: str) -> None:
    applies = AppliesTo({dimension: ("cntt", "luat")})

    assert applies.admits(dimension, "luat")
    assert not applies.admits(dimension, "lua")
    assert applies.values(dimension) == ("cntt", "luat")


def test_only_what_is_known_excludes() -> None:
    applies = AppliesTo({"cohort": ("47-",), "program": ("clc",)})

    assert not applies.excludes(Profile())
    assert not applies.excludes(Profile({"cohort": "48", "major": "luat"}))
    assert not applies.excludes(Profile({"cohort": "48", "program": "clc"}))
    assert applies.excludes(Profile({"cohort": "46"}))
    assert applies.excludes(Profile({"cohort": "48", "program": "standard"}))


def test_every_value_of_the_engine_is_frozen() -> None:
    values = [value for value in vars(types).values() if isinstance(value, type) and is_dataclass(value)]

    assert len(values) > 10
    for value in values:
        name = fields(value)[0].name
        made = object.__new__(value)
        with pytest.raises(FrozenInstanceError):
            setattr(made, name, None)


def test_a_profile_gives_its_dimensions() -> None:
    profile = Profile({"cohort": "47", "program": "clc"})

    assert [profile.get(dimension) for dimension in ("cohort", "major", "program")] == ["47", None, "clc"]
