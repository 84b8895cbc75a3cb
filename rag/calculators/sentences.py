"""Sentences of calculators: text with `{{ expression | format }}`, in the notation of the student's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from rag.calculators.expressions import ExpressionError, Scope, evaluate
from vietnamese.language_detection import Language

_PLACE = re.compile(r"\{\{(?P<expression>[^{}|]+?)(?:\|\s*(?P<format>\w+)\s*)?\}\}")

FORMATS = ("number", "points", "money", "day", "text")
"""A plain number, two decimals, đồng, a day, and text as it is (the default; numbers are formatted plainly)."""


def places(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield each place of a text: its expression, its format and its offset."""
    for match in _PLACE.finditer(text):
        yield match["expression"].strip(), match["format"] or "text", match.start()


def filled(text: str, scope: Scope, language: Language = "vi") -> str:
    """Return `text` with the values of its places. Raises ExpressionError when one has none."""
    return _PLACE.sub(
        lambda match: formatted(
            evaluate(match["expression"].strip(), scope), match["format"] or "text", language
        ),
        text,
    )


def formatted(value: Any, how: str = "text", language: Language = "vi") -> str:
    """Return a value in the notation of `language`: 4320000 as "4.320.000 đồng" or "4,320,000 VND"."""
    if isinstance(value, date):
        return f"{value:%d/%m/%Y}"
    if value is None or isinstance(value, tuple):
        raise ExpressionError("a place of a sentence has no value")
    if isinstance(value, (str, bool)):
        return str(value)
    if how == "points":
        return _localized(f"{value:,.2f}", language)
    if how == "money":
        return _localized(f"{value:,.0f}", language) + (" VND" if language == "en" else " đồng")
    return _localized(f"{round(value, 4):,.4f}".rstrip("0").rstrip("."), language)


def _localized(written: str, language: Language) -> str:
    return written if language == "en" else written.translate(str.maketrans(",.", ".,"))
