"""The patterns of a name: "công nghệ thông tin", "CNTT", "luật", as freely as each may be typed.

Without diacritics many a name is an everyday word: "Dược học" and "được học", "Cơ khí" and "có khi". There are three
kinds of names:

- a long or foreign name, or an abbreviation that is no syllable ("CNTT"): matched however it is typed;
- a name of two syllables: matched unless what was typed has other diacritics; when it folds into a common
  phrase (`lookalikes` of `name_patterns.yml`), it must be typed with its diacritics or stand behind "ngành";
- a name of one syllable ("Luật", "IT"), or one that is an everyday word by itself (`everyday`): only behind a
  cue ("sinh viên luật"), and a value of the student beside another one ("luật với thú y").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from school.surface_forms import MENTION, NAME, SurfaceForm
from vietnamese.data_files import yaml_beside
from vietnamese.syllables import is_syllable
from vietnamese.text import fold

_MOVES = (
    "tu|sang|qua|thanh|ben|em|minh|la|con|vay|hay|dau|vao|rot|bang (?:2|hai)|nam (?:[1-6]|nhat|hai|ba|tu)"
)
"""Words behind which a student says a value that they have or want: "từ luật sang kế toán", "em luật", "đậu luật"."""

_ASKED_OF_A_NAME = (
    r"(?:thi )?(?:hoc )?(?:lay )?(?:may|bao nhieu|bn) (?:tin|nam|diem|tien)|lay (?:may|bao nhieu|bn)|"
    r"hoc phi|hp|diem chuan"
)
"""Questions about a value that a message begins with: "luật mấy tín chỉ"."""

_ALONE = (
    r"(?:^|(?<=^da )|(?<=^vang ))(?P<{name}>{found})"
    rf"(?=\W*$| (?:a|ak|ad|nha|nhe|thi sao|sao|nam \w+|{_ASKED_OF_A_NAME}{{beside}})\b)"
)
"""A name that is a message by itself, or begins one about it or one that introduces the student: "luật k47"."""


@dataclass(frozen=True, slots=True)
class Cues:
    """Patterns of folded words that lead to a name.

    `sure` leads even to a name that is an everyday word; `short` to a name of one syllable. With `alone` such a name
    may also be a message by itself, or begin one that goes on with a name of `beside`. With `unmarked`, a name that is
    a common word without its diacritics is found without them where the grammar leaves no doubt.
    """

    near: str
    sure: str
    short: str
    alone: bool = False
    beside: str = ""
    unmarked: bool = False


def cues_of(
    near: Iterable[str], sure: Iterable[str] = (), *, alone: bool = False, own: bool = False, beside: str = ""
) -> Cues:
    """Return the cues from words, with or without their diacritics.

    With `own` the words of `_MOVES` lead to a value too: "từ luật sang kế toán". `beside` is a pattern of a student's
    other values, which lead to a name of one syllable: "clc luật".
    """
    close = _any(near)
    short = "|".join(filter(None, (close, _MOVES, beside))) if own else close
    return Cues(close, _any(sure) or close, short, alone or own, beside, unmarked=own)


def _any(words: Iterable[str]) -> str:
    folded = dict.fromkeys(fold(unicodedata.normalize("NFC", word)) for word in words)
    return "|".join(map(re.escape, sorted(folded, key=len, reverse=True)))


OFFICE_CUES = cues_of(("phòng", "ban", "khoa", "trung tâm", "tt", "văn phòng", "vp", "trạm"))
DOCUMENT_CUES = cues_of(("văn bản",))

_WORD = re.compile(r"[^\W_]+")
_EITHER_I = re.compile(r"(?:h|k|l|m|s|t|v|qu)[iy]")
"""Syllables that are spelled with either letter: "kỹ" and "kĩ", "lý" and "lí"."""

_NOT_BEFORE = r"(?! (?:phi|bong|ba|phan|vu)\b)"
"""Words that take the last word of a name to themselves, when it is a name without it: "dược học phí bao nhiêu"."""

_TONES = str.maketrans("", "", "\u0300\u0301\u0303\u0309\u0323")


def course_cues() -> Cues:
    """Return the words that lead to the name of a course."""
    return cues_of(**yaml_beside(__file__, "name_patterns.yml")["course_cues"], alone=True)


def named_forms(entity: str, value: str, names: Iterable[str], cues: Cues) -> Iterator[SurfaceForm]:
    """Yield the forms of a value by its `names`, each as free as its reading without diacritics allows."""
    spellings = dict.fromkeys(unicodedata.normalize("NFC", name).lower() for name in names)
    phrases = {" ".join(_WORD.findall(fold(name))) for name in spellings}
    for name in spellings:
        words = _WORD.findall(fold(name))
        if not words:
            continue
        needle = max((word[:-1] if _EITHER_I.fullmatch(word) else word for word in words), key=len)
        found = _over(name, _folded_word)
        if words[-1] == "hoc" and " ".join(words[:-1]) in phrases:
            found += _NOT_BEFORE
        spelled = _over(name, _spelled_word)
        phrase = " ".join(words)
        if cues.unmarked and _is_listed("lookalikes", phrase):
            for shape in yaml_beside(__file__, "name_patterns.yml")["unmarked"]:
                name_only = rf"(?P<{NAME}>{found})"
                cued = rf"(?P<{MENTION}>(?:{cues.sure}) {name_only})"
                bare = rf"(?P<{MENTION}>{name_only})"
                typed = f"(?:.+ )?(?:{re.escape(phrase)}|{spelled})"
                yield SurfaceForm(shape.format(cued=cued, name=bare), entity, value, needle, typed)
        if needs_cue(words):
            if _is_listed("lookalikes", phrase):
                spelled = _over(name, _marked_word)
            if len(words) == 1 and not name.isascii():
                if cues.alone:
                    alone = _ALONE.format(
                        name=NAME, found=found, beside=f"|{cues.beside}" if cues.beside else ""
                    )
                    yield SurfaceForm(alone, entity, value, needle, spelled)
                    yield SurfaceForm(rf"\b{found}\b", entity, value, needle, spelled, joined=True)
                leads = cues.short
            else:
                leads = cues.sure if _is_listed("languages", phrase) else cues.near
            yield SurfaceForm(_behind(leads, found), entity, value, needle, f".+ {spelled}")
        elif _is_listed("lookalikes", phrase):
            yield SurfaceForm(rf"\b{found}\b", entity, value, needle, _over(name, _marked_word))
            yield SurfaceForm(_behind(cues.sure, found), entity, value, needle, f".+ {spelled}")
        else:
            plain = len(words) > 2 or name.isascii()
            yield SurfaceForm(rf"\b{found}\b", entity, value, needle, None if plain else spelled)


def needs_cue(words: Sequence[str]) -> bool:
    """Return whether a name of these folded words means something else when it stands alone."""
    alone = len(words) == 1 and (len(words[0]) == 1 or words[0].isdigit() or is_syllable(words[0]))
    return alone or any(_is_listed(kind, " ".join(words)) for kind in ("everyday", "languages"))


def _is_listed(kind: str, phrase: str) -> bool:
    return phrase in yaml_beside(__file__, "name_patterns.yml")[kind]


def _behind(cues: str, found: str) -> str:
    return rf"\b(?:{cues}) (?P<{NAME}>{found})\b"


def _over(name: str, word_pattern: Callable[[str], str]) -> str:
    """Return the pattern of a name: its words by `word_pattern`, its blanks and signs loosely."""
    parts: list[str] = []
    end = None
    for match in _WORD.finditer(name):
        if end is not None:
            parts.append(r"[ \-]" if name[end : match.start()] == " " else r"[ .,&/\-–]{0,3}")
        parts.append(word_pattern(match[0]))
        end = match.end()
    return "".join(parts)


def name_pattern(name: str) -> str:
    """Return the pattern of a name in folded text, in whatever spelling; empty when it has no letter and no digit."""
    return _over(unicodedata.normalize("NFC", name).lower(), _folded_word)


def _folded_word(word: str) -> str:
    folded = fold(word)
    return f"{folded[:-1]}[iy]" if _EITHER_I.fullmatch(folded) else re.escape(folded)


def _spelled_word(word: str) -> str:
    """Return the pattern of `word` with or without each of its diacritics."""
    return _by_letter(word, lambda letter: {letter, fold(letter)})


def _marked_word(word: str) -> str:
    """Return the pattern of `word` with all of its diacritics."""
    return _by_letter(word, lambda letter: {letter})


def _by_letter(word: str, allow: Callable[[str], set[str]]) -> str:
    """Return the pattern of the letters that `allow` gives; "oa", "oe" and "uy" take the tone on either vowel."""
    letters = []
    for index, letter in enumerate(word):
        allowed = allow(letter)
        pair = {word[index - 1 : index + 1], word[index : index + 2]}
        if any(fold(two) in ("oa", "oe", "uy") for two in pair):
            allowed |= _toned(letter, word)
        letters.append(re.escape(letter) if len(allowed) == 1 else f"[{''.join(sorted(allowed))}]")
    if _EITHER_I.fullmatch(fold(word)):
        tone = {mark for mark in unicodedata.normalize("NFD", word) if unicodedata.combining(mark)}
        letters[-1] = (
            "[iy" + "".join(unicodedata.normalize("NFC", v + mark) for mark in tone for v in "iy") + "]"
        )
    return "".join(letters)


def _toned(letter: str, word: str) -> set[str]:
    """Return `letter` without its tone, and with each tone of `word`."""
    bare = unicodedata.normalize("NFC", unicodedata.normalize("NFD", letter).translate(_TONES))
    tones = {mark for mark in unicodedata.normalize("NFD", word) if mark in "\u0300\u0301\u0303\u0309\u0323"}
    return {bare} | {unicodedata.normalize("NFC", bare + tone) for tone in tones}
