"""The frame of a question to the graph (`graph_frame.yml`): how it goes on with another one, its conditions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.ellipsis import naming_words
from vietnamese.text import fold, words


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of `graph_frame.yml`, which explains each."""

    goes_on: re.Pattern[str]
    pronoun: re.Pattern[str]
    teacher: re.Pattern[str]
    continuing: frozenset[str]
    leads: frozenset[str]
    most_words: int
    own: re.Pattern[str]
    school: re.Pattern[str]
    semester: re.Pattern[str]
    room: re.Pattern[str]
    office: re.Pattern[str]
    calling: frozenset[str]
    somebody: re.Pattern[str]
    numbers: Mapping[str, int]
    roles: Mapping[str, re.Pattern[str]]
    means: Mapping[str, re.Pattern[str]]
    fields: Mapping[str, re.Pattern[str]]


def asks_for_contact(text: str) -> bool:
    """Return whether a message asks for nothing but how to reach somebody whom it does not name: "sdt?".

    It asks for a number or an address, or for the place or the hours of "the office".
    """
    lowered, said = " ".join(words(text)), frame()
    plain = fold(lowered)
    if said.somebody.search(lowered):
        return False
    names_office = said.office.search(plain) is not None
    fields = _fields_asked(plain)
    if not (fields.keys() & {"phone", "email"} or (names_office and fields)):
        return False
    for pattern in (said.office, *fields.values()):
        plain = pattern.sub(" ", plain)
    return not set(naming_words(plain)) - said.calling


def asks_for_field(text: str) -> bool:
    """Return whether a message asks for a field of a contact: a number, an address, hours, a place."""
    return bool(_fields_asked(fold(" ".join(words(text)))))


def _fields_asked(plain: str) -> dict[str, re.Pattern[str]]:
    """Return the fields of a contact that a folded message asks for, each with its pattern."""
    return {name: pattern for name, pattern in frame().fields.items() if pattern.search(plain)}


def points_back(text: str) -> bool:
    """Return whether a message points at something of the conversation: "ai ký giấy đó"."""
    return frame().pronoun.search(fold(" ".join(words(text)))) is not None


@lru_cache(maxsize=1)
def frame() -> Frame:
    """Return the frame."""
    data = yaml_beside(__file__, "graph_frame.yml")
    return Frame(
        goes_on=re.compile(data["goes_on"]),
        pronoun=re.compile(data["pronoun"]),
        teacher=re.compile(data["teacher"]),
        continuing=frozenset(data["continuing"].split()),
        leads=frozenset(data["leads"].split()),
        most_words=data["most_words"],
        own=re.compile(data["own"]),
        school=re.compile(data["school"]),
        semester=re.compile(data["semester"]),
        room=re.compile(data["room"]),
        office=re.compile(data["office"]),
        somebody=re.compile(data["somebody"]),
        calling=frozenset(data["calling"].split()),
        numbers=dict(data["numbers"]),
        roles={name: re.compile(rf"\b(?:{cue})") for name, cue in data["roles"].items()},
        means={kind: re.compile(rf"(?:{cue})\b") for kind, cue in data["means"].items()},
        fields={name: re.compile(rf"\b(?:{cue})") for name, cue in data["fields"].items()},
    )
