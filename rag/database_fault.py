"""Faults of a database in words for the person who must act: which file, and the way back."""

from __future__ import annotations

from dataclasses import dataclass

from vietnamese.data_files import yaml_beside

_KINDS = yaml_beside(__file__, "database_fault.yml")
"""Read at once: when a disk or the file descriptors are used up, it is too late."""


@dataclass(frozen=True, slots=True)
class DatabaseFault:
    """A fault and its remedy. A `lasting` one does not end by itself: the file must be replaced."""

    message: str
    mend: str
    lasting: bool = False


def explain(error: str, place: str) -> DatabaseFault:
    """Return the fault behind a database's error message. `place` is the file, or the server without its password."""
    kind = next(each for each in _KINDS if any(word in error.lower() for word in each["told_by"]))
    message, mend = (kind[part].format(place=place, error=error) for part in ("message", "mend"))
    return DatabaseFault(message, mend, lasting=kind.get("lasting", False))
