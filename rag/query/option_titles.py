"""The title of a passage on a button: "Đăng ký học phần: học kỳ hè" for "Điều 14. Học kỳ hè".

A student does not know the numbers of articles, and "Điều kiện" or "Hồ sơ" is the heading of many: the title tells the
matter of the document and the heading, without the words that every regulation has (`headings.yml`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rag.types import Passage
from vietnamese.data_files import yaml_beside
from vietnamese.text import fold, words

TITLE_CHARS = 80
"""The longest title of a button, in characters; longer ones are cut at a word."""

MATTER_CHARS = 42
"""The longest part of it that tells the document."""

_LABEL = re.compile(
    r"(?i)^\s*(?:(?:điều|chương|mục|phần|phụ lục|khoản)\s+(?:\d+|[ivxlc]+)\b|[\d.]+|[ivx]+(?=[.):]))[.):\s]*"
)
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")


def passage_title(passage: Passage) -> str:
    """Return the matter of the document and the nearest telling heading above the passage; else its beginning."""
    heading = next((each for each in map(_unlabelled, reversed(passage.context)) if _tells_apart(each)), "")
    matter = _matter(passage.title)
    if not heading:
        return _shortened(" ".join(passage.text.split()), TITLE_CHARS)
    if not matter or _has_words_of(matter, heading) or _has_words_of(_matter(heading), matter):
        return _shortened(_capitalised(_matter(heading)), TITLE_CHARS)
    return _shortened(f"{_capitalised(_shortened(matter, MATTER_CHARS))}: {_lowered(heading)}", TITLE_CHARS)


def is_formal(passage: Passage) -> bool:
    """Return whether the article is on the scope or the force of its document, which no student asks for."""
    heading = _unlabelled(passage.context[-1]) if passage.context else ""
    return bool(heading) and not _tells_apart(heading)


def _unlabelled(heading: str) -> str:
    return " ".join(_LABEL.sub("", heading).split()).rstrip(" .:;,")


def _tells_apart(heading: str) -> bool:
    """Return whether an unlabelled heading is more than one of every document."""
    said = words(heading)
    return bool(said) and " ".join(map(fold, said)) not in _known().everywhere


def _matter(title: str) -> str:
    """Return what a document is about: "học phí" of "QUY ĐỊNH VỀ HỌC PHÍ (năm 2025)"."""
    plain = _IN_BRACKETS.sub("", " ".join(title.split()))
    plain = plain.lower() if plain.isupper() else plain
    found = _known().kinds.match(plain)
    rest = plain[found.end() :] if found else plain
    return _capitalised(rest) or plain


def _has_words_of(whole: str, part: str) -> bool:
    """Return whether `whole` says all of `part`."""
    return set(map(fold, words(part))) <= set(map(fold, words(whole)))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lowered(text: str) -> str:
    """Return a heading as it continues a line; an abbreviation stays."""
    text = text.lower() if text.isupper() else text
    first = text.split(" ", 1)[0]
    return text if first[1:] != first[1:].lower() else text[:1].lower() + text[1:]


def _shortened(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[:most].rsplit(' ', 1)[0].rstrip(' ,;:.-')}…"


@dataclass(frozen=True, slots=True)
class _Known:
    """Content of headings.yml: folded headings, and a pattern of the kinds of documents."""

    everywhere: frozenset[str]
    kinds: re.Pattern[str]


@lru_cache(maxsize=1)
def _known() -> _Known:
    given = yaml_beside(__file__, "headings.yml")
    kinds = "|".join(sorted(map(re.escape, given["kinds"]), key=len, reverse=True))
    return _Known(
        frozenset(" ".join(words(fold(heading))) for heading in given["everywhere"]),
        re.compile(rf"(?:{kinds})(?:\s+(?:về|việc))*\s+", re.IGNORECASE),
    )
