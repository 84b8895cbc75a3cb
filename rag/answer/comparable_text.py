"""Texts as the verifier compares them: their words, phrases with one meaning as one, and their numbers in one form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any

from vietnamese.data_files import yaml_beside
from vietnamese.text import words

_TOKEN = re.compile(r"\d[\d.,/:h-]*\d|[^\W_]+(?:[./@-][^\W_]+)*|%|;")
_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}))?")
_SPOKEN_DATE = re.compile(r"(?:ngày\s+)?(\d{1,2})\s+tháng\s+(\d{1,2})(?:\s+năm\s+(\d{4}))?", re.IGNORECASE)
_SPOKEN_MONTH = re.compile(r"tháng\s+(\d{1,2})(?:\s+năm\s+(\d{4})|/(\d{4}))", re.IGNORECASE)
_DAY_BEFORE_DATE = re.compile(r"\bngày\s+(?=\d{1,2}[/.-]\d)", re.IGNORECASE)
_LIMIT_APART = re.compile(r"\b(tối thiểu|tối đa)\b([^,.;:\d]{3,60}?)\s+là\s+(?=\d)", re.IGNORECASE)
_SPOKEN_TIME = re.compile(r"(?<![\d/.,])(\d{1,2})\s+giờ(?:\s+(\d{2})(?![\d/]))?", re.IGNORECASE)
_FIVE = re.compile(
    r"\b(trên|trong|từ|sau|trước|quá|đủ|tối đa|tối thiểu|ít nhất)\s+năm\s+"
    r"(?=(?:học kỳ|ngày|tuần|tháng|buổi|tiết|môn|lần|người|cuốn)\b)",
    re.IGNORECASE,
)
_COHORT = re.compile(r"\b[kK](\d{2})\b")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_TIME = re.compile(r"(\d{1,2})(?:h|:|\s*giờ\s*)(\d{2})?(?!\d)")
_ADDRESS = re.compile(r"https?://\S+|[\w.+-]+@[\w-]+\.[\w.-]+|\bwww\.\S+")


@dataclass(frozen=True, slots=True)
class Value:
    """A number, date, time or code in a normal form, with the words around it ("" at an end).

    `rate` is the time of a rate: "4,8 %/năm"; `at` counts the words of the text before the value.
    """

    value: str
    before: str
    after: str
    rate: str = ""
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ComparableText:
    """A text as it is compared: its folded words, the telling ones, its values and addresses."""

    text: str
    tokens: tuple[str, ...]
    line: str
    telling: frozenset[str]
    values: tuple[Value, ...]
    by_value: Mapping[str, tuple[Value, ...]]
    addresses: frozenset[str]


@lru_cache(maxsize=4096)
def comparable(text: str) -> ComparableText:
    lists = word_lists()
    spoken = _phrased(_LIMIT_APART.sub(r"\2 là \1 ", _DAY_BEFORE_DATE.sub("", text)))
    spoken = _SPOKEN_TIME.sub(lambda m: f"{m[1]}:{m[2] or '00'}", spoken)
    spoken = _SPOKEN_DATE.sub(lambda m: "/".join(filter(None, m.groups())), spoken)
    spoken = _SPOKEN_MONTH.sub(lambda m: f"tháng {m[1]} năm {m[2] or m[3]}", spoken)
    spoken = _FIVE.sub(r"\1 5 ", spoken)
    spoken = _COHORT.sub(r"khóa \1", spoken)
    addresses = frozenset(found.rstrip(".,;)").lower() for found in _ADDRESS.findall(spoken))
    spoken = _ADDRESS.sub(" ", spoken)
    tokens = list(_tokens(spoken))
    values = tuple(_values(tokens, [lists.same.get(token, token) for token in map(lowered, tokens)]))
    by_value: dict[str, list[Value]] = {}
    for value in values:
        by_value.setdefault(value.value, []).append(value)
    plain = [lists.same.get(word, word) for word in words(spoken)]
    telling = frozenset(word for word in _without_free(plain) if not word[0].isdigit())
    return ComparableText(
        spoken,
        tuple(plain),
        f" {' '.join(plain)} ",
        telling,
        values,
        {value: tuple(found) for value, found in by_value.items()},
        addresses,
    )


def _without_free(plain: Sequence[str]) -> Iterator[str]:
    """Yield the words that need support: "viên" of "giảng viên", not that of "sinh viên"."""
    free = _free_phrases()
    longest = max(map(len, free))
    place = 0
    while place < len(plain):
        ends = range(min(place + longest, len(plain)), place, -1)
        end = next((end for end in ends if tuple(plain[place:end]) in free), place)
        if end == place:
            yield plain[place]
        place = max(end, place + 1)


@cache
def _free_phrases() -> frozenset[tuple[str, ...]]:
    data: Mapping[str, Any] = yaml_beside(__file__, "comparable_text.yml")
    return frozenset(tuple(words(phrase)) for phrase in data["free"])


def _phrased(text: str) -> str:
    """Return a text with one phrase for each group of those that mean the same, without those that say nothing."""
    pattern, meant = _phrases()
    return pattern.sub(lambda found: meant[" ".join(found[0].lower().split())], text)


def _tokens(text: str) -> Iterator[str]:
    """Yield words, numbers and codes, and the end of a cell: "tháng/năm" is two words, "877/QĐ-ĐH" one code."""
    for token in _TOKEN.findall(text):
        if token.isupper() or any(map(str.isdigit, token)):
            yield token
        else:
            yield from re.split(r"[./@-]", token)


def _values(tokens: Sequence[str], folded: Sequence[str]) -> Iterable[Value]:
    lists = word_lists()
    ends = accumulate(len(words(token)) for token in tokens)
    for place, (token, end) in enumerate(zip(tokens, ends, strict=True)):
        at = end - len(words(token))
        before = folded[place - 1].strip(";") if place else ""
        after = folded[place + 1].strip(";") if place + 1 < len(tokens) else ""
        if token[0].isdigit():
            normal = _normal_number(token)
            if factor := lists.multipliers.get(lowered(tokens[place + 1]) if after else ""):
                behind = folded[place + 2] if place + 2 < len(tokens) else ""
                # "5,5; tỷ lệ" is no amount.
                if behind != "lệ":
                    normal, after = _multiplied(normal, factor), behind
            yield Value(normal, before, after, _rate(folded[place + 1 : place + 4]), at)
        elif lowered(token) in lists.numbers:
            yield Value(str(lists.numbers[lowered(token)]), before, after, at=at)
        elif len(token) == 1 and place and token.isupper() and lowered(token) not in lists.syllables:
            # A grade: "điểm B" is not "điểm b" of a list.
            yield Value(token, before, after, at=at)
        elif any(map(str.isdigit, token)) or (len(token) > 1 and token.isupper()):
            yield Value(lowered(token), before, after, at=at)


def _rate(behind: Sequence[str]) -> str:
    """Return the time that a rate is for: "%/năm", "% một năm", "đồng mỗi tháng"; empty for none."""
    lists = word_lists()
    units = [word for word in behind[1:] if word not in lists.each]
    return units[0] if behind and units and units[0] in lists.times else ""


@lru_cache(maxsize=4096)
def _normal_number(token: str) -> str:
    """Return the normal form of a number, date, time or code: "05/9" and "5/09" are one, "2,0" and "2.00" too."""
    if date := _DATE.fullmatch(token):
        parts = [str(int(part)) for part in date.groups() if part]
        # "3.5" is a number, "3/5" is a day.
        if "/" in token or len(parts) == 3:
            return "/".join(parts)
    if time := _TIME.fullmatch(token):
        return f"{int(time[1])}h{int(time[2] or 0):02}"
    if _THOUSANDS.fullmatch(token):
        return re.sub(r"[.,]", "", token)
    if re.fullmatch(r"\d+[.,]\d+", token):
        whole, _, part = re.sub(",", ".", token).partition(".")
        part = part.rstrip("0")
        return f"{int(whole)}.{part}" if part else str(int(whole))
    if token.isdecimal():
        return str(int(token))
    return lowered(token)


def _multiplied(number: str, factor: int) -> str:
    try:
        value = float(number) * factor
    except ValueError:
        return number
    return str(round(value)) if abs(value - round(value)) < 1e-6 else str(value)


@dataclass(frozen=True, slots=True)
class WordLists:
    offices: tuple[str, ...]
    heads: frozenset[str]
    actors: tuple[str, ...]
    counted: frozenset[str]
    numbers: Mapping[str, int]
    multipliers: Mapping[str, int]
    negations: frozenset[str]
    modals: frozenset[str]
    conditional: frozenset[str]
    addressed: frozenset[str]
    lesser: frozenset[str]
    syllables: frozenset[str]
    levels: frozenset[str]
    references: frozenset[str]
    decisive: tuple[str, ...]
    measures: frozenset[str]
    each: frozenset[str]
    times: frozenset[str]
    opposites: tuple[tuple[str, str], ...]
    same: Mapping[str, str]
    directions: Mapping[str, str]
    common: frozenset[str]
    free: frozenset[str]


@cache
def word_lists() -> WordLists:
    data: Mapping[str, Any] = yaml_beside(__file__, "comparable_text.yml")
    pairs = [(f" {one} ", f" {other} ") for one, other in data["opposites"]]
    return WordLists(
        offices=tuple(data["offices"]),
        heads=frozenset(word.split()[0] for word in data["offices"]),
        actors=tuple(f" {phrase} " for phrase in data["actors"]),
        counted=frozenset(data["counted"]),
        numbers=data["numbers"],
        multipliers=data["multipliers"],
        negations=frozenset(data["negations"]),
        modals=frozenset(data["modals"]),
        conditional=frozenset(data["conditional"]),
        addressed=frozenset(data["addressed"]),
        lesser=frozenset(data["lesser"]),
        syllables=frozenset(data["syllables"]),
        levels=frozenset(phrase.split()[0] for phrase in data["levels"]),
        references=frozenset(data["references"]),
        decisive=tuple(f" {phrase} " for phrase in data["decisive"]),
        measures=frozenset(data["measures"]),
        each=frozenset(data["each"]),
        times=frozenset(data["times"]),
        opposites=(*pairs, *((other, one) for one, other in pairs)),
        same={word: group[0] for group in data["same"] for word in group},
        directions={word: way for way, some in data["directions"].items() for word in some},
        common=frozenset(data["common"]),
        free=frozenset(token for word in data["free"] for token in words(word)),
    )


@cache
def comparable_kinds() -> Mapping[str, frozenset[str]]:
    """Return the kinds of words by which a sentence and its passage may differ."""
    data: Mapping[str, Any] = yaml_beside(__file__, "comparable_text.yml")
    some = {kind: frozenset(words_of_kind) for kind, words_of_kind in data["kinds"].items()}
    return {"negation": word_lists().negations, **some}


@cache
def _phrases() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return a pattern of the phrases that are replaced, the longest first, and what replaces each."""
    data: Mapping[str, Any] = yaml_beside(__file__, "comparable_text.yml")
    meant = {phrase: group[0] for group in data["phrases"] for phrase in group}
    meant |= dict.fromkeys(data["said_besides"], " ")
    some = sorted(meant, key=len, reverse=True)
    pattern = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in some)
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE), meant


def lowered(text: str) -> str:
    return (words(text) or [text.lower()])[0] if text.isalpha() else text.lower()
