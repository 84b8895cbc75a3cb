"""The verifier of generated answers: is each sentence said by the passage that it cites?

It needs no model. A sentence is supported when its numbers, dates, codes and names stand in one place of a cited passage,
when it denies nothing that the passage says, and when enough of its other words stand there too. The thresholds were
set on one half of labelled sentences and judged on the other (`benchmarks/verifier.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any

from rag.types import Passage
from vietnamese.data_files import yaml_beside
from vietnamese.text import fold, words

WORDS_FOUND = 0.6
"""The share of a sentence's telling words that its passages must have."""
WORDS_TOGETHER = 0.45
"""The share that the place must have which says the sentence's numbers."""
MOST_SENTENCE_WORDS = 120

_TOKEN = re.compile(r"\d[\d.,/:h-]*\d|[^\W_]+(?:[./@-][^\W_]+)*|%")
_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}))?")
_SPOKEN_DATE = re.compile(r"(?:ngày\s+)?(\d{1,2})\s+tháng\s+(\d{1,2})(?:\s+năm\s+(\d{4}))?", re.IGNORECASE)
_SPOKEN_MONTH = re.compile(r"tháng\s+(\d{1,2})(?:\s+năm\s+(\d{4})|/(\d{4}))", re.IGNORECASE)
_COHORT = re.compile(r"\b[kK](\d{2})\b")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_TIME = re.compile(r"(\d{1,2})(?:h|:|\s*giờ\s*)(\d{2})?(?!\d)")
_SEGMENT = re.compile(r"(?<=[.;!?])\s+|\n+")
_CLAUSE = re.compile(r"[,;](?=\s)|\s(?:và|nhưng|còn|and|but)\s")
_NAME = re.compile(r"[A-ZĐÀ-Ỹ][^\W\d_]*(?:\s+[A-ZĐÀ-Ỹ][^\W\d_]*)*")
_ADDRESS = re.compile(r"https?://\S+|[\w.+-]+@[\w-]+\.[\w.-]+|\bwww\.\S+")


class Unsupported(StrEnum):
    """Reasons why a sentence is not supported."""

    NO_CITATION = "no_citation"
    UNKNOWN_PASSAGE = "unknown_passage"
    VALUE = "value"
    VALUES_APART = "values_apart"
    NAME = "name"
    COHORT = "cohort"
    NEGATION = "negation"
    OPPOSITE = "opposite"
    WORDS = "words"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage as the verifier compares it: the words that hold for all of it, and its places."""

    whole: _Said
    places: tuple[_Said, ...]
    passage: Passage


def evidence_of(passage: Passage) -> Evidence:
    """Return a passage with its title, headings and locator, prepared for comparison."""
    lead = " . ".join((passage.title, *passage.context, passage.locator, passage.number or ""))
    pieces = [piece for piece in _SEGMENT.split(passage.text) if piece.strip()]
    first = pieces[0] if pieces else ""
    # What introduces a list holds for its items: "Mức đóng gồm:".
    intro = first if first.rstrip().endswith(":") else ""
    places = tuple(_said(f"{lead} . {intro} . {piece}") for piece in pieces)
    pairs = tuple(_said(f"{lead} . {a} {b}") for a, b in zip(pieces, pieces[1:], strict=False))
    return Evidence(_said(f"{lead} . {passage.text}"), places + pairs, passage)


def unsupported(text: str, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return why a sentence is not supported by the passages it cites; None when it is.

    A sentence that cites several passages may take each of its clauses from another one.
    """
    if not cited:
        return Unsupported.NO_CITATION
    said = _said(text)
    if len(said.tokens) > MOST_SENTENCE_WORDS:
        return Unsupported.TOO_LONG
    for check in (
        _values_missing,
        _names_missing,
        _cohort_wrong,
        _words_missing,
        _values_apart,
        _turned_round,
    ):
        if (reason := check(text, said, cited)) is not None:
            return reason
    return None


@dataclass(frozen=True, slots=True)
class _Value:
    """A number, date, time or code in a normal form, with the words around it ("" at an end)."""

    value: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class _Said:
    """A text as it is compared: its folded words, the telling ones, its values and addresses."""

    text: str
    tokens: tuple[str, ...]
    line: str
    telling: frozenset[str]
    values: tuple[_Value, ...]
    by_value: Mapping[str, tuple[_Value, ...]]
    addresses: frozenset[str]


@lru_cache(maxsize=4096)
def _said(text: str) -> _Said:
    lists = _lists()
    spoken = _SPOKEN_DATE.sub(lambda m: "/".join(filter(None, m.groups())), text)
    spoken = _SPOKEN_MONTH.sub(lambda m: f"tháng {m[1]} năm {m[2] or m[3]}", spoken)
    spoken = _COHORT.sub(r"khóa \1", spoken)
    addresses = frozenset(found.rstrip(".,;)").lower() for found in _ADDRESS.findall(spoken))
    spoken = _ADDRESS.sub(" ", spoken)
    tokens = [token for token in _TOKEN.findall(spoken) if token]
    folded = [lists.representative.get(_lower(t), fold(t)) for t in tokens]
    values = tuple(_values(tokens, folded))
    by_value: dict[str, list[_Value]] = {}
    for value in values:
        by_value.setdefault(value.value, []).append(value)
    plain = words(fold(spoken))
    telling = frozenset(
        lists.representative_folded.get(token, token)
        for token in plain
        if token not in lists.free and not token.isdecimal()
    )
    return _Said(
        spoken,
        tuple(plain),
        f" {' '.join(plain)} ",
        telling,
        values,
        {value: tuple(found) for value, found in by_value.items()},
        addresses,
    )


def _values(tokens: Sequence[str], folded: Sequence[str]) -> Iterable[_Value]:
    lists = _lists()
    for place, token in enumerate(tokens):
        before = folded[place - 1] if place else ""
        after = folded[place + 1] if place + 1 < len(tokens) else ""
        if token[0].isdigit():
            normal = _normal_number(token)
            if factor := lists.multipliers.get(_lower(tokens[place + 1]) if after else ""):
                normal = _multiplied(normal, factor)
                after = folded[place + 2] if place + 2 < len(tokens) else ""
            yield _Value(normal, before, after)
        elif _lower(token) in lists.numbers:
            yield _Value(str(lists.numbers[_lower(token)]), before, after)
        elif any(map(str.isdigit, token)) or (len(token) > 1 and token.isupper()):
            yield _Value(fold(token), before, after)


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
    return fold(token)


def _multiplied(number: str, factor: int) -> str:
    try:
        value = float(number) * factor
    except ValueError:
        return number
    return str(round(value)) if abs(value - round(value)) < 1e-6 else str(value)


def _values_missing(text: str, said: _Said, cited: Sequence[Evidence]) -> Unsupported | None:
    del text
    known = frozenset().union(*(one.whole.addresses for one in cited))
    if not said.addresses <= known:
        return Unsupported.VALUE
    for value in said.values:
        if not any(_is_said(value, one.whole) for one in cited):
            return Unsupported.VALUE
    return None


def _is_said(value: _Value, place: _Said) -> bool:
    """Return whether a place has the value, next to one of the words that the sentence has next to it."""
    found = place.by_value.get(value.value, ())
    if not found:
        # A date without its year, within the year that the passage names.
        return value.value.count("/") == 1 and any(
            known.startswith(f"{value.value}/") for known in place.by_value
        )
    lists = _lists()
    before, after = value.before, value.after
    if before in lists.counted:
        return any(one.before == before or one.after == before for one in found) or not any(
            one.before in lists.counted for one in found
        )
    if not after or after in lists.free or after[0].isdigit():
        return True
    if any(one.after == after or one.before == before for one in found):
        return True
    return not any(one.after in lists.units for one in found) or after not in lists.units


def _cohort_wrong(text: str, said: _Said, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return COHORT when the sentence names a cohort that the passages are not for."""
    del text
    for value in said.values:
        if value.before != "khoa" or not value.value.isdecimal():
            continue
        if not any(one.passage.applies_to.admits("cohort", value.value) for one in cited):
            return Unsupported.COHORT
    return None


def _names_missing(text: str, said: _Said, cited: Sequence[Evidence]) -> Unsupported | None:
    lines = [one.whole.line for one in cited]
    for found in _NAME.finditer(text):
        at_start = found.start() == 0
        name = words(fold(found.group()))
        if at_start:
            # The first word of a sentence has its capital from there.
            name = name[1:] if len(name) > 1 else []
        if name and not any(f" {' '.join(name)} " in line for line in lines):
            # "Phòng Đào tạo Trường Đại học Sao La" may stand in two places.
            if not all(any(f" {token} " in line for line in lines) for token in name) or len(name) < 4:
                return Unsupported.NAME
    for office in _lists().offices:
        for rest in re.findall(rf" {re.escape(office)} (\w+)(?: (\w+))?", said.line):
            following = [token for token in rest if token]
            if not following or following[0].isdecimal() or following[0] in _lists().free:
                continue
            if any(f" {office} {following[0]} " in line for line in lines):
                continue
            if not any(f" {following[0]} " in line for line in lines):
                return Unsupported.NAME
            if not any(f" {office} " in line for line in lines):
                return Unsupported.NAME
    return None


def _words_missing(text: str, said: _Said, cited: Sequence[Evidence]) -> Unsupported | None:
    del text
    telling = said.telling
    if not telling:
        return None
    known = frozenset().union(*(one.whole.telling for one in cited))
    return Unsupported.WORDS if len(telling & known) / len(telling) < WORDS_FOUND else None


def _values_apart(text: str, said: _Said, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return VALUES_APART when no place of a passage has the values of a clause together with enough of its words."""
    places = [place for one in cited for place in one.places]
    for clause in _clauses(text):
        part = _said(clause)
        if not part.values:
            continue
        together = [place for place in places if all(_is_said(value, place) for value in part.values)]
        if not together:
            return Unsupported.VALUES_APART
        wanted = part.telling or said.telling
        if wanted and max(len(wanted & place.telling) / len(wanted) for place in together) < WORDS_TOGETHER:
            return Unsupported.VALUES_APART
    return None


def _clauses(text: str) -> list[str]:
    """Return the clauses of a sentence; a short one belongs to the one before it."""
    parts: list[str] = []
    for piece in _CLAUSE.split(text):
        if parts and (len(words(piece)) < 4 or len(words(parts[-1])) < 4):
            parts[-1] += f", {piece}"
        else:
            parts.append(piece)
    return parts


def _turned_round(text: str, said: _Said, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return NEGATION or OPPOSITE when the place that says most of the sentence says the opposite."""
    del text
    lists = _lists()
    places = [place for one in cited for place in one.places]
    if not places or not said.telling:
        return None
    best = max(places, key=lambda place: (len(said.telling & place.telling), -len(place.tokens)))
    whole = [one.whole.line for one in cited]
    denied = lists.denials(said.line)
    if denied and not any(lists.denials(line) for line in whole):
        return Unsupported.NEGATION
    if bool(denied) != bool(lists.denials(best.line)) and len(said.telling & best.telling) >= 0.8 * len(
        said.telling
    ):
        own = best.line.partition(" . ")[2] or best.line
        if len(best.tokens) < 2 * len(said.tokens) + 30 and bool(denied) != bool(lists.denials(own)):
            return Unsupported.NEGATION
    for one, other in lists.opposites:
        for mine, theirs in ((one, other), (other, one)):
            if (
                mine in said.line
                and theirs not in said.line
                and theirs in best.line
                and mine not in best.line
            ):
                return Unsupported.OPPOSITE
    return None


@dataclass(frozen=True, slots=True)
class _Lists:
    offices: tuple[str, ...]
    counted: frozenset[str]
    numbers: Mapping[str, int]
    multipliers: Mapping[str, int]
    negations: tuple[str, ...]
    opposites: tuple[tuple[str, str], ...]
    representative: Mapping[str, str]
    representative_folded: Mapping[str, str]
    free: frozenset[str]
    units: frozenset[str]

    def denials(self, line: str) -> list[str]:
        return [word for word in self.negations if f" {word} " in line]


_UNITS = "đồng tháng ngày tuần năm giờ phút tín lần điểm % học người trang cuốn km m môn kỳ buổi tiết"


@cache
def _lists() -> _Lists:
    data: Mapping[str, Any] = yaml_beside(__file__, "verify.yml")
    representative_folded = {}
    for group in data["same"]:
        single = [fold(word) for word in group if " " not in word]
        representative_folded.update(dict.fromkeys(single, single[0]) if single else {})
    return _Lists(
        offices=tuple(fold(word) for word in data["offices"]),
        counted=frozenset(fold(word) for word in data["counted"]),
        numbers={_lower(str(word)): int(n) for word, n in data["numbers"].items()},
        multipliers={_lower(word): int(n) for word, n in data["multipliers"].items()},
        negations=tuple(fold(word) for word in data["negations"]),
        opposites=tuple((f" {fold(a)} ", f" {fold(b)} ") for a, b in data["opposites"]),
        representative={},
        representative_folded=representative_folded,
        free=frozenset(token for word in data["free"] for token in words(fold(word))),
        units=frozenset(fold(word) for word in _UNITS.split()),
    )


def _lower(text: str) -> str:
    return text.lower()
