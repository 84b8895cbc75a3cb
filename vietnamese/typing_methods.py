"""Telex and VNI keys that were not composed: "hojc phis" and "ho5c phi1" are "học phí"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache

from vietnamese.diacritics import Diacritics
from vietnamese.text import fold, words

FEWEST_VNI = 2
"""Words with a tone's digit from which a text counts as typed in VNI."""

_WORD = re.compile(r"(?<![\w@./:\-])[^\W_]+(?![\w@/:]|\.\w|-\w)")
_VNI_TYPED = re.compile(r"[a-z]+[1-9][a-z1-9]*")
_TELEX_TONES = {"s": "\u0301", "f": "\u0300", "r": "\u0309", "x": "\u0303", "j": "\u0323"}
_VNI_TONES = {"1": "\u0301", "2": "\u0300", "3": "\u0309", "4": "\u0303", "5": "\u0323"}
_VNI_SHAPES = {
    "6": {"a": "â", "e": "ê", "o": "ô"},
    "7": {"o": "ơ", "u": "ư"},
    "8": {"a": "ă"},
    "9": {"d": "đ"},
}
_TELEX_SHAPES = {"aa": "â", "ee": "ê", "oo": "ô", "dd": "đ", "aw": "ă", "ow": "ơ", "uw": "ư"}
_TONE_MARKS = frozenset(_TELEX_TONES.values())
_VOWEL = re.compile("[aeiouy]")
_TONED_BY_MARK = "ăâêôơư"
_VOWELS = "aeiouyăâêôơư"


class KeyComposition:
    """Composes keys by the rules of Telex and VNI into words of the school."""

    def __init__(self, diacritics: Diacritics, is_right: Callable[[str], bool]) -> None:
        """`is_right` tells whether a word in lower case is right as it is."""
        self._known = diacritics
        self._is_right = is_right
        self._decoded = lru_cache(maxsize=10_000)(self._decode)

    def compose(self, text: str) -> str:
        """Return `text` with the keys of its words composed; names, codes, addresses and right words stay."""
        # "toan1" may be a course; several words with such digits are VNI.
        digits = sum(_VNI_TYPED.fullmatch(match[0]) is not None for match in _WORD.finditer(text))
        return _WORD.sub(lambda match: self._composed(match[0], vni=digits >= FEWEST_VNI), text)

    def _composed(self, typed: str, vni: bool) -> str:
        word = typed.lower()
        # A word without a vowel is a short form.
        if len(word) < 3 or not word.isascii() or _VOWEL.search(word) is None or self._is_right(word):
            return typed
        if typed[1:] != word[1:] and not typed.isupper():
            return typed
        if not word.isalpha() and not (vni and typed == word):
            return typed
        meant = self._decoded(word)
        if meant is None:
            return typed
        return meant.upper() if typed.isupper() else meant.capitalize() if typed[0].isupper() else meant

    def _decode(self, word: str) -> str | None:
        """Return the school's word that the keys compose; None when there is none."""
        keys = [word]
        if word.isalpha():
            # Two keys swapped: "hcoj", "phsi".
            keys += [f"{word[:i]}{word[i + 1]}{word[i]}{word[i + 2 :]}" for i in range(1, len(word) - 1)]
        for typed in keys:
            ways = [words(way)[0] for way in (*_telex(typed), *_vni(typed))]
            for way in ways:
                if way != word and way != fold(way) and self._known.frequency(way):
                    return way
            for way in ways:
                # The tone is there, a hat or a bar is not: "tots" as "tốt", "dieemr" as "điểm".
                same = (one for one in self._known.readings(fold(way)) if _tone(one) == _tone(way) != "")
                if meant := next(same, None):
                    return meant
        return None


def _tone(syllable: str) -> str:
    return "".join(mark for mark in unicodedata.normalize("NFD", syllable) if mark in _TONE_MARKS)


def _telex(word: str) -> Iterator[str]:
    """Yield the readings of Telex keys, the tone anywhere behind its vowel: "hojc" and "hocj" are "học"."""
    tones = [place for place, key in enumerate(word) if place > 0 and key in _TELEX_TONES]
    for place in reversed(tones):
        yield _composed(word[:place] + word[place + 1 :], _TELEX_TONES[word[place]])
    yield _composed(word, "")


def _composed(keys: str, tone: str) -> str:
    keys = re.sub(r"uow|uwow", "ươ", keys)
    keys = re.sub(r"^(d)(.+)d$", r"dd\2", keys)
    # "hoocj", "nghieejp": the shape may also follow the whole vowel ("nghieepj", "nghiepe").
    for vowel in "aeo":
        keys = re.sub(rf"{vowel}([^aeo]{{1,2}}){vowel}$", rf"{vowel}{vowel}\1", keys)
    keys = re.sub(r"^(.*)([aou])([^w]{1,2})w$", r"\1\2w\3", keys)
    for pair, letter in _TELEX_SHAPES.items():
        keys = keys.replace(pair, letter)
    return _toned(keys, tone)


def _vni(word: str) -> Iterator[str]:
    """Yield the reading of VNI keys: "ho5c", "d9ie6m3"."""
    if not any(key.isdigit() for key in word) or not word[0].isalpha():
        return
    letters: list[str] = []
    tone = ""
    for key in word:
        if key in _VNI_TONES:
            tone = _VNI_TONES[key]
        elif key in _VNI_SHAPES:
            shapes = _VNI_SHAPES[key]
            place = next((i for i in range(len(letters) - 1, -1, -1) if letters[i] in shapes), None)
            if place is None:
                return
            letters[place] = shapes[letters[place]]
            if key == "7" and letters[place] == "ơ" and place and letters[place - 1] == "u":
                letters[place - 1] = "ư"
        elif key.isdigit():
            return
        else:
            letters.append(key)
    yield _toned("".join(letters), tone)


def _toned(syllable: str, tone: str) -> str:
    """Return `syllable` with the tone on the vowel that carries it."""
    if not tone:
        return syllable
    start = 2 if syllable.startswith(("qu", "gi")) and len(syllable) > 2 and syllable[2] in _VOWELS else 0
    vowels = [place for place in range(start, len(syllable)) if syllable[place] in _VOWELS]
    if not vowels:
        return syllable
    marked = [place for place in vowels if syllable[place] in _TONED_BY_MARK]
    closed = vowels[-1] < len(syllable) - 1
    if marked:
        place = marked[-1]
    elif len(vowels) == 1:
        place = vowels[0]
    else:
        place = vowels[1] if closed or len(vowels) > 2 else vowels[0]
    return unicodedata.normalize("NFC", syllable[: place + 1] + tone + syllable[place + 1 :])
