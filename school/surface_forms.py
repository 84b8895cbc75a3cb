"""The ways to write the names of a school, as data: the whole knowledge of `school.entity_linker`.

`EntityForms` is JSON-serialisable, so that the index can store it and every process can apply the same forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from vietnamese.retraction import Kind

NAME = "name"
"""The group of a pattern that holds the name without its cue."""

MENTION = "mention"
"""The group of a pattern that needs other words around a mention."""


@dataclass(frozen=True, slots=True)
class SurfaceForm:
    """A way to write the `value` (an id) of an `entity`.

    `pattern` is searched in folded text (`vietnamese.text.fold`: lower case, no diacritics, one character for one).
    With `exact`, the same stretch of the lower-case text must match that expression from end to end too: it rejects
    words with other diacritics. `needle` is a part of every match, so that most patterns are skipped quickly. `joined`
    forms count only beside another value of their entity: "dược" in "dược với thú y".
    """

    pattern: str
    entity: str
    value: str
    needle: str
    exact: str | None = None
    joined: bool = False


@dataclass(frozen=True, slots=True)
class LongName:
    """A name that is recognised with a typo in it; `text` holds its words, folded, with one blank between them."""

    text: str
    entity: str
    value: str


@dataclass(frozen=True, slots=True)
class EntryYears:
    """The calendar years in which the students of a dimension's values entered, such as 2024 those of cohort "50".

    Academic years begin in the month `begins` (1..12). Together they turn "em năm 2" into a value of `dimension`.
    """

    dimension: str
    values: Mapping[int, str]
    begins: int


@dataclass(frozen=True, slots=True)
class EntityForms:
    """The entity linker's knowledge of a school.

    `dimensions` are the entities that a student has one value of, with their kinds; `cues` are the school's words for
    them. `entry_years` is None when the values of no dimension have a year. `unlisted` are the forms of values that the
    school does not have.
    """

    patterns: tuple[SurfaceForm, ...] = ()
    names: tuple[LongName, ...] = ()
    dimensions: Mapping[str, Kind] = field(default_factory=dict)
    cues: tuple[str, ...] = ()
    entry_years: EntryYears | None = None
    unlisted: tuple[SurfaceForm, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the forms as a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EntityForms:
        """Return the forms that `to_json` has written.

        Raises:
            KeyError, TypeError, ValueError: when `data` is no such object.
        """
        years = data["entry_years"]
        return cls(
            patterns=tuple(SurfaceForm(**form) for form in data["patterns"]),
            names=tuple(LongName(**name) for name in data["names"]),
            dimensions=dict(data["dimensions"]),
            cues=tuple(data["cues"]),
            unlisted=tuple(SurfaceForm(**form) for form in data["unlisted"]),
            # The keys of a JSON object are texts.
            entry_years=years
            and EntryYears(**{**years, "values": {int(y): value for y, value in years["values"].items()}}),
        )
