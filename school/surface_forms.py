"""The ways to write the names of a school, as data: the whole knowledge of `school.entity_linker`.

`EntityForms` is JSON-serialisable, so that the index can store it and every process can apply the same forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

NAME = "name"
"""The group of a pattern that holds the name without its cue."""


@dataclass(frozen=True, slots=True)
class SurfaceForm:
    """A way to write the `value` (an id) of an `entity`.

    `pattern` is searched in folded text (`vietnamese.text.fold`: lower case, no diacritics, one character for one).
    With `exact`, the same stretch of the lower-case text must match that expression from end to end as well: it
    rejects words with other diacritics. `needle` is a part of every match, so that most patterns are skipped quickly.
    """

    pattern: str
    entity: str
    value: str
    needle: str
    exact: str | None = None


@dataclass(frozen=True, slots=True)
class LongName:
    """A name that is recognised with a typo in it; `text` holds its words, folded, with one blank between them."""

    text: str
    entity: str
    value: str


@dataclass(frozen=True, slots=True)
class EntityForms:
    """Everything that the entity linker knows of a school.

    `entered` maps a calendar year to the id of the cohort that entered in it; `year_begins` is the month (1..12) in
    which an academic year begins. Both turn "em năm 2" into a cohort.
    """

    patterns: tuple[SurfaceForm, ...] = ()
    names: tuple[LongName, ...] = ()
    entered: Mapping[int, str] = field(default_factory=dict)
    year_begins: int = 9

    def to_json(self) -> dict[str, Any]:
        """Return the forms as a JSON object."""
        return {
            "patterns": [asdict(form) for form in self.patterns],
            "names": [asdict(name) for name in self.names],
            "entered": {str(year): cohort for year, cohort in self.entered.items()},
            "year_begins": self.year_begins,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EntityForms:
        """Return the forms that `to_json` has written.

        Raises:
            KeyError, TypeError, ValueError: when `data` is no such object.
        """
        return cls(
            patterns=tuple(SurfaceForm(**form) for form in data["patterns"]),
            names=tuple(LongName(**name) for name in data["names"]),
            entered={int(year): cohort for year, cohort in data["entered"].items()},
            year_begins=int(data["year_begins"]),
        )
