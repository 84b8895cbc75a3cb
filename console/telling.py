"""The words with which an answer reaches the students who asked before it was written."""

from __future__ import annotations

import re

from vietnamese.data_files import yaml_beside

MOST_QUESTION_CHARS = 200
MOST_CHARS = 4_000
"""As many as the front door takes for an advisor's message."""


_MARKUP = re.compile(r"([\\`*_\[\]<>~&])")
"""The characters that may begin markup within a line of Markdown; a backslash before one makes it text."""


def later_answer(question: str, answer: str, language: str) -> str:
    """Return the message in Markdown in the student's language (vi or en); their own words are quoted as text."""
    words = yaml_beside(__file__, "telling.yml")["later_answer"]
    asked = question if len(question) <= MOST_QUESTION_CHARS else f"{question[: MOST_QUESTION_CHARS - 1]}…"
    quoted = _MARKUP.sub(r"\\\1", " ".join(asked.split()))
    told: str = words.get(language, words["vi"]).format(question=quoted, answer=answer.strip())
    return told if len(told) <= MOST_CHARS else f"{told[: MOST_CHARS - 1]}…"
