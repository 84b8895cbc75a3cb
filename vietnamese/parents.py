"""Messages of a parent, who says "tôi" and "cháu": texts of a school speak of "phụ huynh" and "con"."""

from __future__ import annotations

import re
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.patterns import either
from vietnamese.text import fold

PARENT, CHILD = "phụ huynh", "con"


def with_parent(text: str) -> str:
    """Return `text` with "phụ huynh" for its writer and "con" for the child, when it names both apart.

    "Tôi đóng thay cháu được không" is "phụ huynh đóng thay con được không"; in "con tôi học K52" nobody but the child
    is named. A text that speaks of parents already stays as it is.
    """
    children, writer = _patterns()
    without = children.sub(CHILD, text)
    if without == text or fold(PARENT) in fold(text).lower():
        return text
    named = writer.sub(PARENT, without)
    return named if named != without else text


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    said = yaml_beside(__file__, "parents.yml")
    lists = ("|".join(map(either, said[key])) for key in ("children", "writers"))
    children, writers = (re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE) for names in lists)
    return children, writers
