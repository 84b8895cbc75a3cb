"""Entries with the question that another entry is to have: of two answers to one question, either may be given."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, islice
from typing import Any

from console.faq_files import EntryText, FaqFiles, listed, wordings_of
from console.loose_search import phrase
from rag.engine import Engine
from rag.types import FAQ_SOURCE, Question
from school.catalog import Catalog
from school.dimensions import MAX_NUMBER_DIGITS, AppliesTo, as_range, is_range
from vietnamese.ellipsis import without_politeness, words_without_politeness
from vietnamese.small_talk import without_small_talk
from vietnamese.text import words

MOST_WORDINGS = 20
"""So many wordings of an entry are looked up, its question first: each is embedded."""

MOST_NAMED = 5

_BEYOND = "9" * MAX_NUMBER_DIGITS

KEPT_WORDINGS = 4_096
"""Wordings whose words without politeness are kept."""

NEAR = 0.9
"""The likeness from which on a question counts as the same.

It names 3 pairs that are no siblings of the sample school's 610 entries, published anew with their 9,011 wordings; 0.85
names 62 and 0.8 names 225. Of 1,517 questions in students' words, 0.1 % are near to an entry that does not answer them
(0.5 %, 2.3 %), and 3 % to one that does (7 %, 13 %). Measured by `benchmarks/same_questions.py`.
"""


def entries_with_the_question(
    engine: Engine,
    files: FaqFiles,
    fields: Mapping[str, Any],
    entry_id: str = "",
    known: EntryText | None = None,
) -> Sequence[EntryText]:
    """Return the entries that have the question of an entry with these fields, the nearest first.

    They have one of its wordings in the same letters, apart from words of politeness (`asked_words`), or one whose
    likeness (`Candidate.likeness`) is `NEAR` or more,
    and are for some of the same students. Of the entry `entry_id`, the wordings that it has already for these students
    as it is `known` are not looked up. Raises IndexUnusableError, KnowledgeFileError.
    """
    catalog = engine.index.dictionaries.catalog
    students = students_of(fields, catalog)
    looked_up = {phrase(each): each for each in wordings_of(fields)}
    if known is not None and students_of(known.record, catalog) == students:
        for each in wordings_of(known.record):
            looked_up.pop(phrase(each), None)
    others = {each.entry.id: each for each in files.searched() if each.entry.id != entry_id}
    asked = {frozenset(core.split()): core for each in looked_up if (core := asked_words(each))}
    likeness = {
        name: 1.0
        for name, each in others.items()
        if any(_asks(wording, looked_up, asked) for wording in (each.question, *each.variants))
    }
    for wording in [*looked_up.values()][:MOST_WORDINGS]:
        for candidate in engine.candidates(Question(wording), FAQ_SOURCE):
            if candidate.item.id in others and candidate.likeness >= NEAR:
                name = candidate.item.id
                likeness[name] = max(likeness.get(name, 0.0), candidate.likeness)
    nearest = [others[name].entry for name in sorted(likeness, key=lambda name: -likeness[name])]
    rivals = (each for each in nearest if overlap(students_of(each.record, catalog), students, catalog))
    return [*islice(rivals, MOST_NAMED)]


@lru_cache(maxsize=KEPT_WORDINGS)
def asked_words(folded: str) -> str:
    """Return the words of a question, as `phrase` returns it, without greetings and words of politeness.

    "Trường mình có phòng gym không ạ" asks what "Trường có phòng gym không" asks.
    """
    return " ".join(words_without_politeness(without_small_talk(without_politeness(folded))))


def _asks(wording: str, same: Container[str], asked: Mapping[frozenset[str], str]) -> bool:
    """Return whether a wording is one of `same`, or has the words in `asked`, by the set of them."""
    if wording in same:
        return True
    # The words of a whole school take seconds: those of a wording that lacks some of the others are not looked for.
    said = frozenset(words(wording))
    return any(some <= said and asked_words(wording) == core for some, core in asked.items())


def applies_to_of(record: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Return the values that an entry's `applies_to` names, by the keys of dimensions as they are written."""
    return {key: listed(values) for key, values in (record.get("applies_to") or {}).items()}


def students_of(record: Mapping[str, Any], catalog: Catalog) -> AppliesTo:
    """Return the students whom an entry is for; a range that the checks refuse is left out."""
    allowed: dict[str, tuple[str, ...]] = {}
    named = applies_to_of(record)
    for spec in catalog.dimensions if named else ():
        said = [value for key in {spec.key, spec.id} for value in named.get(key, ())]
        if values := tuple(filter(None, map(_range, said) if spec.ordered else said)):
            allowed[spec.id] = values
    return AppliesTo(allowed)


def overlap(one: AppliesTo, other: AppliesTo, catalog: Catalog) -> bool:
    """Return whether there may be a student whom both are for; a major may lack the programme of the other."""
    if not all(_meet(one, other, dimension) for dimension in one.allowed.keys() & other.allowed.keys()):
        return False
    both = {
        dimension: [
            each for each in catalog.ids(dimension) if all(of.admits(dimension, each) for of in (one, other))
        ]
        for dimension in one.allowed.keys() | other.allowed.keys()
    }
    known = {dimension: values for dimension, values in both.items() if values}
    return all(
        any(
            value in catalog.possible(second, {first: each})
            for each in known[first]
            for value in known[second]
        )
        for first, second in combinations(known, 2)
    )


def covers(one: AppliesTo, other: AppliesTo, catalog: Catalog) -> bool:
    """Return whether `one` is for every student whom `other` is for."""
    return all(
        other.values(dimension)
        and all(
            one.admits(dimension, each)
            for each in (*catalog.ids(dimension), *_told_apart(one, other, dimension))
            if other.admits(dimension, each)
        )
        for dimension in one.allowed
    )


def _told_apart(one: AppliesTo, other: AppliesTo, dimension: str) -> Iterator[str]:
    """Yield the values at which one of two may begin or end to admit a student: the ends of ranges, and the next."""
    for value in (*one.values(dimension), *other.values(dimension)):
        last = _most(value)
        yield from (_least(value), last)
        if last.isdecimal():
            yield str(int(last) + 1)


def _meet(one: AppliesTo, other: AppliesTo, dimension: str) -> bool:
    return any(other.admits(dimension, _least(value)) for value in one.values(dimension)) or any(
        one.admits(dimension, _least(value)) for value in other.values(dimension)
    )


def _least(value: str) -> str:
    """Return the least value of a range; another value as it is."""
    return value.partition("-")[0] or "0" if is_range(value) else value


def _most(value: str) -> str:
    """Return the greatest value of a range, one that no school reaches for an open one; another value as it is."""
    return value.partition("-")[2] or _BEYOND if is_range(value) else value


def _range(value: str) -> str:
    try:
        return as_range(value)
    except ValueError:
        return ""
