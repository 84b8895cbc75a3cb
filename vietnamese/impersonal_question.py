"""Questions about a matter itself, which speak neither of the writer nor of the bot: "Ai quyết định mức khen thưởng?"

A classifier with few examples of a school takes such a question for an act of talk with a word in common: "khen
thưởng" for praise, "xóa tên" for "xóa thông tin của mình". An act of talk speaks of the writer, of the bot or of the
talk itself, or it is no question.
"""

from __future__ import annotations

import re
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.patterns import any_of
from vietnamese.text import PAUSE, fold, words

FEWEST_WORDS = 4
"""Shorter questions are mostly about the last reply: "là sao?", "thế nào nữa?"."""

LEAST_WORDS_OF_A_REASON = 3
"""Fewer beside a request for a person are a greeting or a call: "ad ơi"."""

_HOW = re.compile(r"\b(?:như )?th(?:ế nào|e nao)\b")
_POINTED_AT = re.compile(
    r"\b(?:this|these|those) (?!(?:is|was|do|does|mean|work|about|for|bot|chat|chatbot|page|app|thing|one)\b)\w+"
)
"""A thing of the school that is pointed at: "this major". "This" alone points back in the talk."""

_TALK = re.compile(r"\b(?:trả lời|tra loi|trực tiếp|truc tiep|trực tuyến|truc tuyen)\b")
"""Acts of a talk, whose words mean other things of their own: "ai trả phí", "có người trực"."""

_OTHERS_WHEN_BARE = frozenset({"tôi", "toi", "cô", "nói", "đấy", "bà"})

_ANY = re.compile(r"\bco (?:\w+ ){1,4}(?:nao|gi|j)(?: \w+){0,4} (?:khong|ko|k|hong|hok|hem|kg|chua)\b")

_NEGATION = ("không", "khong", "ko", "k")
"""At the beginning: "không cần đâu", "không liên quan gì"."""


def is_impersonal_question(text: str) -> bool:
    """Return whether `text` asks about a matter, and speaks neither of the writer, nor of the bot, nor of the talk."""
    found = words(_POINTED_AT.sub("matter", _HOW.sub("ai", _marked(text))))
    if len(found) < FEWEST_WORDS or found[0] in _NEGATION:
        return False
    asking, of_the_talk = _lists(bare=text == fold(text))
    return not asking.isdisjoint(found) and of_the_talk.isdisjoint(found)


def asks_for_amount(text: str) -> bool:
    """Return whether `text` asks how much, how many, how long or when, not of the bot: "thiếu bao nhiêu nữa"."""
    return _has(text, "amounts") and len(words(text)) >= FEWEST_WORDS and not _has(text, "of_the_bot")


def asks_where(text: str) -> bool:
    """Return whether `text` asks where: "làm lại ở đâu" begins no talk anew."""
    return _has(text, "places")


def asks_for_offer(text: str) -> bool:
    """Return whether `text` asks whether the school has something: "do you also have a medical school"."""
    return _has(text, "offers") and not (_has(text, "of_a_bot") or _has(text, "of_the_bot"))


def asks_for_any(text: str) -> bool:
    """Return whether `text` asks whether there is any of a kind, and so leaves nothing unnamed: "có CLB nào không"."""
    return _ANY.search(" ".join(words(fold(text)))) is not None


def asks_for_consequence(text: str) -> bool:
    """Return whether `text` asks what follows from something: "không khai bị sao"."""
    said = yaml_beside(__file__, "impersonal_question.yml")["consequences"]
    return re.search(rf"\w \b(?:{any_of(said)})$", " ".join(words(fold(text)))) is not None


def may_ask_for_a_person(text: str) -> bool:
    """Return whether `text` has a word for a person to talk to, or for a talk: not "ba mẹ em có biết không".

    "Em cần gấp trong ngày" has none.
    """
    urgent = any_of(yaml_beside(__file__, "impersonal_question.yml")["urgent"])
    return _has(re.sub(rf"\b(?:{urgent})\b", " ", " ".join(words(fold(text)))), "of_a_person")


def asks_for_a_person(text: str) -> bool:
    """Return whether a part of `text` does nothing but ask for a person: "cho e gap co van voi a, e bi sai diem"."""
    return any(map(_asking_for_a_person().fullmatch, _parts(text)))


def asks_to_meet_an_office(text: str) -> bool:
    """Return whether a part of `text` asks to talk to an office: "cho em gặp phòng tài chính với ạ"."""
    return any(map(_asking_to_meet_an_office().match, _parts(text)))


def reason_beside_a_person(text: str) -> bool:
    """Return whether `text` asks for a person in a part of its own and says in another one what for."""
    parts = [part for part in _parts(text) if part]
    others = [part for part in parts if not _asking_for_a_person().fullmatch(part)]
    return len(others) < len(parts) and any(len(part.split()) >= LEAST_WORDS_OF_A_REASON for part in others)


def _parts(text: str) -> list[str]:
    """Return the words between the pauses of `text`, folded."""
    return [" ".join(words(fold(part))) for part in PAUSE.split(text)]


@lru_cache(maxsize=1)
def _asking_for_a_person() -> re.Pattern[str]:
    patterns = yaml_beside(__file__, "impersonal_question.yml")["asks_for_a_person"]
    return re.compile("|".join("".join(parts) for parts in patterns.values()))


@lru_cache(maxsize=1)
def _asking_to_meet_an_office() -> re.Pattern[str]:
    said = yaml_beside(__file__, "impersonal_question.yml")
    *request, _person, _end = said["asks_for_a_person"]["vietnamese"]
    return re.compile(f"{''.join(request)}(?:{any_of(said['of_an_office'])})\\b(?! (?:o dau|nao|may gio))")


def _has(text: str, listed: str) -> bool:
    """Return whether `text` has a phrase of a list of the file that is written without diacritics."""
    phrases = yaml_beside(__file__, "impersonal_question.yml")[listed]
    return re.search(rf"\b(?:{any_of(phrases)})\b", " ".join(words(fold(text)))) is not None


def _marked(text: str) -> str:
    """Return `text` in lower case with "bot" for what is done in a talk."""
    return _TALK.sub("bot", text.lower())


@lru_cache(maxsize=2)
def _lists(*, bare: bool) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of a question and those of the talk, as typed with or without diacritics."""
    said = yaml_beside(__file__, "impersonal_question.yml")
    asking, of_the_talk = frozenset(said["asking"].split()), frozenset(said["of_the_talk"].split())
    if not bare:
        return asking, of_the_talk
    # Without words that are others too: "dau" is "đầu", "toi" is "tối" and "tới", "co" is "có", "noi" is "nơi".
    return frozenset(map(fold, asking - {"đâu"})), frozenset(map(fold, of_the_talk - _OTHERS_WHEN_BARE))


def speaks_of_the_talk(text: str) -> bool:
    """Return whether `text` has a word for the writer or the bot, or one that points back in the talk."""
    return not _lists(bare=text == fold(text))[1].isdisjoint(words(_marked(text)))
