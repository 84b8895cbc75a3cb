"""Expected answer types (Li & Roth, 2002): the kinds of answers that a question asks for and a passage has.

A passage without an e-mail address does not answer a question for one. Only kinds with a visible form count (addresses,
numbers, names, dates); any passage may answer other questions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from school.aspects import Aspect
from vietnamese.data_files import yaml_beside
from vietnamese.text import fold, words

_CODE = re.compile(r"\b[^\W\d_]{2,}\b")


class AnswerType(StrEnum):
    """Kinds of answers that can be seen in a text."""

    EMAIL = "email"
    PHONE = "phone"
    WEB = "web"
    CONTACT = "contact"
    PERSON = "person"
    PLACE = "place"
    TIME = "time"
    DURATION = "duration"
    MONEY = "money"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class _Compiled:
    written: re.Pattern[str]
    bare: re.Pattern[str]
    found: re.Pattern[str]
    aspects: frozenset[Aspect]
    yields_to: frozenset[AnswerType]


def expected(question: str) -> frozenset[AnswerType]:
    """Return the kinds of answers that a question (NFC) asks for."""
    shouted = not any(char.islower() for char in question)
    # Names in capitals are no cues: "ngành AI" does not ask for a person ("ai").
    text = question if shouted else _CODE.sub(lambda word: " " if word[0].isupper() else word[0], question)
    said = " ".join(words(text))
    bare = said == fold(said)
    asked = {kind for kind, cues in _compiled().items() if (cues.bare if bare else cues.written).search(said)}
    return frozenset(kind for kind in asked if not asked & _compiled()[kind].yields_to)


@lru_cache(maxsize=8_192)
def offered(text: str) -> frozenset[AnswerType]:
    """Return the kinds of answers that a passage's text (NFC) has."""
    return frozenset(kind for kind, cues in _compiled().items() if cues.found.search(text))


def agreement(wanted: frozenset[AnswerType], given: frozenset[AnswerType]) -> float:
    """Return 1 when every wanted kind is given, -1 when none is, values between for some, 0 without wanted kinds."""
    return 2 * len(wanted & given) / len(wanted) - 1 if wanted else 0.0


def lacking(asked: Mapping[Aspect, float], given: frozenset[AnswerType]) -> float:
    """Return the probability in 0..1 that a question with these aspects asks for a visible thing that is not given."""
    answered = {aspect for kind in given for aspect in _compiled()[kind].aspects}
    visible = {aspect for cues in _compiled().values() for aspect in cues.aspects}
    return sum(probability for aspect, probability in asked.items() if aspect in visible - answered)


@lru_cache(maxsize=1)
def _compiled() -> dict[AnswerType, _Compiled]:
    return {
        AnswerType(kind): _Compiled(
            written=_any_of(cues["asked"]),
            bare=_any_of([fold(cue) for cue in cues.get("bare", cues["asked"])]),
            found=re.compile("|".join(cues["found"]), re.IGNORECASE),
            aspects=frozenset(cues["aspects"]),
            yields_to=frozenset(map(AnswerType, cues.get("yields_to", ()))),
        )
        for kind, cues in yaml_beside(__file__, "answer_types.yml").items()
    }


def _any_of(phrases: list[str]) -> re.Pattern[str]:
    spelled = {" ".join(words(phrase)) for phrase in phrases}
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, spelled)))})\b")
