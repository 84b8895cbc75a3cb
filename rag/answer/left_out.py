"""Whether a sentence promises more than its passage, without the words that restrict its subject or the condition."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.answer.comparable_text import ComparableText, comparable, word_lists
from rag.answer.nearest_place import nearest

LEFT_OUT = 2
"""So many words of the subject must not be left out; a number or a negation counts as two."""

_STOP = re.compile(r"[.;:](?=\s|$)")
_OTHERS = re.compile(r"[,;]\s|\s(?:hoặc|và|hay)\s")
_CONDITION = re.compile(r"(?:^|\s)(?:nếu|khi|sau khi|với điều kiện)\s([^,;.()]+?)(?=[,;.()]|\sthì\s|$)")


def restricts_less(said: ComparableText, places: Sequence[ComparableText]) -> bool:
    """Return whether a sentence says of all what the place nearest to it says of some.

    Only a sentence with a subject of its own can: "Bạn ..." speaks of the student who has asked.
    """
    lists = word_lists()
    begin = said.line[1:].split(" ", 1)[0]
    if begin in lists.conditional or begin in lists.addressed:
        return False
    near = nearest(said, places)
    if near is None:
        return False
    return _subject_is_cut(said, near) or _condition_is_left_out(said, near)


def _subject_is_cut(said: ComparableText, place: ComparableText) -> bool:
    """Return whether the place has more words between the beginning of the subject and its verb than the sentence."""
    verb_at = _verb_at(said.tokens)
    if verb_at is None or len(said.tokens) < verb_at + 2:
        return False
    text = place.text.lower()
    begin = _found(said.tokens[:2], text, 0)
    verb = begin and _found(said.tokens[verb_at : verb_at + 2], text, begin.end())
    if not begin or not verb:
        return False
    subject = text[begin.start() : verb.start()]
    if _STOP.search(subject):
        return False
    # Of "orphans, disabled students may ..." each may be the subject.
    return (
        min((_weight_left_out(said, comparable(some)) for some in _OTHERS.split(subject)), default=0)
        >= LEFT_OUT
    )


def _verb_at(tokens: Sequence[str]) -> int | None:
    """Return where the verb stands behind the first modal verb of a sentence: "Sinh viên ... được [nộp đơn]"."""
    lists = word_lists()
    modals = lists.modals | lists.negations
    place = next((number for number, word in enumerate(tokens) if number > 0 and word in modals), None)
    while place is not None and place < len(tokens) and tokens[place] in modals:
        place += 1
    return place


def _found(phrase: Sequence[str], text: str, begin: int) -> re.Match[str] | None:
    words = r"\W+".join(map(re.escape, phrase))
    return re.compile(rf"(?<!\w){words}(?!\w)").search(text, begin)


def _weight_left_out(said: ComparableText, subject: ComparableText) -> int:
    lists = word_lists()
    words = list(subject.tokens)
    while words and words[-1] in lists.modals | lists.negations:
        words.pop()
    negated = lists.negations.intersection(words) and not lists.negations.intersection(said.tokens)
    values = sum(value.value not in said.by_value for value in subject.values)
    return len(subject.telling.intersection(words) - said.telling) + LEFT_OUT * (values + bool(negated))


def _condition_is_left_out(said: ComparableText, place: ComparableText) -> bool:
    """Return whether a sentence grants something ("được") and has no word of the place's condition for it."""
    lists = word_lists()
    if lists.conditional.intersection(said.tokens) or "được" not in said.tokens:
        return False
    conditions = [comparable(found[1]).telling for found in _CONDITION.finditer(place.text.lower())]
    return any(len(condition) > 1 and not condition & said.telling for condition in conditions)
