"""The order of names in lists, which is that of the Vietnamese alphabet, as the pages' `byName` has it.

Letters decide first (a ă â b c d đ e ê ...), then tones (level, falling, asking, tumbling, rising, heavy); capital
letters make no difference, and numbers count as numbers: "Khóa 9" stands before "Khóa 10".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_ALPHABET = {letter: place for place, letter in enumerate("aăâbcdđeêfghijklmnoôơpqrstuưvwxyz")}
_TONES = {mark: place for place, mark in enumerate("\u0300\u0309\u0303\u0301\u0323", start=1)}
_NUMBER = re.compile(r"(\d+)")
_OTHER, _DIGITS, _LETTER = 0, 1, 2


def name_order(name: str) -> tuple[Sequence[tuple[int, int]], Sequence[int]]:
    """Return the key by which names are sorted."""
    letters, tones = list[tuple[int, int]](), list[int]()
    for part in _NUMBER.split(unicodedata.normalize("NFC", name).lower()):
        if part.isdecimal():
            letters.append((_DIGITS, int(part)))
            continue
        for char in part:
            marks = unicodedata.normalize("NFD", char)
            tone = next((_TONES[mark] for mark in marks if mark in _TONES), 0)
            bare = unicodedata.normalize("NFC", "".join(mark for mark in marks if mark not in _TONES))
            place = _ALPHABET.get(bare)
            letters.append((_OTHER, ord(bare[0])) if place is None else (_LETTER, place))
            tones.append(tone)
    return letters, tones
