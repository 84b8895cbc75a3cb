"""Sentences of calculators write numbers as the student's language does."""

from __future__ import annotations

from datetime import date

import pytest

from rag.calculators.expressions import ExpressionError, Scope
from rag.calculators.sentences import filled
from vietnamese.language_detection import Language

SCOPE = Scope({"total": 4_320_000.0, "gpa": 3.3, "day": date(2026, 12, 9), "name": "Luật", "nothing": None})


@pytest.mark.parametrize(
    ("text", "vietnamese", "english"),
    [
        ("{{ total | money }}", "4.320.000 đồng", "4,320,000 VND"),
        ("{{ gpa | points }}", "3,30", "3.30"),
        ("{{ gpa }} và {{total}}", "3,3 và 4.320.000", "3.3 và 4,320,000"),
        ("{{ 3.6 - gpa | points }}", "0,30", "0.30"),
        ("{{ 22.75 - 22 }}", "0,75", "0.75"),
        ("{{ day }}: {{ name }}", "09/12/2026: Luật", "09/12/2026: Luật"),
    ],
)
def test_places_are_filled(text: str, vietnamese: str, english: str) -> None:
    said: dict[Language, str] = {"vi": vietnamese, "en": english}

    assert {language: filled(text, SCOPE, language) for language in said} == said


def test_a_place_without_a_value_is_a_fault() -> None:
    with pytest.raises(ExpressionError):
        filled("{{ nothing }}", SCOPE)
