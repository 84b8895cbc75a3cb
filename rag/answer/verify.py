"""The verifier of generated answers: is each sentence said by the passage that it cites?

It needs no model. A sentence is supported when its numbers, dates, codes and names stand in one place of a cited
passage, when it denies nothing that the passage says, and when enough of its other words stand there too. Thresholds
were set on one half of labelled sentences and judged on the other (`benchmarks/verifier.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from rag.types import Passage
from vietnamese.data_files import yaml_beside
from vietnamese.text import words

WORDS_FOUND = 0.83
"""The share of a sentence's telling words that its passages must have."""
WORDS_TOGETHER = 0.55
"""The share that the place must have which says the sentence's numbers."""
MOST_SENTENCE_WORDS = 120
ROW = "hàng"
"""Stands in the locator of a table's row (`rag.ingest.split`)."""

_TOKEN = re.compile(r"\d[\d.,/:h-]*\d|[^\W_]+(?:[./@-][^\W_]+)*|%")
_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}))?")
_SPOKEN_DATE = re.compile(r"(?:ngày\s+)?(\d{1,2})\s+tháng\s+(\d{1,2})(?:\s+năm\s+(\d{4}))?", re.IGNORECASE)
_SPOKEN_MONTH = re.compile(r"tháng\s+(\d{1,2})(?:\s+năm\s+(\d{4})|/(\d{4}))", re.IGNORECASE)
_COHORT = re.compile(r"\b[kK](\d{2})\b")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_TIME = re.compile(r"(\d{1,2})(?:h|:|\s*giờ\s*)(\d{2})?(?!\d)")
_SEGMENT = re.compile(r"(?<=[.;!?])\s+|\n+")
_CLAUSE = re.compile(r"[,;](?=\s)|\s(?:và|nhưng|còn|and|but)\s")
_ORDINAL = re.compile(r"(?:^|(?<=\n))\s*(?:\d{1,2}[.)]|[a-zđ]\))\s+")
_WORD = re.compile(r"[^\W_]+")
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
    text = _ORDINAL.sub("", passage.text)
    pieces = [piece for line in text.split("\n") for piece in _pieces(line, ROW in passage.locator)]
    first = pieces[0] if pieces else ""
    # The words that introduce a list hold for its items: "Mức đóng gồm:".
    intro = first if first.rstrip().endswith(":") else ""
    places = tuple(_said(f"{lead} . {intro} . {piece}") for piece in pieces)
    return Evidence(_said(f"{lead} . {' '.join(pieces)}"), places, passage)


def _pieces(line: str, is_row: bool) -> list[str]:
    """Return the sentences of a line; a row of a table is one, however many cells it has ("Nhà: B2; Số tầng: 4")."""
    if is_row or (line.count(": ") > 1 and ";" in line):
        return [line]
    return [piece for piece in _SEGMENT.split(line) if piece.strip()]


def unsupported(text: str, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return why a sentence is not supported by the passages it cites; None when it is.

    A sentence that cites several passages may take each of its clauses from another one.
    """
    if not cited:
        return Unsupported.NO_CITATION
    text = _ORDINAL.sub("", text)
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


def invented(text: str, known: Evidence) -> Unsupported | None:
    """Return why a text that states nothing, such as a question, is not about a passage; None when it may be.

    Its numbers, dates, codes and names must stand in the passage; its other words may be others.
    """
    said = _said(text)
    if not said.addresses <= known.whole.addresses:
        return Unsupported.VALUE
    if not all(_is_said(value, known.whole) for value in said.values):
        return Unsupported.VALUE
    return _names_missing(text, said, [known])


def shared_words(text: str, known: Evidence) -> float:
    """Return the share (0..1) of a text's telling words that a passage has; 0 for a text without any."""
    telling = _said(text).telling
    return len(telling & known.whole.telling) / len(telling) if telling else 0.0


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
    tokens = list(_tokens(spoken))
    values = tuple(_values(tokens, [lists.same.get(token, token) for token in map(_lower, tokens)]))
    by_value: dict[str, list[_Value]] = {}
    for value in values:
        by_value.setdefault(value.value, []).append(value)
    plain = [lists.same.get(word, word) for word in words(spoken)]
    telling = frozenset(word for word in plain if word not in lists.free and not word[0].isdigit())
    return _Said(
        spoken,
        tuple(plain),
        f" {' '.join(plain)} ",
        telling,
        values,
        {value: tuple(found) for value, found in by_value.items()},
        addresses,
    )


def _tokens(text: str) -> Iterator[str]:
    """Yield words, numbers and codes: "tháng/năm" is two words, "877/QĐ-ĐH" one code."""
    for token in _TOKEN.findall(text):
        if token.isupper() or any(map(str.isdigit, token)):
            yield token
        else:
            yield from re.split(r"[./@-]", token)


def _values(tokens: Sequence[str], folded: Sequence[str]) -> Iterable[_Value]:
    lists = _lists()
    for place, token in enumerate(tokens):
        before = folded[place - 1] if place else ""
        after = folded[place + 1] if place + 1 < len(tokens) else ""
        if token[0].isdigit():
            normal = _normal_number(token)
            if factor := lists.multipliers.get(_lower(tokens[place + 1]) if after else ""):
                behind = folded[place + 2] if place + 2 < len(tokens) else ""
                # "5,5; tỷ lệ" is no amount.
                if behind != "lệ":
                    normal, after = _multiplied(normal, factor), behind
            yield _Value(normal, before, after)
        elif _lower(token) in lists.numbers:
            yield _Value(str(lists.numbers[_lower(token)]), before, after)
        elif len(token) == 1 and place and token.isupper():
            # A grade: "điểm B" is not "điểm b" of a list.
            yield _Value(token, before, after)
        elif any(map(str.isdigit, token)) or (len(token) > 1 and token.isupper()):
            yield _Value(_lower(token), before, after)


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
    return _lower(token)


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
        if not any(_is_said(value, one.whole) or _is_cohort_of(value, one) for one in cited):
            return Unsupported.VALUE
    return None


def _is_cohort_of(value: _Value, one: Evidence) -> bool:
    """Return whether the value is a cohort that the passage is for, though its text may name others."""
    is_cohort = value.before == "khóa" and value.value.isdecimal()
    return is_cohort and one.passage.applies_to.admits("cohort", value.value)


def _is_said(value: _Value, place: _Said) -> bool:
    """Return whether a place has the value, with the words around it that belong to it."""
    known = place.by_value.get(value.value, ())
    if not value.value[0].isdigit():
        return bool(known)
    if not known and value.value.count("/") == 1:
        # A day without its year, within the year that the passage names.
        return any(each.startswith(f"{value.value}/") for each in place.by_value)
    return any(_agree(value, one) for one in known)


def _agree(said: _Value, known: _Value) -> bool:
    """Return whether two mentions of one number may mean the same: "khóa 3" is not "khoản 3", "6 tuần" not "6 ngày"."""
    lists = _lists()
    ways = {lists.directions.get(one.before, "") for one in (said, known)} - {""}
    if len(ways) > 1:
        return False
    if said.after in lists.measures and said.after == known.after:
        return True
    if said.before in lists.counted or known.before in lists.counted:
        return known.before in (said.before, said.after)
    if said.after in lists.measures and known.after in lists.measures:
        return said.after == known.after
    if said.after in lists.measures:
        return known.before in (said.before, said.after) or known.after in ("", said.after)
    return True


def _cohort_wrong(text: str, said: _Said, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return COHORT when the sentence names a cohort that the passages are not for."""
    del text
    for value in said.values:
        if value.before != "khóa" or not value.value.isdecimal():
            continue
        if not any(one.passage.applies_to.admits("cohort", value.value) for one in cited):
            return Unsupported.COHORT
    return None


def _names_missing(text: str, said: _Said, cited: Sequence[Evidence]) -> Unsupported | None:
    lines = [one.whole.line for one in cited]
    lists = _lists()
    for before, name, after in _names(text):
        if not any(f" {' '.join(name)} " in line for line in lines):
            return Unsupported.NAME
        # "Đa khoa Trung ương": of a name only the first syllable may have a capital.
        is_code = f" {name[0].upper()} " in f" {text} "
        if (
            len(name) == 1
            and not is_code
            and after
            and after not in lists.free
            and name[0] not in lists.common
        ):
            behind, rest = f" {before} {name[0]} ", f" {after} "
            if not any(behind in line or rest in line for line in lines):
                return Unsupported.NAME
    for office in lists.offices:
        for follows in re.findall(rf" {re.escape(office)} (\w+)", said.line):
            if follows[0].isdigit() or follows in lists.free or follows in lists.heads:
                continue
            if not any(f" {office} {follows} " in line for line in lines):
                return Unsupported.NAME
    return None


def _names(text: str) -> Iterator[tuple[str, list[str], str]]:
    """Yield the runs of words with capitals, with the words around; a sentence begins with a capital anyway."""
    found = list(_WORD.finditer(text))
    place = 0
    while place < len(found):
        run: list[str] = []
        first = begin = place
        while place < len(found) and found[place][0][0].isupper():
            is_joined = not run or text[found[place - 1].end() : found[place].start()].isspace()
            if not is_joined:
                break
            if found[place][0].isalpha() and (found[place].start() > 0 or found[place][0].isupper()):
                begin = begin if run else place
                run += words(found[place][0])
            place += 1
        if run:
            before = _lower(found[begin - 1][0]) if begin else ""
            after = _lower(found[place][0]) if place < len(found) else ""
            yield before, run, after
        if place == first:
            place += 1


def _words_missing(text: str, said: _Said, cited: Sequence[Evidence]) -> Unsupported | None:
    del text
    if not said.telling:
        return None
    known = frozenset().union(*(one.whole.telling for one in cited))
    lists = _lists()
    measured = {value.after for value in said.values}
    measured |= {after for before, after in pairwise(said.tokens) if before in lists.each}
    everything = frozenset().union(*(one.whole.tokens for one in cited))
    if not measured & lists.measures <= everything:
        return Unsupported.WORDS
    share = len(said.telling & known) / len(said.telling)
    # Two words in a row that no passage has are a matter of their own: "bằng cao đẳng".
    new = [word not in known for word in said.tokens if word in said.telling]
    is_new = any(one and other for one, other in pairwise(new))
    return Unsupported.WORDS if share < WORDS_FOUND or is_new else None


def _values_apart(text: str, said: _Said, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return VALUES_APART when no place of a passage has the values of a clause together with enough of its words."""
    lists = _lists()
    places = [place for one in cited for place in one.places]
    for number, clause in enumerate(_clauses(text)):
        part = _said(clause)
        values = [v for v in part.values if not any(_is_cohort_of(v, one) for one in cited)]
        if not values:
            continue
        names = [" ".join(name) for _, name, _ in _names(f". {clause.strip()}" if number else clause)]
        together = [
            place
            for place in places
            if all(_is_said(value, place) for value in values)
            and all(f" {name} " in place.line or name in lists.common for name in names)
        ]
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
    """Return NEGATION or OPPOSITE when the sentence denies what the passages say, or says what they deny."""
    del text
    lines = [one.whole.line for one in cited]
    known = frozenset().union(*(_denied_words(line) for line in lines))
    for denied in _denied(said.tokens):
        if denied and not known.intersection(_about(denied)):
            return Unsupported.NEGATION
    for one in cited:
        for denied in _denied(one.whole.tokens):
            phrase = f" {' '.join(denied[:2])} "
            if len(denied) < 2 or phrase not in said.line or _is_denied(phrase, said.line):
                continue
            if not any(_is_free(phrase, line) for line in lines):
                return Unsupported.NEGATION
    best = max(
        (place for one in cited for place in one.places),
        key=lambda place: (len(said.telling & place.telling), -len(place.tokens)),
        default=None,
    )
    for mine, theirs in _lists().opposites if best is not None else ():
        assert best is not None
        if mine in said.line and theirs not in said.line and theirs in best.line and mine not in best.line:
            return Unsupported.OPPOSITE
    return None


def _denied(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the words behind each negation, three at most."""
    for place, token in enumerate(tokens):
        if token in _lists().negations:
            yield tokens[place + 1 : place + 4]


def _about(denied: Sequence[str]) -> set[str]:
    """Return the word behind a negation and the first telling one: "không được truy lĩnh" is "không truy lĩnh"."""
    telling = next((word for word in denied if word not in _lists().free), denied[0])
    return {telling} if denied[0] == "được" else {denied[0], telling}


@lru_cache(maxsize=1024)
def _denied_words(line: str) -> frozenset[str]:
    return frozenset(word for denied in _denied(line.split()) if denied for word in _about(denied))


def _is_denied(phrase: str, line: str) -> bool:
    return any(denial in line for denial in _denials(phrase))


def _is_free(phrase: str, line: str) -> bool:
    """Return whether a line has the phrase without a negation before it."""
    for denial in _denials(phrase):
        line = line.replace(denial, " ")
    return phrase in line


def _denials(phrase: str) -> list[str]:
    """Return the phrase behind each negation: "không truy lĩnh", "không được truy lĩnh"."""
    return [f" {negation}{between}{phrase}" for negation in _lists().negations for between in ("", " được")]


@dataclass(frozen=True, slots=True)
class _Lists:
    offices: tuple[str, ...]
    heads: frozenset[str]
    counted: frozenset[str]
    numbers: Mapping[str, int]
    multipliers: Mapping[str, int]
    negations: frozenset[str]
    measures: frozenset[str]
    each: frozenset[str]
    opposites: tuple[tuple[str, str], ...]
    same: Mapping[str, str]
    directions: Mapping[str, str]
    common: frozenset[str]
    free: frozenset[str]


@cache
def _lists() -> _Lists:
    data: Mapping[str, Any] = yaml_beside(__file__, "verify.yml")
    pairs = [(f" {one} ", f" {other} ") for one, other in data["opposites"]]
    return _Lists(
        offices=tuple(data["offices"]),
        heads=frozenset(word.split()[0] for word in data["offices"]),
        counted=frozenset(data["counted"]),
        numbers=data["numbers"],
        multipliers=data["multipliers"],
        negations=frozenset(data["negations"]),
        measures=frozenset(data["measures"]),
        each=frozenset(data["each"]),
        opposites=(*pairs, *((other, one) for one, other in pairs)),
        same={word: group[0] for group in data["same"] for word in group},
        directions={word: way for way, some in data["directions"].items() for word in some},
        common=frozenset(data["common"]),
        free=frozenset(token for word in data["free"] for token in words(word)),
    )


def _lower(text: str) -> str:
    return (words(text) or [text.lower()])[0] if text.isalpha() else text.lower()
