"""The verifier of generated answers: is each sentence said by the passage that it cites?

It needs no language model. The numbers, dates, codes and names of a sentence must stand in a cited passage. Rules look
for what else can be wrong: too few of its words in one place, something denied, a condition left out. What they find
and how the sentence goes through the passage is weighed by a small model (`support`), which learned from labelled
sentences; others judge it (`benchmarks/verifier.py`). Phrases with one meaning ("tối đa", "không quá") are one phrase
before anything is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from rag.answer.comparable_text import ComparableText, Value, comparable, word_lists
from rag.answer.left_out import restricts_less
from rag.answer.names import names_in
from rag.answer.nearest_place import (
    counts_otherwise,
    denies_otherwise,
    has_greater_title,
    nearest,
    says_opposite,
)
from rag.answer.negations import ALLOWED, affirms, allows, denied_in, denies
from rag.answer.said_together import Stated, goes_on_elsewhere, has_no_place, stands_with_another
from rag.answer.support import shipped_support, support_signals
from rag.answer.table_cells import names_another_cell
from rag.answer.values import is_bound, is_said, kind_of
from rag.decide.network import ProbabilityNetwork
from rag.types import Passage
from vietnamese.text import NO_ABBREVIATION, words

LEAST_PROBABLE, LEAST_DESPITE_FAULT = 0.25, 0.7
"""A sentence is supported from these probabilities on: without a fault that a rule found, and with one.

Chosen on sentences that take part in learning, each weighed by a model that has not seen its passage
(`benchmarks/verifier.py --folds`).
"""
WORDS_FOUND = 0.83
"""The share of a sentence's telling words that its passages must have."""
WORDS_TOGETHER = 0.55
"""The share that the place must have which says the sentence's numbers."""
MOST_SENTENCE_WORDS = 120
COHORT_DIGITS = 2
ROW = "hàng"
"""Stands in the locator of a table's row (`rag.ingest.split`)."""

LEVEL = "cấp"
HAS = "có"

LEAST_ALONE = 4
"""A place with fewer telling words continues the one before it."""
CLEARLY_NEARER = 2
"""So many words more of a clause has the place of another number, when the number of the clause is not meant there."""

_UNIT_BEFORE_NUMBER = re.compile(r"\((đồng[^()]*|%)\):\s*(\d[\d.,]*\d|\d)")
_ANSWER_WORD = re.compile(r"^(?:không|có|được|vâng|dạ)\s*,\s+", re.IGNORECASE)
_SEGMENT = re.compile(rf"(?<=[.;!?]){NO_ABBREVIATION}\s+|\n+")
_BESIDES = re.compile(r"ngoài\s", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;](?=\s)|\s(?:và|nhưng|còn|and|but)\s")
_ORDINAL = re.compile(r"(?:^|(?<=\n))\s*(?:\d{1,2}[.)]|[a-zđ]\))\s+")
_NAMED_COHORT = re.compile(r"khóa\s+(\d+)")
_COHORTS_BEFORE = re.compile(r"khóa\s+(\d+)\s+trở\s+(?:về\s+)?trước")
_COHORTS_SINCE = re.compile(r"khóa\s+(\d+)\s+trở\s+(?:về\s+sau|đi)")
_COHORTS_BETWEEN = re.compile(r"khóa\s+(\d+)\s*(?:đến|–|-)\s*(?:khóa\s+)?(\d+)")


class Unsupported(StrEnum):
    """Reasons why a sentence is not supported."""

    NO_CITATION = "no_citation"
    UNKNOWN_PASSAGE = "unknown_passage"
    VALUE = "value"
    VALUES_APART = "values_apart"
    APART = "apart"
    LEFT_OUT = "left_out"
    NAME = "name"
    COHORT = "cohort"
    NEGATION = "negation"
    OPPOSITE = "opposite"
    WORDS = "words"
    UNLIKELY = "unlikely"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage as the verifier compares it: the words that hold for all of it, and its places.

    `own` are the places without title and headings, the `lead`, which names matters and states nothing; `named` are the
    words of each place with those of the half sentence before it.
    """

    whole: ComparableText
    places: tuple[ComparableText, ...]
    named: tuple[str, ...]
    own: tuple[ComparableText, ...]
    lead: ComparableText
    passage: Passage


def evidence_of(passage: Passage) -> Evidence:
    """Return a passage with its title, headings and locator, prepared for comparison."""
    headings = (each.lower() if each.isupper() else each for each in (passage.title, *passage.context))
    lead = " . ".join((*headings, passage.locator, passage.number or ""))
    text = _UNIT_BEFORE_NUMBER.sub(r": \2 \1", _ORDINAL.sub("", passage.text))
    pieces = [piece for line in text.split("\n") for piece in _pieces(line, ROW in passage.locator)]
    first = pieces[0] if pieces else ""
    # The words that introduce a list hold for its items: "Mức đóng gồm:".
    intro = first if first.rstrip().endswith(":") else ""
    places = tuple(comparable(f"{lead} . {intro} . {piece}") for piece in pieces)
    named = (
        tuple(
            f"{before.line if pieces[number - 1].rstrip().endswith(';') else ''}{place.line}"
            for number, (before, place) in enumerate(zip((places[0], *places), places, strict=False))
        )
        if places
        else ()
    )
    said_above = [heading for heading in passage.context if heading.rstrip().endswith(":")]
    own = tuple(map(comparable, (*said_above, *_with_what_they_continue(pieces))))
    return Evidence(
        comparable(f"{lead} . {' ; '.join(pieces)}"), places, named, own, comparable(lead), passage
    )


def _pieces(line: str, is_row: bool) -> list[str]:
    """Return the sentences of a line; a row of a table is one, however many cells it has ("Nhà: B2; Số tầng: 4")."""
    if is_row or (line.count(": ") > 1 and ";" in line):
        return [line]
    return [piece for piece in _SEGMENT.split(line) if piece.strip()]


def _with_what_they_continue(pieces: Sequence[str]) -> Iterator[str]:
    """Yield the pieces, half sentences with the words that they continue.

    These are the words before the colon ("Hồ sơ nộp theo đợt: học kỳ 1 ...;"), and for a few words ("52.650 đồng mỗi
    tháng") the half sentence before them.
    """
    heading = before = ""
    for piece in pieces:
        whole = piece
        if not before.rstrip().endswith(";"):
            heading = piece.partition(": ")[0] if ": " in piece else ""
        else:
            if len(comparable(piece).telling) < LEAST_ALONE:
                whole = f"{before} {piece}"
            whole = f"{heading} . {whole}" if heading else whole
        before = whole
        yield whole


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of comparing a sentence with its passage: why it is refused in any case, or its numbers for the model.

    `fault` is the first that a rule found; the model may hold it for a wording.
    """

    refused: Unsupported | None = None
    fault: Unsupported | None = None
    signals: Mapping[str, float] = field(default_factory=dict)


def unsupported(text: str, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return why a sentence is not supported by the passages it cites; None when it is.

    A sentence that cites several passages may take each of its clauses from another one.
    """
    return decided(compared(text, cited), shipped_support())


def decided(found: Comparison, model: ProbabilityNetwork) -> Unsupported | None:
    """Return why a sentence is not supported, by what was found and the probability of a model."""
    if found.refused is not None or not found.signals:
        return found.refused or found.fault
    least = LEAST_PROBABLE if found.fault is None else LEAST_DESPITE_FAULT
    if model.probability(found.signals) >= least:
        return None
    return found.fault or Unsupported.UNLIKELY


def compared(text: str, cited: Sequence[Evidence]) -> Comparison:
    """Return how a sentence compares with the passages it cites, without a decision of the model."""
    if not cited:
        return Comparison(refused=Unsupported.NO_CITATION)
    text = _ANSWER_WORD.sub("", _ORDINAL.sub("", text))
    said = comparable(text)
    if len(said.tokens) > MOST_SENTENCE_WORDS:
        return Comparison(refused=Unsupported.TOO_LONG)
    for check in (_values_missing, _names_missing, _cohort_wrong):
        if (reason := check(text, said, cited)) is not None:
            return Comparison(refused=reason)
    faults = {name: rule(text, said, cited) for name, rule in _RULES.items()}
    fault = next(filter(None, faults.values()), None)
    if not said.telling:
        return Comparison(fault=fault)
    signals = support_signals(
        said,
        [place for one in cited for place in one.own],
        known=frozenset().union(*(one.whole.telling for one in cited)),
        headings=frozenset().union(*(one.lead.telling for one in cited)),
        faults={name: each is not None for name, each in faults.items()},
    )
    return Comparison(fault=fault, signals=signals)


def invented(text: str, known: Evidence) -> Unsupported | None:
    """Return why a text that states nothing, such as a question, is not about a passage; None when it may be.

    Its numbers, dates, codes and names must stand in the passage; its other words may be others.
    """
    said = comparable(text)
    if not said.addresses <= known.whole.addresses:
        return Unsupported.VALUE
    if not all(is_said(value, known.whole) for value in said.values):
        return Unsupported.VALUE
    return _names_missing(text, said, [known])


def shared_words(text: str, known: Evidence) -> float:
    """Return the share (0..1) of a text's telling words that a passage has; 0 for a text without any."""
    telling = comparable(text).telling
    return len(telling & known.whole.telling) / len(telling) if telling else 0.0


def _values_missing(text: str, said: ComparableText, cited: Sequence[Evidence]) -> Unsupported | None:
    del text
    known = frozenset().union(*(one.whole.addresses for one in cited))
    if not said.addresses <= known:
        return Unsupported.VALUE
    for value in said.values:
        if not any(is_said(value, one.whole) or _is_cohort_of(value, one) for one in cited):
            return Unsupported.VALUE
        if value.before in word_lists().references and _refers_elsewhere(value, cited):
            return Unsupported.VALUE
    return None


def _refers_elsewhere(value: Value, cited: Sequence[Evidence]) -> bool:
    """Return whether passages refer to other articles than "Điều 11", which is only where they stand themselves."""
    named = {
        each.value
        for one in cited
        for place in one.own
        for each in place.values
        if each.before == value.before
    }
    return bool(named) and value.value not in named


def _is_cohort_of(value: Value, one: Evidence) -> bool:
    """Return whether the value is a cohort that the passage is for, though its text may name others."""
    return _is_cohort(value) and _admits_cohort(one, value.value)


def _is_cohort(value: Value) -> bool:
    """Return whether a value is a cohort; "khám sức khỏe đầu khóa 150.000 đồng" has none."""
    return value.before == "khóa" and value.value.isdecimal() and len(value.value) <= COHORT_DIGITS


def _admits_cohort(one: Evidence, cohort: str) -> bool:
    """Return whether a passage is for a cohort or speaks of it; one that is for all may name those it speaks of."""
    text = " . ".join(place.text for place in one.own)
    speaks_of_it = (
        cohort in _NAMED_COHORT.findall(text)
        or any(int(cohort) <= int(last) for last in _COHORTS_BEFORE.findall(text))
        or any(int(cohort) >= int(first) for first in _COHORTS_SINCE.findall(text))
        or any(int(first) <= int(cohort) <= int(last) for first, last in _COHORTS_BETWEEN.findall(text))
    )
    if speaks_of_it or not one.passage.applies_to.admits("cohort", cohort):
        return speaks_of_it
    return bool(one.passage.applies_to.allowed.get("cohort")) or not _NAMED_COHORT.search(text)


def _cohort_wrong(text: str, said: ComparableText, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return COHORT when the sentence names a cohort that the passages are not for."""
    del text
    for value in said.values:
        if _is_cohort(value) and not any(_admits_cohort(one, value.value) for one in cited):
            return Unsupported.COHORT
    return None


def _names_missing(text: str, said: ComparableText, cited: Sequence[Evidence]) -> Unsupported | None:
    lines = [one.whole.line for one in cited]
    lists = word_lists()
    for before, name, after in names_in(text):
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
            is_known = any(behind in line or rest in line for line in lines)
            if not is_known and not any(_stands_alone(name[0], one) for one in cited):
                return Unsupported.NAME
    for office in lists.offices:
        for follows in re.findall(rf"(?<! thư)(?<! bệnh) {re.escape(office)} (\w+)", said.line):
            if follows[0].isdigit() or follows in lists.heads:
                continue
            if follows in lists.free | lists.negations:
                if not any(f" {office} " in place.line for one in cited for place in (one.whole, *one.own)):
                    return Unsupported.NAME
                continue
            if not any(f" {office} {follows} " in line for line in lines):
                return Unsupported.NAME
    return None


def _stands_alone(name: str, one: Evidence) -> bool:
    """Return whether a passage uses a syllable with a capital as a whole name: "Trạm không thu tiền"."""
    followers = {
        after
        for place in one.own
        for _, run, after in names_in(f". {place.text}")
        if run == [name] and after not in ("", name)
    }
    return len(followers) > 1


def _words_missing(text: str, said: ComparableText, cited: Sequence[Evidence]) -> Unsupported | None:
    del text
    if not said.telling:
        return None
    known = frozenset().union(*(one.whole.telling for one in cited))
    lists = word_lists()
    measured = {value.after for value in said.values}
    measured |= {after for before, after in pairwise(said.tokens) if before in lists.each}
    own = frozenset().union(*(place.tokens for one in cited for place in one.own))
    if not measured & lists.measures <= own:
        return Unsupported.WORDS
    everything = " ".join(one.whole.line for one in cited)
    if any(phrase in said.line and phrase not in everything for phrase in lists.decisive):
        return Unsupported.WORDS
    share = len(said.telling & known) / len(said.telling)
    # Two words in a row that no passage has are a matter of their own: "bằng cao đẳng".
    new = [word not in known for word in said.tokens if word in said.telling]
    is_new = any(one and other for one, other in pairwise(new))
    return Unsupported.WORDS if share < WORDS_FOUND or is_new else None


def _values_apart(text: str, said: ComparableText, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return VALUES_APART when no place of a passage has the values of a clause together with enough of its words."""
    lists = word_lists()
    places = [each for one in cited for each in zip(one.places, one.named, strict=True)]
    for number, clause in enumerate(_clauses(text)):
        part = comparable(clause)
        values = [v for v in part.values if is_bound(v) and not any(_is_cohort_of(v, one) for one in cited)]
        if not values:
            continue
        names = [" ".join(name) for _, name, _ in names_in(f". {clause.strip()}" if number else clause)]
        together = [
            place
            for place, named in places
            if all(is_said(value, place) for value in values)
            and all(f" {name} " in named or name in lists.common for name in names)
        ]
        if not together:
            return Unsupported.VALUES_APART
        wanted = part.telling if len(part.telling) > 2 else said.telling
        if wanted and max(len(wanted & place.telling) / len(wanted) for place in together) < WORDS_TOGETHER:
            return Unsupported.VALUES_APART
        if any(_is_of_another_matter(value, wanted, cited) for value in values):
            return Unsupported.VALUES_APART
    return None


def _is_of_another_matter(value: Value, wanted: frozenset[str], cited: Sequence[Evidence]) -> bool:
    """Return whether a clause is clearly nearer to a place that says another number of the same measure."""
    if (measure := kind_of(value)) is None:
        return False
    mine = theirs = 0
    for place in (place for one in cited for place in one.own):
        near = len(wanted & place.telling)
        if is_said(value, place):
            mine = max(mine, near)
        elif any(kind_of(each) == measure for each in place.values):
            theirs = max(theirs, near)
    return theirs >= mine + CLEARLY_NEARER


def _said_apart(text: str, said: ComparableText, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return APART when a clause joins what places of the passages say of different things."""
    stated = [place for one in cited for place in _stated(one)]
    own = [place for one in cited for place in one.own]
    clauses = [comparable(clause) for clause in _clauses(text)]
    for clause in clauses:
        if has_no_place(clause, stated) or stands_with_another(clause, said, own):
            return Unsupported.APART
    if any(goes_on_elsewhere(before, clause, own) for before, clause in pairwise(clauses)):
        return Unsupported.APART
    return None


def _stated(one: Evidence) -> Iterator[Stated]:
    """Yield the places of a passage with the words that they state.

    These are their own, those that introduce a list, and those of the half sentence that they go on with.
    """
    own = one.own[-len(one.places) :]
    introduced = set().union(*(each.tokens for each in one.own[: -len(one.places)]))
    introduced = introduced.union(*(each.tokens for each in own if _introduces(each)))
    before = ""
    for place, continued in zip(one.places, own, strict=True):
        piece = comparable(place.text.rpartition(" . ")[2])
        around = introduced.union(continued.tokens)
        if before.endswith(";") and not _has_subject(piece):
            around |= set(comparable(before).tokens)
        yield Stated(place, frozenset(around), one.lead.telling)
        before = piece.text.rstrip()


def _introduces(place: ComparableText) -> bool:
    """Return whether a place introduces those behind it: "Giờ mở cửa:"."""
    return place.text.rstrip().endswith(":") and not place.addresses


def _has_subject(piece: ComparableText) -> bool:
    """Return whether a half sentence names who acts, so that it does not go on with the subject before it."""
    actors = word_lists().actors
    return piece.line.startswith(actors) or any(f" thì{actor}" in piece.line for actor in actors)


def _of_another_cell(text: str, said: ComparableText, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return VALUES_APART when a sentence gives a cell of a table under the heading of another one."""
    del text
    rows = [one for one in cited if ROW in one.passage.locator]
    if not rows or len(rows) < len(cited):
        return None
    row = " ; ".join(place.text for one in rows for place in one.own)
    return Unsupported.VALUES_APART if names_another_cell(said.text, row) else None


def _clauses(text: str) -> list[str]:
    """Return the clauses of a sentence; a short one belongs to the one before it."""
    parts: list[str] = []
    for piece in _CLAUSE.split(text):
        if parts and (len(words(piece)) < 4 or (len(words(parts[-1])) < 4 and not _BESIDES.match(parts[-1]))):
            parts[-1] += f", {piece}"
        else:
            parts.append(piece)
    return parts


def _left_out(text: str, said: ComparableText, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return LEFT_OUT when a sentence promises to all what the passages promise to some, or under a condition."""
    del text
    own = [place for one in cited for place in one.own]
    return Unsupported.LEFT_OUT if restricts_less(said, own) else None


def _turned_round(text: str, said: ComparableText, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return NEGATION when the sentence denies what the passages say, or says what they deny."""
    del text
    own = [place for one in cited for place in one.own]
    stated = [place.tokens for place in own]
    known = {word for one in cited for denied in denied_in(one.whole.tokens) for word in denied.words[:2]}
    listed = {word for tokens in stated for denied in denied_in(tokens) for word in denied.listed}
    for denied in denied_in(said.tokens):
        # "không có kỳ thi" says what "không tổ chức kỳ thi" says.
        has_none = denied.words[:1] == (HAS,) and listed.intersection(denied.words[1:])
        if denied.words and not has_none and not known.intersection(denied.words[:2]):
            return Unsupported.NEGATION
        if affirms(denied.words[:2], stated) and not denies(denied.words[:2], stated):
            return Unsupported.NEGATION
    for denied in (each for tokens in stated for each in denied_in(tokens)):
        # "giảng viên không cấm": neither "cấm ..." nor "giảng viên cấm" may be said without the negation.
        left_out = (denied.before, *denied.words[:1]) if not denied.modal else ()
        for phrase in (denied.words[:2], left_out):
            if affirms(phrase, [said.tokens]) and not affirms(phrase, stated):
                return Unsupported.NEGATION
        if denied.modal == ALLOWED and any(allows(said.tokens, pair) for pair in pairwise(denied.listed)):
            return Unsupported.NEGATION
    return None


def _contradicts_nearest(text: str, said: ComparableText, cited: Sequence[Evidence]) -> Unsupported | None:
    """Return what a sentence has against the place nearest to it, though another place may have its words."""
    del text
    own = nearest(said, [place for one in cited for place in one.own])
    headed = nearest(said, [place for one in cited for place in one.places])
    if own is None or headed is None:
        return None
    found = {
        Unsupported.NEGATION: denies_otherwise(said, own),
        Unsupported.NAME: has_greater_title(said, headed) or _is_of_another_level(said, cited),
        Unsupported.OPPOSITE: counts_otherwise(said, own) or says_opposite(said, headed),
    }
    return next((reason for reason, is_found in found.items() if is_found), None)


def _is_of_another_level(said: ComparableText, cited: Sequence[Evidence]) -> bool:
    """Return whether a sentence names a level ("cấp huyện") that no cited passage names."""
    return any(
        word == LEVEL
        and behind in word_lists().levels
        and not any(f" {word} {behind} " in one.whole.line for one in cited)
        for word, behind in pairwise(said.tokens)
    )


_RULES = {
    "words": _words_missing,
    "values apart": _values_apart,
    "another cell": _of_another_cell,
    "said apart": _said_apart,
    "turned round": _turned_round,
    "nearest": _contradicts_nearest,
    "left out": _left_out,
}
"""The rules of which the model weighs what they find, by the names of their signals."""
