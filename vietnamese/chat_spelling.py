"""Conversion of chat spelling: "khônggg" and "ko" to "không", "???" to "?"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.syllables import is_syllable
from vietnamese.text import MAX_QUESTION_CHARS, clean, fold

_TOKEN = re.compile(r"\S+")
_WORD = re.compile(r"[^\W_]+")
_CLOSES = ".,;:?!…)\"'”"
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}", re.IGNORECASE)
_DOUBLED_AT_END = re.compile(r"([^\W\d_])\1+(?=\W*$)", re.IGNORECASE)
_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_REPEATED_SIGN = re.compile(r"([!?,;:~*^=_\-])(?:\s?\1)+")
_MIXED_QUESTION = re.compile(r"[!?]*\?[!?]*")
_MANY_DOTS = re.compile(r"\.{4,}")
_NO_LETTER = re.compile(r"[\W\d_]+")
_VOWELS = frozenset("aeiouy")
_HUMMED = frozenset("ghmn")
"""Consonants that a Vietnamese syllable may be drawn out on."""

_LAST_NO = re.compile(
    r"(?<!\w)(?:hk|hông|hong)(?=(?:\s+(?:ạ|a|ad|v|z|vậy|vay|ta|nhỉ|nhi|mn|nha|nè|ne|đó|do|dzậy|dzay))?\s*(?:[^\w\s]|$))",
    re.IGNORECASE,
)
"""The last word of "có cần nộp lại hk", which is "không" there, and "học kỳ" or a hip elsewhere."""

_OF_ANOTHER = re.compile(
    r"(?:^|\b(?:\d+|gpa|cpa|d?tb|diem|moi|mot|tung|may|nhieu|bn|theo|trong|giua|cuoi|dau|ca|cac|nhung|sau|truoc|xuong|khop|vung))\W*$"
)
"""The words before it that speak of a term or of a hip, folded."""

_ADDRESS = re.compile(r"@|://|^www\.|\w\.\w", re.IGNORECASE)


def normalize(text: str) -> str:
    """Return `text` clean, capped at `MAX_QUESTION_CHARS`, without stretched letters and repeated signs.

    Codes and addresses stay as they are.
    """
    text = clean(text, MAX_QUESTION_CHARS)
    shouted = not any(char.islower() for char in text)
    text = _TOKEN.sub(lambda match: _unstretched(match[0], shouted), text)
    return _MANY_DOTS.sub("...", _MIXED_QUESTION.sub("?", _REPEATED_SIGN.sub(r"\1", text)))


def _unstretched(token: str, shouted: bool) -> str:
    """Return "không" for "khônggg", "em" for "emm"; a code ("III", "AAA") or an address stays."""
    if _ADDRESS.search(token) or any(char.isdigit() for char in token):
        return token
    if token.isupper() and not (shouted and len(token) > 4):
        return token
    if _ROMAN.fullmatch(_NO_LETTER.sub("", token)):
        return token
    token = _STRETCHED.sub(_one_letter, token)
    if token.isascii():
        # An English word may end in a double letter.
        return token
    short = _DOUBLED_AT_END.sub(r"\1", token)
    # "ctđttt" is a short form; no Vietnamese syllable ends in a double letter.
    return short if is_syllable(fold(_NO_LETTER.sub("", short))) else token


def _one_letter(stretched: re.Match[str]) -> str:
    """Return one letter for a run of three or more, unless the run may belong to a code: "cttt", "attt"."""
    letter, run = stretched[1], stretched[0]
    if fold(letter) in _VOWELS or len(run) > 3:
        return letter
    token = stretched.string
    rest = _NO_LETTER.sub("", token[: stretched.start()] + letter + token[stretched.end() :])
    spoken = not token.isascii() or letter.lower() in _HUMMED
    return letter if spoken and is_syllable(fold(rest)) else run


class ChatSpelling:
    """Writes out chat spelling that has one reading, of all students (`chat_spelling.yml`) and of a school.

    A spelling matches in any case, with or without its diacritics ("dc" for "đc"); a word with other diacritics is
    another word. Longer spellings win over shorter ones.
    """

    def __init__(self, own: Mapping[str, str] | None = None, taken: Collection[str] = ()) -> None:
        """`own`: a school's spellings and their readings. `taken`: short forms with another meaning there."""
        names = {fold(short) for short in taken}
        spellings = {**_common(), **(own or {})}
        self._readings: dict[tuple[str, ...], dict[str, str]] = {}
        for spelling, reading in spellings.items():
            if fold(spelling) not in names:
                typed = " ".join(_WORD.findall(spelling.lower()))
                self._readings.setdefault(tuple(fold(typed).split()), {})[typed] = reading
        self._longest = max(map(len, self._readings), default=0)

    def write_out(self, text: str) -> str:
        """Return `text` with its chat spelling replaced: "ko" by "không"; the rest as it is."""
        text = _LAST_NO.sub(_no_unless_another, text)
        shouted = not any(char.islower() for char in text)
        parts: list[str] = []
        done = 0
        for start, end, reading in self._found(text):
            typed = text[start:end]
            if not _is_chat(text, start, end, shouted):
                continue
            capital = typed[:1].isupper() and not shouted
            parts += [text[done:start], reading[:1].upper() + reading[1:] if capital else reading]
            done = end
        return "".join((*parts, text[done:]))

    def _found(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and reading of the longest spelling at each place of `text`."""
        spans = [match.span() for match in _WORD.finditer(text)]
        typed = [text[start:end].lower() for start, end in spans]
        bare = [fold(word) for word in typed]
        place = 0
        while place < len(spans):
            for size in range(min(self._longest, len(spans) - place), 0, -1):
                readings = self._readings.get(tuple(bare[place : place + size]), {})
                said = " ".join(typed[place : place + size])
                reading = readings.get(said) or (
                    next(iter(readings.values()), None) if said.isascii() else None
                )
                if reading is not None:
                    yield spans[place][0], spans[place + size - 1][1], reading
                    place += size
                    break
            else:
                place += 1


def _no_unless_another(last: re.Match[str]) -> str:
    is_another = _OF_ANOTHER.search(fold(last.string[: last.start()])) is not None
    return last[0] if is_another or last[0].isupper() else "không"


@lru_cache(maxsize=1)
def _common() -> Mapping[str, str]:
    lists = yaml_beside(__file__, "chat_spelling.yml")
    return {spelling: reading for reading, spellings in lists.items() for spelling in spellings}


def _is_chat(text: str, start: int, end: int, shouted: bool) -> bool:
    """Return whether a chat spelling is no code ("K 47", "nhóm V", "v.v.") or acronym ("NS") here."""
    typed = text[start:end]
    if typed.isupper() and not shouted and len(typed) < 4:
        return len(typed) == 2 and start == 0
    if len(typed) > 1:
        return True
    before, after = text[:start], text[end:]
    if re.search(r"\d\s?$", before) or re.match(r"\s?\d", after):
        return False
    closed = re.match(rf"[{re.escape(_CLOSES)}]*(?:\s|$)", after)
    return (not before or before[-1].isspace()) and closed is not None
