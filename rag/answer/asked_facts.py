"""The facts that a question asks for, as they stand in answers: amounts of money, days, lengths of time."""

from __future__ import annotations

import re
from enum import Enum

from school.aspects import Aspect, aspects_of
from school.reading import Reading
from vietnamese.text import clean

SURE = 0.6
"""The probability from which a question asks for facts of a kind."""


class Facts(Enum):
    """Kinds of facts that can be seen in an answer: the aspects that ask for them, and their form."""

    MONEY = (("fee", "amount"), r"\d[\d.,]*\s*(?:đồng|nghìn|triệu|%)")
    DAY = (("deadline",), r"\b\d{1,2}/\d{1,2}(?:/\d{4})?\b|\btháng \d{1,2}\b")
    LENGTH = (("duration",), r"\b\d+\s*(?:ngày|tuần|tháng|năm|học kỳ|giờ|phút)\b")

    def __init__(self, aspects: tuple[Aspect, ...], form: str) -> None:
        self.aspects = aspects
        self.form = re.compile(form)


def facts_asked_for(question: Reading) -> Facts | None:
    """Return the kind of facts that a question surely asks for; None for other things."""
    asked = aspects_of(question)
    sums = ((sum(asked.get(aspect, 0.0) for aspect in kind.aspects), kind) for kind in Facts)
    probability, kind = max(sums, key=lambda each: each[0])
    return kind if probability >= SURE else None


def facts_in(answer: str, kind: Facts) -> frozenset[str]:
    """Return the facts of a kind in an answer, each in one spelling."""
    return frozenset(re.sub(r"[\s.]+", "", fact) for fact in kind.form.findall(clean(answer).lower()))
