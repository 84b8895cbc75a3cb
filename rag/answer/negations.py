"""What a text denies ("không được nộp lại"), and whether another one says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rag.answer.comparable_text import word_lists

DENIED_WORDS = 4
"""So many words behind a negation are denied by it."""
LIST_WORDS = 6
"""So many words behind a negation may be a list of what it denies."""
NEAR_WORDS = 2
"""So many words behind another one are near it."""
ALLOWED = "được"


@dataclass(frozen=True, slots=True)
class Denied:
    """What stands behind a negation and its modal verb, three words at most, and the word before it.

    `listed` has some words more: "không được học hộ, học ghép" denies both.
    """

    before: str
    modal: str
    words: tuple[str, ...]
    listed: tuple[str, ...]


@lru_cache(maxsize=4096)
def denied_in(tokens: tuple[str, ...]) -> tuple[Denied, ...]:
    """Return the denials of a text, in order."""
    lists = word_lists()
    found: list[Denied] = []
    for place, token in enumerate(tokens):
        if token in lists.negations:
            begin = place + 1
            while begin < len(tokens) and tokens[begin] in lists.modals:
                begin += 1
            before = tokens[place - 1] if place else ""
            modal = tokens[begin - 1] if begin > place + 1 else ""
            found.append(Denied(before, modal, tokens[begin : begin + 3], tokens[begin : begin + LIST_WORDS]))
    return tuple(found)


def allows(tokens: tuple[str, ...], phrase: tuple[str, str]) -> bool:
    """Return whether a text allows something ("được ..."), without a negation."""
    wanted = (ALLOWED, *phrase)
    return any(
        tokens[place : place + 3] == wanted and (not place or tokens[place - 1] not in word_lists().negations)
        for place in range(len(tokens) - 2)
    )


def denies(phrase: tuple[str, ...], texts: Sequence[tuple[str, ...]]) -> bool:
    """Return whether one of the texts denies what begins with a phrase."""
    return any(denied.words[: len(phrase)] == phrase for tokens in texts for denied in denied_in(tokens))


def affirms_nearly(phrase: tuple[str, ...], tokens: tuple[str, ...]) -> bool:
    """Return whether a text has two words near each other, in order, and no negation before: "tính cả ngày nghỉ"."""
    if len(phrase) < 2:
        return False
    return any(
        token == phrase[0]
        and phrase[1] in tokens[place + 1 : place + 1 + NEAR_WORDS]
        and not word_lists().negations.intersection(tokens[:place])
        for place, token in enumerate(tokens)
    )


def affirms(phrase: tuple[str, ...], texts: Sequence[tuple[str, ...]]) -> bool:
    """Return whether one of the texts has two words in a row, and not only behind a negation."""
    if len(phrase) < 2:
        return False
    for tokens in texts:
        times = sum(pair == phrase for pair in pairwise(tokens))
        spans = (denied.listed[:DENIED_WORDS] for denied in denied_in(tokens))
        if times > sum(pair == phrase for span in spans for pair in pairwise(span)):
            return True
    return False
