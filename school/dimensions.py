"""The dimensions of a student's profile, and the students a text applies to.

A school says in `catalog.yml` which dimensions it has; `dimensions.yml` holds the default: cohort, programme, major.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from vietnamese.data_files import yaml_beside
from vietnamese.language_detection import Language

MAX_NUMBER_DIGITS = 4
"""A value of an ordered dimension is a small number or a year; a longer run of digits is none."""

_RANGE = re.compile(rf"(?=.*\d)(\d{{0,{MAX_NUMBER_DIGITS}}})-(\d{{0,{MAX_NUMBER_DIGITS}}})")


@dataclass(frozen=True, slots=True)
class DimensionSpec:
    """A dimension that answers may depend on, as the school describes it; `dimensions.yml` explains each field."""

    id: str
    key: str
    name: str
    name_en: str = ""
    ordered: bool = False
    identifies: bool = False
    changes_yearly: bool = False
    cues: tuple[str, ...] = ()
    sure_cues: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    ask_en: tuple[str, ...] = ()
    explain: tuple[str, ...] = ()
    explain_en: tuple[str, ...] = ()

    def called(self, language: Language = "vi") -> str:
        """Return the word for the dimension in `language`."""
        return (self.name_en if language == "en" else "") or self.name

    def others(self, language: Language = "vi") -> str:
        """Return what all values but those named below are called in `language`: "Mọi ngành không nêu riêng ..."."""
        return _others()[language].format(name=self.called(language))

    def questions(self, language: Language = "vi") -> tuple[str, ...]:
        """Return the wordings of the question for the student's value."""
        return (self.ask_en if language == "en" else ()) or self.ask

    def explanations(self, language: Language = "vi") -> tuple[str, ...]:
        """Return the wordings of the explanation after a misunderstood reply; they may hold `{example}`."""
        return (self.explain_en if language == "en" else ()) or self.explain


@lru_cache(maxsize=1)
def _others() -> Mapping[Language, str]:
    names: Mapping[Language, str] = yaml_beside(__file__, "dimensions.yml")["others"]
    return names


@lru_cache(maxsize=1)
def default_dimensions() -> tuple[DimensionSpec, ...]:
    """Return the dimensions of a school that lists none, in the order in which students are asked for them."""
    return tuple(spec(entry) for entry in yaml_beside(__file__, "dimensions.yml")["default"])


def spec(entry: Mapping[str, Any]) -> DimensionSpec:
    """Return the spec of one entry of a `dimensions:` list; a default dimension's missing keys keep their default.

    Args:
        entry: `id`, for a school's own dimension also `name`, and any of the other keys of `dimensions.yml`.
    """
    file: Mapping[str, Any] = yaml_beside(__file__, "dimensions.yml")
    kept: Mapping[str, Any] = next((known for known in file["default"] if known["id"] == entry["id"]), {})
    said = {"key": f"{entry['id']}s", **kept, **entry}
    said = {name: tuple(value) if isinstance(value, (list, tuple)) else value for name, value in said.items()}
    names = {"": said["name"], "_en": said.get("name_en") or said["name"]}
    for part, wordings in file["generic"].items():
        name = names["_en" if part.endswith("_en") else ""]
        said.setdefault(part, tuple(wording.replace("{name}", name) for wording in wordings))
    said["cues"] = tuple(dict.fromkeys((said["name"], *said.get("cues", ()))))
    said["sure_cues"] = said.get("sure_cues") or said["cues"]
    return DimensionSpec(**said)


@dataclass(frozen=True, slots=True)
class Profile:
    """The values known of a student: catalogue ids by dimension id. A dimension without a value is unknown.

    `values` must not be changed after construction.
    """

    values: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(frozenset(self.values.items()))

    def get(self, dimension: str) -> str | None:
        """Return the value of `dimension`; None when it is unknown."""
        return self.values.get(dimension)

    def with_values(self, values: Mapping[str, str | None]) -> Profile:
        """Return the profile with `values` in place of its own; None makes a dimension unknown."""
        return Profile({d: value for d, value in {**self.values, **values}.items() if value is not None})


@dataclass(frozen=True, slots=True)
class AppliesTo:
    """The students a text is for: the allowed values by dimension id. A dimension that is not named allows all.

    An allowed value is a catalogue id or, of an ordered dimension, a range: "47-" (47 and later), "-46" (up to 46),
    "47-49". No id has the form of a range. `allowed` must not be changed after construction.
    """

    allowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(frozenset(self.allowed.items()))

    def values(self, dimension: str) -> tuple[str, ...]:
        """Return the allowed values of `dimension`; empty when the text is for all."""
        return self.allowed.get(dimension, ())

    def admits(self, dimension: str, value: str) -> bool:
        """Return whether the text is for a student whose `dimension` has this value."""
        allowed = self.values(dimension)
        return not allowed or value in allowed or any(_in_range(value, each) for each in allowed)

    def excludes(self, profile: Profile) -> bool:
        """Return whether a known value of the profile rules the text out."""
        if not self.allowed:  # most texts are for all, and hundreds are looked at for a question
            return False
        return any(not self.admits(dimension, value) for dimension, value in profile.values.items())

    def somebody(self, dimension: str) -> str | None:
        """Return one allowed value of `dimension`, of a range one of its ends; None when the text is for all."""
        first = next(iter(self.values(dimension)), "")
        ends = _RANGE.fullmatch(first)
        return ((ends[1] or ends[2]) if ends else first) or None


UNKNOWN_STUDENT = Profile()
EVERYBODY = AppliesTo()


def is_range(text: str) -> bool:
    """Return whether `text` has the form of a range of numbers ("47-", "-46", "47-49")."""
    return _RANGE.fullmatch(text) is not None


class ReversedRangeError(ValueError):
    """A range of numbers ends before it begins."""


def as_range(text: str) -> str:
    """Return a range of an ordered dimension, or one of its values, as `AppliesTo` reads it: "K47 –" is "47-".

    Raises:
        ValueError: `text` is neither a number nor a range of numbers.
        ReversedRangeError: the range ends before it begins.
    """
    bare = re.sub(r"[–—−]", "-", re.sub(r"[kK\s]", "", text))
    if bare.isascii() and bare.isdigit() and len(bare) <= MAX_NUMBER_DIGITS:
        return bare
    ends = _RANGE.fullmatch(bare)
    if ends is None:
        raise ValueError(f'\'{text}\' is no range; write "47-", "-46", "47-49" or "47"')
    if ends[1] and ends[2] and int(ends[1]) > int(ends[2]):
        raise ReversedRangeError(f"the range '{text}' ends before it begins")
    return bare


def _in_range(value: str, allowed: str) -> bool:
    ends = _RANGE.fullmatch(allowed)
    if ends is None or not (value.isascii() and value.isdigit() and len(value) <= MAX_NUMBER_DIGITS):
        return False
    return int(ends[1] or 0) <= int(value) <= int(ends[2] or 10**MAX_NUMBER_DIGITS)
