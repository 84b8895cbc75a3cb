"""Examples from the questions of the FAQ."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from rag.types import FaqEntry
from school.intents import intent_of

EXAMPLES_PER_TOPIC = 120
"""Examples beside the seeds: the question of every entry of a usual FAQ, and wordings of students. They are embedded
once, with the phrasings of the entries."""

LONGEST_EXAMPLE = 200

_BLANK = re.compile(r"\s+")
_ENTITY_MARKS = str.maketrans({"[": "(", "]": ")", "{": "(", "}": ")"})


def faq_questions(
    faq: Sequence[FaqEntry], taken: Collection[str] = (), per_topic: int = EXAMPLES_PER_TOPIC
) -> dict[str, list[str]]:
    """Return examples by intent from the questions of `faq`, at most `per_topic` a topic.

    Every entry gives its question before any entry gives a variant, so that the examples cover a topic evenly. A
    wording in `taken` or under an earlier topic is left out: Rasa refuses an example of two intents.
    """
    by_topic: dict[str, list[FaqEntry]] = {}
    for entry in faq:
        by_topic.setdefault(entry.topic, []).append(entry)
    seen = {compared(wording) for wording in taken}
    found: dict[str, list[str]] = {}
    for topic, entries in by_topic.items():
        chosen = found[intent_of(topic)] = []
        for wording in _evenly(entries):
            if len(chosen) >= per_topic:
                break
            if compared(wording) not in seen:
                seen.add(compared(wording))
                chosen.append(wording)
    return found


def compared(wording: str) -> str:
    """Return `wording` as Rasa compares examples."""
    return wording.strip().casefold()


def _evenly(entries: Sequence[FaqEntry]) -> Iterator[str]:
    wordings = [(entry.question, *entry.variants) for entry in entries]
    for turn in range(max(map(len, wordings), default=0)):
        for of_entry in wordings:
            if turn < len(of_entry):
                wording = _BLANK.sub(" ", of_entry[turn].translate(_ENTITY_MARKS)).strip().lstrip("/")
                if wording:
                    yield wording[:LONGEST_EXAMPLE]
