"""The reading of one message, the value that every later stage works on."""

from __future__ import annotations

import base64
from collections.abc import Container, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import numpy as np

from school.entity_linker import Mention, are_listed
from school.intents import topic_of
from school.sentence_embedder import VectorArray
from vietnamese.language_detection import Language
from vietnamese.small_talk import SmallTalk
from vietnamese.text import before_cleaning
from vietnamese.written_values import WrittenValue


@dataclass(frozen=True)
class Reading:
    """One message as `school.reader.Reader` reads it.

    Attributes:
        text: the message as typed, but clean (`vietnamese.text.clean`).
        normalized: `text` in everyday spelling, its short forms in full; of an English message its terms in Vietnamese.
        expansions: other wordings of `normalized`: readings of ambiguous short forms, short forms of terms, and the
            words as typed where `normalized` has others.
        asked: `normalized` without the values that identify the student ("k47 ngành cntt cần gì" asks "cần gì").
        embedded: the text that `vector` stands for.
        letters: the folded letters of the whole message that the intent classifier compares ("k47" as "cohort").
        is_english: whether the message is asked in English.
        language: the language of the message; None when it is too short to tell.
        mentions: the names that the message neither denies nor takes back.
        written_values: the values with their units that the message gives: "18 tín", "gpa 3,3".
        foreign_institution: the name of another university that the message is about.
        unlisted_value: the value of a dimension, as typed, that the message names and the school does not have ("k43").
        absent_field: the name, folded, of a field of study that the message is about and the school does not teach.
        unpublished_matter: the thing of a campus that the message is about and of which nothing is published.
        small_talk: the kind of small talk, when the message asks nothing of the school.
        intents: the probability of each intent, the most probable first; empty without a classifier.
        vector: the sentence vector of `embedded`, shape (d,); None when it was not embedded.
        embedder: the name of the embedder that made `vector`.
    """

    text: str
    normalized: str
    expansions: tuple[str, ...] = ()
    asked: str = ""
    embedded: str = ""
    letters: str = ""
    is_english: bool = False
    language: Language | None = None
    mentions: tuple[Mention, ...] = ()
    written_values: tuple[WrittenValue, ...] = ()
    foreign_institution: str | None = None
    unlisted_value: str | None = None
    absent_field: str | None = None
    unpublished_matter: str | None = None
    small_talk: SmallTalk | None = None
    intents: Mapping[str, float] = field(default_factory=dict)
    vector: VectorArray | None = field(default=None, compare=False)
    embedder: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether the message has no letter and no digit."""
        return not any(char.isalnum() for char in self.text)

    @property
    def lists_values(self) -> bool:
        """Whether the message has two values of one dimension side by side: "học phí cntt với luật"."""
        return are_listed(self.mentions, self.text)

    @property
    def topics(self) -> Mapping[str, float]:
        """The probability of each topic among the topics, summing to 1; empty without a classifier."""
        scores = {topic: p for intent, p in self.intents.items() if (topic := topic_of(intent)) is not None}
        total = sum(scores.values())
        return {topic: score / total for topic, score in scores.items()} if total > 0 else {}

    def values(self, dimensions: Iterable[str]) -> dict[str, str]:
        """Return the values of those of `dimensions` that the message names exactly one value of, without a role."""
        return {d: found[0] for d, found in self.named(dimensions).items() if len(found) == 1}

    def mentions_of(self, dimensions: Container[str]) -> tuple[Mention, ...]:
        """Return the mentions of values of `dimensions`, in any role."""
        return tuple(mention for mention in self.mentions if mention.entity in dimensions)

    def named(self, dimensions: Iterable[str], role: str = "") -> dict[str, tuple[str, ...]]:
        """Return the distinct values of `dimensions` that the message names in a role (`Mention.role`), in order."""
        found = {d: [m.value for m in self.mentions if m.entity == d and m.role == role] for d in dimensions}
        return {d: tuple(dict.fromkeys(values)) for d, values in found.items() if values}

    def entities(self, text: str) -> list[dict[str, Any]]:
        """Return the mentions as Rasa's entities of `text`, the message before it was cleaned, without their cues."""
        found = list[dict[str, Any]]()
        for each in self.mentions:
            start, end = before_cleaning(text, each.name_start, each.end)
            role = {"role": each.role} if each.role else {}
            found.append({"entity": each.entity, "start": start, "end": end, "value": each.value, **role})
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the reading as a JSON object; the vector as base64 of its float32 numbers."""
        return {
            **{each.name: getattr(self, each.name) for each in fields(self)},
            "expansions": list(self.expansions),
            "mentions": [asdict(mention) for mention in self.mentions],
            "written_values": [asdict(value) for value in self.written_values],
            "small_talk": self.small_talk.value if self.small_talk else None,
            "intents": dict(self.intents),
            "vector": None if self.vector is None else base64.b64encode(self.vector.tobytes()).decode(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Reading:
        """Return the reading that `to_json` has written.

        Raises:
            KeyError, TypeError, ValueError: when `data` is no such object.
        """
        said = {each.name: data[each.name] for each in fields(cls)}
        vector = said["vector"]
        said |= {
            "expansions": tuple(said["expansions"]),
            "mentions": tuple(Mention(**mention) for mention in said["mentions"]),
            "written_values": tuple(WrittenValue(**value) for value in said["written_values"]),
            "small_talk": SmallTalk(said["small_talk"]) if said["small_talk"] else None,
            "intents": dict(said["intents"]),
            "vector": None if vector is None else np.frombuffer(base64.b64decode(vector), np.float32),
        }
        return cls(**said)

    def asking(self, text: str) -> Reading:
        """Return the reading with `text`, not embedded yet, as the words to look for."""
        return replace(self, normalized=text, asked=text, embedded=text, vector=None)
