"""Names in a text: runs of words with capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag.answer.comparable_text import lowered
from vietnamese.text import words

_WORD = re.compile(r"[^\W_]+")


def names_in(text: str) -> Iterator[tuple[str, list[str], str]]:
    """Yield the runs of words with capitals, with the words around; a sentence begins with a capital anyway."""
    found = list(_WORD.finditer(text))
    place = 0
    while place < len(found):
        run: list[str] = []
        first = begin = place
        while place < len(found) and found[place][0][0].isupper():
            is_joined = not run or text[found[place - 1].end() : found[place].start()].isspace()
            if not is_joined:
                break
            is_code = len(found[place][0]) > 1 and found[place][0].isupper()
            if found[place][0].isalpha() and (found[place].start() > 0 or is_code):
                begin = begin if run else place
                run += words(found[place][0])
            place += 1
        if run:
            before = lowered(found[begin - 1][0]) if begin else ""
            after = lowered(found[place][0]) if place < len(found) else ""
            yield before, run, after
        if place == first:
            place += 1
