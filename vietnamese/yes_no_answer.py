"""Answers that begin with yes or no: they say nothing without the question they were written for."""

from __future__ import annotations

import re

_BEGINS = re.compile(
    r"(?:có|không|được|chưa|yes|no)(?:\s+[^\W\d]+){0,4}\s*[.,;]"
    r"|(?:không|chưa)\s+được(?:\s+[^\W\d]+){0,2}\s*:",
    re.IGNORECASE,
)


def says_yes_or_no(answer: str) -> bool:
    """Return whether an answer begins with yes or no: "Có. Quá hạn 30 ngày ...", not "Có năm bước: ..."."""
    return _BEGINS.match(answer.replace("*", "").strip()) is not None
