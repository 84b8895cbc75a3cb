"""Rules of calculators as a page says them."""

from __future__ import annotations

import pytest

from console.rule_words import Condition, InputTest, condition_of, default_of

FACTS = {"facts.rules.mark": "70 điểm"}


@pytest.mark.parametrize(
    ("rule", "condition"),
    [
        ("program == 'clc'", Condition([InputTest("program", "is", "clc")])),
        ("gpa is None", Condition([InputTest("gpa", "is", "")])),
        (
            'gpa is None or gpa >= number("rules.mark")',
            Condition([InputTest("gpa", "is", ""), InputTest("gpa", "least", "70")], is_any=True),
        ),
        (
            "gpa > 0 and program != 'clc'",
            Condition([InputTest("gpa", "above", "0"), InputTest("program", "is_not", "clc")]),
        ),
        ("gpa < 3.25", Condition([InputTest("gpa", "below", "3.25")])),
        # What no sentence says: other names, nested conditions, functions of inputs, facts that are not there.
        ("total <= 3", None),
        ("gpa > 0 and (gpa < 1 or program == 'clc')", None),
        ("len(program) > 3", None),
        ("1 < gpa < 3", None),
        ('gpa >= number("rules.none")', None),
        ("gpa >=", None),
    ],
)
def test_a_condition_is_taken_apart(rule: str, condition: Condition | None) -> None:
    assert condition_of(rule, {"gpa", "program"}, FACTS) == condition


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (None, None),
        ("''", ""),
        ("()", ""),
        ("'standard'", "standard"),
        ("1", "1"),
        ('number("rules.mark")', "70"),
    ],
)
def test_a_default_is_its_value(rule: str | None, told: str | None) -> None:
    assert default_of(rule, FACTS) == told
