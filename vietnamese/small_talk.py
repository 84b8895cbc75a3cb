"""Small talk: greetings, thanks, "who made you". Retrieval would find some passage for it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from vietnamese.chat_spelling import ChatSpelling
from vietnamese.data_files import yaml_beside
from vietnamese.ellipsis import asks
from vietnamese.syllables import is_syllable
from vietnamese.text import PAUSE, clean, fold

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_LAUGHED = re.compile(r"a?(?:ha|he|hi|hu|ka|ke|ki|k|h)+")
_STRETCHED = re.compile(r"([^\W\d_])\1+")
_SHORTEST_LAUGH = 3
_MOST_FILLERS = 4
_AFTER_GREETING = frozenset(["a", "ad", "admin", "bot", "shop", "page", "oi", "nha", "nhe"])
_FEWEST_WORDS = 2
"""Words that must remain of a message without its small talk."""


class SmallTalk(str, Enum):
    """The kinds of messages that ask nothing of the school; of several in a message the first here counts.

    A value is the name of the response in domain.yml, without "utter_".
    """

    WHO_ARE_YOU = "who_are_you"
    HOW_ARE_YOU = "how_are_you"
    ABUSE = "abuse"
    COMPLAINT = "complain"
    PRAISE = "praise"
    THANKS = "thank"
    GOODBYE = "goodbye"
    GREETING = "greet"
    TEST = "test"
    LAUGHTER = "laughter"
    REACTION = "reaction"
    ACKNOWLEDGEMENT = "affirm"


_THANKFUL = (SmallTalk.THANKS, SmallTalk.ACKNOWLEDGEMENT, SmallTalk.PRAISE)
"""What stands before a question in one clause: "ok cảm ơn ad"."""


@dataclass(frozen=True, slots=True)
class _Known:
    """Phrases by their bare words, each with its kind and the ways it is spelled; `longest` by the first word."""

    phrases: Mapping[tuple[str, ...], tuple[SmallTalk, list[tuple[str, ...]]]]
    longest: Mapping[str, int]
    fillers: frozenset[str]
    familiar: Mapping[str, str]
    other_words: frozenset[tuple[str, ...]]
    turning: re.Pattern[str]


@lru_cache(maxsize=1)
def _known() -> _Known:
    lists = yaml_beside(__file__, "small_talk.yml")
    phrases: dict[tuple[str, ...], tuple[SmallTalk, list[tuple[str, ...]]]] = {}
    for kind, ways in lists["kinds"].items():
        for way in ways:
            words = list(_words(clean(str(way))))
            bare = tuple(word.bare for word in words)
            phrases.setdefault(bare, (SmallTalk(kind), []))[1].append(tuple(word.typed for word in words))
    fillers = frozenset(word.bare for word in _words(lists["fillers"]))
    longest: dict[str, int] = {}
    for bare in phrases:
        longest[bare[0]] = max(len(bare), longest.get(bare[0], 0))
    familiar = {way: polite for polite, ways in lists["familiar"].items() for way in ways}
    other_words = frozenset(tuple(phrase.split()) for phrase in lists["other_words"])
    return _Known(phrases, longest, fillers, familiar, other_words, re.compile(lists["turning"]))


def small_talk(text: str) -> SmallTalk | None:
    """Return the kind of small talk that `text` is, also in chat spelling; None when anything may be a question."""
    text = clean(text)
    words = list(_words(text))
    if not words:
        pictures = any(unicodedata.category(char) == "So" for char in text)
        return SmallTalk.LAUGHTER if pictures else None
    written_out = list(_words(_chat_spelling().write_out(text)))
    return _kind_of(words) or _kind_of(written_out) or _kind_of(list(map(_politely, written_out)))


@lru_cache(maxsize=1)
def _chat_spelling() -> ChatSpelling:
    return ChatSpelling()


def _kind_of(words: list[_Word]) -> SmallTalk | None:
    kinds: set[SmallTalk] = set()
    place = 0
    if tuple(word.typed for word in words) in _known().other_words:
        return None
    while place < len(words):
        kind, size = _phrase_at(words, place)
        if kind is not None:
            kinds.add(kind)
        elif words[place].bare not in _known().fillers:
            return None
        place += size
    return next((kind for kind in SmallTalk if kind in kinds), None)


def without_small_talk(text: str) -> str:
    """Return `text` without the greeting or the insult before its question, and the thanks or the insult behind it.

    Thanks before it go, too, when the rest asks: "ok cảm ơn ad, mà có được báo công an không". Nor has it the words
    that turn to the question from another one: "thôi hỏi cái khác, ...". It is unchanged when too little would remain.
    `text` must be NFC (see `vietnamese.text.clean`).
    """
    words = list(_words(text))
    is_bare = fold(text) == text.lower()
    first = 0
    while size := (
        _through_turning(text, words, first)
        or _through_greeting(words, first)
        or _through_insult(text, words, first, is_bare)
        or _through_thanks(text, words, first)
    ):
        first += size
    last = next((place for place in range(first, len(words)) if _thanks_to_the_end(words, place)), len(words))
    while last > first and _insult_at(words, last - 1, is_bare) == 1:
        last -= 1
    is_whole = first == 0 and last == len(words)
    if is_whole or last - first < _FEWEST_WORDS or _kind_of(words[first:last]) is not None:
        return text
    begin = words[first].start
    return text[begin:] if last == len(words) else text[begin : words[last].start].rstrip(" ,.;:-\n")


def asks_beside_small_talk(text: str) -> bool:
    """Return whether `text` has small talk at an end, and asks for something without it: "ok cảm ơn, mà nộp ở đâu"."""
    rest = without_small_talk(text)
    return rest != text and asks(rest)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word without drawn-out letters, as typed and by its bare letters, with its place in the text."""

    typed: str
    bare: str
    start: int
    end: int


def _words(text: str) -> Iterator[_Word]:
    for match in _WORD.finditer(text.lower()):
        typed = _STRETCHED.sub(r"\1", match[0].replace("’", "'"))
        yield _Word(typed, fold(typed), match.start(), match.end())


def _politely(word: _Word) -> _Word:
    """Return `word` with the polite form of a familiar "mày" or "tao"."""
    polite = _known().familiar.get(word.typed)
    return word if polite is None else _Word(polite, fold(polite), word.start, word.end)


def _phrase_at(words: list[_Word], place: int) -> tuple[SmallTalk | None, int]:
    """Return the kind and the length of the longest phrase at `place`; None and 1 when there is none."""
    known = _known()
    for size in range(min(known.longest.get(words[place].bare, 0), len(words) - place), 0, -1):
        some = words[place : place + size]
        kind, spellings = known.phrases.get(tuple(word.bare for word in some), (None, []))
        if any(_is_typed_so(some, spelled) for spelled in spellings):
            return kind, size
    word = words[place]
    if word.end - word.start >= _SHORTEST_LAUGH and _LAUGHED.fullmatch(word.bare):
        return SmallTalk.LAUGHTER, 1
    return None, 1


def _is_typed_so(words: list[_Word], spelled: tuple[str, ...]) -> bool:
    """Return whether the typed diacritics are those of the phrase: "vắng" is not "vâng"."""
    return all(word.typed in (word.bare, meant) for word, meant in zip(words, spelled, strict=True))


def _through_greeting(words: list[_Word], place: int) -> int:
    """Return the number of words of the greeting at `place`, words of address included; 0 for none."""
    fillers = _known().fillers
    for ahead in range(place, min(place + _MOST_FILLERS, len(words))):
        kind, size = _phrase_at(words, ahead)
        if kind is SmallTalk.GREETING:
            end = ahead + size
            while end < len(words) and words[end].bare in _AFTER_GREETING:
                end += 1
            return end - place
        if words[ahead].bare not in fillers:
            return 0
    return 0


def _through_turning(text: str, words: list[_Word], first: int) -> int:
    """Return the number of words from `first` on that turn to the question behind them."""
    turning = _known().turning.match(fold(text), words[first].start) if first < len(words) else None
    return sum(word.start < turning.end() for word in words[first:]) if turning is not None else 0


def _through_thanks(text: str, words: list[_Word], place: int) -> int:
    """Return the number of words of the thanks at `place`, up to the end of their clause, before a question; else 0."""
    thanked, at = False, place
    while at < len(words):
        kind, size = _phrase_at(words, at)
        if kind not in _THANKFUL and words[at].bare not in _known().fillers:
            return 0
        thanked, at = thanked or kind is SmallTalk.THANKS, at + size
        is_end = at < len(words) and PAUSE.search(text[words[at - 1].end : words[at].start]) is not None
        if thanked and is_end and asks(text[words[at].start :]):
            return at - place
    return 0


def _through_insult(text: str, words: list[_Word], place: int, is_bare: bool) -> int:
    """Return the number of words of the insult at `place`, up to the end of its clause; 0 for none.

    "Đm" stands before any words; "bot ngu vl trả lời đàng hoàng coi, ..." is a clause of its own.
    """
    if place >= len(words):
        return 0
    if (size := _insult_at(words, place, is_bare)) == 1:
        return size
    ends = (n for n in range(place, len(words) - 1) if PAUSE.search(text[words[n].end : words[n + 1].start]))
    end = next(ends, None)
    if end is None or not any(_insult_at(words, at, is_bare) for at in range(place, end + 1)):
        return 0
    return end + 1 - place


def _insult_at(words: list[_Word], place: int, is_bare: bool) -> int:
    """Return the number of words of the insult at `place`; 0 for none, or where it may be a word without diacritics.

    "Ngu" in "em ngu quen" is "ngủ".
    """
    kind, size = _phrase_at(words, place)
    some = words[place : place + size]
    if kind is not SmallTalk.ABUSE or (size == 1 and is_syllable(some[0].bare)):
        return 0
    return size if not is_bare or not all(is_syllable(word.bare) for word in some) else 0


def _thanks_to_the_end(words: list[_Word], place: int) -> bool:
    """Return whether only thanks and words of address stand from `place` on."""
    thanked = False
    while place < len(words):
        kind, size = _phrase_at(words, place)
        if kind is SmallTalk.THANKS:
            thanked = True
        elif words[place].bare not in _known().fillers:
            return False
        place += size
    return thanked
