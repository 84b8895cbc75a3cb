"""Applicability: an answer must be in force today and must not be limited to other students, or to another year."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from rag.types import Candidate, Item, Passage
from school.dimensions import Profile
from vietnamese.terms import terms_named
from vietnamese.years import Halves, halves_named


def applicable(candidates: Iterable[Candidate], profile: Profile, today: date) -> list[Candidate]:
    """Return the candidates that may answer this student today, in the same order."""
    return [candidate for candidate in candidates if is_applicable(candidate.item, profile, today)]


def is_applicable(item: Item, profile: Profile, today: date) -> bool:
    """Return whether an item may answer this student today."""
    return not item.applies_to.excludes(profile) and (not isinstance(item, Passage) or in_force(item, today))


def in_force(passage: Passage, today: date) -> bool:
    """Return whether the document of a passage is in force on the day `today`."""
    begun = passage.effective_from is None or passage.effective_from <= today
    ended = passage.effective_to is not None and passage.effective_to < today
    return begun and not ended


def agrees_in_year(item: Item, asked: Halves, today: date, begins: int) -> bool | None:
    """Return whether an item names a year that is asked about (`vietnamese.years`); None when either names none."""
    if not asked:
        return None
    said = [getattr(item, part, "") for part in ("title", "question", "text", "answer")]
    said += [*getattr(item, "context", ()), *getattr(item, "variants", ())]
    said += [case.say for case in getattr(item, "cases", ())]
    named = halves_named("\n".join(said), today, begins)
    return bool(asked & named) if named else None


def agrees_in_term(item: Item, asked: frozenset[str]) -> bool:
    """Return whether an item may tell of a term that is asked about: it names it, or none (`vietnamese.terms`)."""
    said = (getattr(item, part, "") for part in ("title", "question", "text", "answer"))
    named = terms_named("\n".join(said))
    return not named or not asked.isdisjoint(named)
