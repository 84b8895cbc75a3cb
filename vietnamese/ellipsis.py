"""Elliptical messages: "ở đâu vậy?", "còn ngành luật?", "ý em là học phí chứ không phải học bổng".

The question before has the rest; these functions recognise such messages and return their own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.patterns import either
from vietnamese.text import fold, words

MOST_WORDS = 8
"""A longer message is a question of its own, however it begins."""

_NAME_WORDS = 2
"""The name of a matter has as many words, where the question has more than one part that may be it."""

TOPIC_WORDS = 3
"""A topic that is introduced has no more words; more of them say what about it is asked."""

_SIGNS = " ,.;:!?"
LONGEST_CORRECTION = 300
"""Characters; patterns are not tried on more."""


class _WordList:
    """Words with diacritics, which a word written without them may stand for.

    `bare` are further words that count only when they are written without diacritics.
    """

    def __init__(self, listed: str, bare: str) -> None:
        self._written = frozenset(listed.split())
        self._bare = frozenset(fold(word) for word in (*self._written, *bare.split()))

    def __contains__(self, word: str) -> bool:
        lowered = word.lower()
        plain = fold(lowered)
        return plain in self._bare if plain == lowered else lowered in self._written


@dataclass(frozen=True)
class _Rules:
    """The lists of `ellipsis.yml`, compiled."""

    empty: _WordList
    framing: _WordList
    beginnings: tuple[re.Pattern[str], ...]
    endings: tuple[str, ...]
    measures: re.Pattern[str]
    asking: re.Pattern[str]
    result: re.Pattern[str]
    concluding: re.Pattern[str]
    stating: frozenset[str]
    supposed: frozenset[str]
    summing: frozenset[str]
    supposing: re.Pattern[str]
    puzzled: re.Pattern[str]
    doubting: re.Pattern[str]
    corrections: tuple[re.Pattern[str], ...]
    leads: re.Pattern[str]
    somebody_else: re.Pattern[str]
    them: re.Pattern[str]
    writer: re.Pattern[str]
    writer_speaks: re.Pattern[str]
    plain_correction: re.Pattern[str]
    introduced: re.Pattern[str]
    interrogatives: re.Pattern[str]
    per_unit: re.Pattern[str]
    polite: _WordList
    first_person: _WordList


@dataclass(frozen=True, slots=True)
class Correction:
    """`said` is the matter that is meant, `instead` the one that it was taken for; empty when not named.

    `is_plain`: the message says in so many words that it puts something right ("ý em là").
    """

    said: str
    instead: str = ""
    is_plain: bool = False


def names_nothing(text: str) -> bool:
    """Return whether a message has words, but names no matter: "nộp ở đâu vậy ạ"."""
    return 0 < len(words(text)) <= MOST_WORDS and not naming_words(text)


def share_of_empty_words(text: str) -> float:
    """Return the share (0..1) of a message's words that name no matter; 1 for a message without words."""
    said = words(text)
    return 1 - len(naming_words(text)) / len(said) if said else 1.0


def naming_words(text: str) -> list[str]:
    """Return the words of a message that may name its matter: "tín chỉ" of "mấy tín chỉ vậy ạ"."""
    return [word for word in words(text) if word not in _rules().empty]


def without_measures(text: str) -> str:
    """Return `text` without what tells how much or how long: "nghỉ được mấy" of "nghỉ tối đa được mấy năm"."""
    return " ".join(_rules().measures.sub(" ", text.lower()).split())


def asks(text: str) -> bool:
    """Return whether a message has words that ask for something: "k51 kế toán đăng ký 16 tín hết bao nhiêu"."""
    return _rules().asking.search(fold(text)) is not None


def asks_for_result(text: str) -> bool:
    """Return whether a message asks to calculate with what was said before: "tính ra số tiền luôn giúp em"."""
    return _rules().result.search(fold(text)) is not None


_SUMS = frozenset({"nhiêu", "nhieu", "nhiu", "bn", "much"})


def states_values(rest: str) -> bool:
    """Return whether a message states values, and no matter: `rest` is the message without them ("em chỉ học ...")."""
    return all(word in _rules().stating for word in words(rest))


def supposes_values(rest: str) -> bool:
    """Return whether a message supposes other values, and no matter; `rest` is as for `states_values`."""
    known = _rules()
    said = words(rest)
    return not known.supposed.isdisjoint(said) and all(
        w in known.stating or w in known.supposed for w in said
    )


def sums_values(rest: str) -> bool:
    """Return whether a message asks what values come to, and names no matter; `rest` is as for `states_values`."""
    known = _rules()
    said = words(rest)
    return not _SUMS.isdisjoint(said) and all(w in known.stating or w in known.summing for w in said)


def concludes(text: str) -> bool:
    """Return whether a message asks what follows from what was found: "vậy là học lực gì", "có được học bổng không"."""
    return _rules().concluding.search(" ".join(words(fold(text)))) is not None


def supposes(text: str) -> bool:
    """Return whether a message supposes something: "nếu 14 tín thì sao", "giả sử em được 3.5"."""
    return _rules().supposing.search(" ".join(words(text.lower()))) is not None


def is_puzzled(text: str, known: Iterable[str]) -> bool:
    """Return whether a message asks about a question back instead of answering it: "là sao ad", "khóa là gì".

    `known` are the texts of the question and of its possible answers: "điều kiện là gì" asks about none of them.
    """
    asked = _rules().puzzled.fullmatch(" ".join(words(fold(text))))
    if asked is None:
        return False
    spoken_of = {word for each in known for word in words(fold(each))}
    return all(word in spoken_of for word in (asked["thing"] or "").split())


def doubts(text: str) -> bool:
    """Return whether a message asks no more than whether the answer before it is sure: "chắc chưa", "thật ko ad"."""
    return _rules().doubting.fullmatch(" ".join(words(fold(text)))) is not None


def is_about_somebody_else(text: str) -> bool:
    """Return whether a message begins with somebody other than its writer: "bạn em k49 thì sao"."""
    return bool(lead_of_somebody_else(text))


def lead_of_somebody_else(text: str) -> str:
    """Return the beginning of a message that names somebody other than its writer, folded; empty for none."""
    led = _rules().somebody_else.match(" ".join(words(fold(text))))
    return led[0] if led else ""


def goes_on_about_them(text: str) -> bool:
    """Return whether a message begins with a pronoun for whom it was about before: "nó nợ môn thì sao"."""
    return _rules().them.match(" ".join(words(text.lower()))) is not None


def comes_back_to_writer(text: str) -> bool:
    """Return whether a message turns from somebody else to its writer: "còn em thì sao"."""
    return _rules().writer.match(" ".join(words(fold(text)))) is not None


def begins_with_writer(text: str) -> bool:
    """Return whether a message begins with something that its writer says of themselves: "e còn nợ 2 môn"."""
    return _rules().writer_speaks.match(" ".join(words(fold(text)))) is not None


def speaks_of_writer(text: str) -> bool:
    """Return whether a message has a word for its writer: "em học văn bằng hai", not "văn bằng hai thì sao"."""
    return any(word in _rules().first_person for word in words(text))


def is_mere_topic(text: str) -> bool:
    """Return whether a message only introduces a topic by its name: "quy định về học phí", "vấn đề học bổng"."""
    folded = " ".join(words(fold(text)))
    led = _rules().introduced.match(folded)
    return led is not None and len(folded[led.end() :].split()) <= TOPIC_WORDS and not asks(text)


def matter_name(question: str) -> str:
    """Return the name of the matter in a whole question: "học bổng" of "điều kiện được học bổng là gì?".

    Empty when the question has only words that may stand around any name.
    """
    lowered, rules = question.lower(), _rules()
    asked = [found.start() for found in rules.interrogatives.finditer(lowered)]
    units = [found.start() for found in rules.per_unit.finditer(lowered)]
    ends = (*sorted((*units, *asked)), len(question))
    names = (_without_frame(question[:place]) for place in ends)
    return next((name for name in names if len(name.split()) >= _NAME_WORDS), _without_frame(question))


def _without_frame(text: str) -> str:
    said = text.strip(_SIGNS).split()
    framing = [word.strip(_SIGNS) in _rules().framing for word in said]
    named = [place for place, frames in enumerate(framing) if not frames]
    return " ".join(said[named[0] : named[-1] + 1]).strip(_SIGNS) if named else ""


def continuation(text: str) -> str | None:
    """Return the addition to the question before: "học phí" of "thế học phí thì sao?"; None when there is none."""
    folded = " ".join(fold(text).split())
    plain = " ".join(text.split())
    if len(folded) != len(plain) or len(words(folded)) > MOST_WORDS:
        return None
    begun = [match.end() for pattern in _rules().beginnings if (match := pattern.match(folded))]
    if not begun:
        return None
    end = len(folded.rstrip(" ?.!"))
    ended = [len(ending) for ending in _rules().endings if folded[:end].endswith(f" {ending}")]
    return plain[max(begun) : end - max(ended, default=0)].strip(" ,?.!") or None


def correction(text: str) -> Correction | None:
    """Return the correction that a message makes, in its own words; None when no pattern fits."""
    plain = " ".join(text.split())[:LONGEST_CORRECTION].rstrip(" ?.!")
    folded = fold(plain)
    if len(folded) != len(plain):
        return None
    for pattern in _rules().corrections:
        if found := pattern.fullmatch(folded):
            parts = {name: without_politeness(plain[slice(*found.span(name))]) for name in found.groupdict()}
            if parts["said"]:
                is_plain = _rules().plain_correction.search(folded) is not None
                return Correction(parts["said"], parts.get("instead", ""), is_plain)
    return None


def without_politeness(text: str) -> str:
    """Return `text` without words of politeness at either end."""
    led = _rules().leads.match(fold(text))
    kept = text[led.end() if led else 0 :].strip(_SIGNS).split()
    while kept and kept[-1].strip(_SIGNS) in _rules().polite:
        kept.pop()
    while kept and kept[0].strip(_SIGNS) in _rules().polite:
        kept.pop(0)
    return " ".join(kept)


def words_without_politeness(text: str) -> tuple[str, ...]:
    """Return the words of `text` without those of politeness and of its writer, wherever they stand."""
    rules = _rules()
    kept = words(without_politeness(text))
    return tuple(word for word in kept if word not in rules.polite and word not in rules.first_person)


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    lists = yaml_beside(__file__, "ellipsis.yml")
    return _Rules(
        empty=_WordList(lists["empty_words"], lists["empty_when_bare"]),
        framing=_WordList(f"{lists['empty_words']} {lists['framing_words']}", lists["empty_when_bare"]),
        beginnings=tuple(re.compile(rf"(?:{pattern})\b") for pattern in lists["beginnings"]),
        endings=tuple(lists["endings"]),
        measures=re.compile(lists["measures"]),
        asking=re.compile(rf"\b(?:{'|'.join(lists['asking'])})"),
        result=re.compile(rf"\b(?:{'|'.join(lists['result'])})"),
        concluding=re.compile("|".join(lists["concluding"])),
        stating=frozenset(lists["stating_words"].split()),
        supposed=frozenset(lists["supposing_words"].split()),
        summing=frozenset(lists["summing_words"].split()),
        supposing=re.compile(either(lists["supposing"])),
        puzzled=re.compile(rf"(?:(?:da|ua|u|o) )?(?:{'|'.join(lists['puzzled'])}){lists['around_replies']}"),
        doubting=re.compile(rf"(?:{'|'.join(lists['doubting'])}){lists['around_replies']}"),
        corrections=tuple(map(re.compile, lists["corrections"])),
        leads=re.compile(lists["leads"]),
        somebody_else=re.compile(lists["somebody_else"]),
        them=re.compile(either(lists["them"])),
        writer=re.compile(lists["writer"]),
        writer_speaks=re.compile(lists["writer_speaks"]),
        plain_correction=re.compile(lists["plain_correction"]),
        introduced=re.compile(lists["introduced"]),
        interrogatives=re.compile(rf"\b{lists['interrogatives']}"),
        per_unit=re.compile(lists["per_unit"]),
        polite=_WordList(lists["polite"], ""),
        first_person=_WordList(lists["first_person"], ""),
    )
