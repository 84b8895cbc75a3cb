"""Messages whose intent the model was unsure of, for a person to label.

Equal messages are one. A message is no longer shown when an example or an FAQ entry has its words, or when its turns
are reviewed: labelled or set aside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from console.nlu_files import Label, Part, compared
from rag.index.format import Index
from school.clock import today
from school.entity_linker import EntityLinker, Mention
from school.surface_forms import EntityForms
from vietnamese.text import clean

MOST_SHOWN = 100
LONGEST_SHOWN = 400
"""Characters of a message; a longer one is no example."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """A message as it was last written; `intents` are the most probable ones, `traces` its turns."""

    text: str
    intents: Mapping[str, float]
    students: int
    last_at: float
    traces: Sequence[int]


def unsure_messages(turns: Sequence[Mapping[str, Any]], known: Collection[str]) -> Sequence[Unsure]:
    """Return the messages of `turns` (`console.turns.Turns.unsure`), those of the most students first.

    Of as many students, the least sure one is the first.

    `known` are messages with an intent, as `compared` returns them.
    """
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for turn in turns:
        text = str(turn["question"])
        key = compared(text)
        if key and key not in known and len(text) <= LONGEST_SHOWN and not text.startswith("/"):
            groups.setdefault(key, []).append(turn)
    found = [
        Unsure(
            clean(members[0]["question"], LONGEST_SHOWN),
            members[0]["intents"],
            len({(turn["channel"], turn["sender"]) for turn in members}),
            members[0]["at"],
            [turn["id"] for turn in members],
        )
        for members in groups.values()
    ]
    return sorted(found, key=lambda message: (-message.students, max(message.intents.values())))


@dataclass(frozen=True, slots=True)
class UnlikeName:
    """A part of a label, the `number` of which counts from 0, that the catalogue does not know as marked.

    `known_as` is the dimension that it names by the catalogue; "" for none.
    """

    number: int
    text: str
    entity: str
    known_as: str


class NameFinder:
    """Finds the names of dimensions' values in messages, as the reader of an index does."""

    def __init__(self) -> None:
        self._known: tuple[EntityForms, EntityLinker] | None = None

    def parts(self, texts: Sequence[str], index: Index) -> Sequence[Sequence[Part]]:
        """Return each message in parts: the names, and what is between them."""
        linker, day = self._linker(index.reading.forms), today(index.reading.time_zone)
        dimensions = index.dictionaries.catalog.dimension_ids
        return [_parts(text, linker.mentions(text, day), dimensions) for text in texts]

    def unlike(self, labels: Sequence[Label], index: Index) -> Sequence[UnlikeName]:
        """Return the names of labels that are none of their dimension: in the message, alone, or behind its word."""
        catalog = index.dictionaries.catalog
        words = {spec.id: spec.name for spec in catalog.dimensions}
        found = list[UnlikeName]()
        for number, label in enumerate(labels):
            [in_message] = self.parts([label.text], index)
            for part in label.parts:
                if not part.entity or part in in_message:
                    continue
                readings = self.parts([part.text, f"{words.get(part.entity, '')} {part.text}"], index)
                named = [each.entity for reading in readings for each in reading if each.entity]
                if part.entity not in named:
                    found.append(UnlikeName(number, part.text, part.entity, named[0] if named else ""))
        return found

    def _linker(self, forms: EntityForms) -> EntityLinker:
        """Return the linker of these names; patterns that it has compiled stay while an edit changes no name."""
        if self._known is None or self._known[0] != forms:
            self._known = forms, EntityLinker(forms)
        return self._known[1]


def _parts(text: str, mentions: Iterable[Mention], dimensions: Collection[str]) -> Sequence[Part]:
    parts, at = list[Part](), 0
    for mention in sorted(mentions, key=lambda each: each.name_start):
        if mention.entity not in dimensions or mention.name_start < at:
            continue
        parts.append(Part(text[at : mention.name_start]))
        parts.append(Part(text[mention.name_start : mention.end], mention.entity))
        at = mention.end
    return [part for part in (*parts, Part(text[at:])) if part.text]
