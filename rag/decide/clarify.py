"""When to ask back, and what: for the part of the profile the answer depends on, or which reading was meant."""

from __future__ import annotations

from collections.abc import Sequence

from rag.types import Candidate, FaqEntry, Option
from school.catalog import Catalog
from school.dimensions import Profile

MAX_VALUES = 12
"""The most values of a dimension that are offered as buttons."""


def siblings(candidates: Sequence[Candidate], margin: float) -> list[Candidate]:
    """The best candidate and those that say the same for other students.

    For an FAQ entry these are the entries of its family. For a passage, those nearly as good, of the same topic, in
    documents for other students.
    """
    best = candidates[0]
    return [best, *(other for other in candidates[1:] if _is_sibling(other, best, margin))]


def _is_sibling(other: Candidate, best: Candidate, margin: float) -> bool:
    if isinstance(best.item, FaqEntry):
        return isinstance(other.item, FaqEntry) and other.item.family == best.item.family
    return (
        best.score - other.score <= margin
        and other.item.topic == best.item.topic
        and other.item.applies_to != best.item.applies_to
    )


def missing_dimension(group: Sequence[Candidate], profile: Profile, dimensions: Sequence[str]) -> str | None:
    """Return the dimension that must be known before the best of `group` may be said.

    `dimensions` are those of the school, in the order in which a student is asked for them.

    The first unknown dimension that tells the readings apart, else one that they agree on. None when the best holds
    for everybody, or for this student as far as it matters.
    """
    unknown = [dimension for dimension in dimensions if profile.get(dimension) is None]
    restricted = [dimension for dimension in unknown if group[0].item.applies_to.values(dimension)]
    if not restricted:
        return None
    # Which of the readings came first says little: what any of them depends on may decide.
    telling = (
        dimension
        for dimension in unknown
        if len({candidate.item.applies_to.values(dimension) for candidate in group}) > 1
    )
    return next(telling, restricted[0])


def profile_options(dimension: str, group: Sequence[Candidate], catalog: Catalog) -> tuple[Option, ...]:
    """Return a button for each value the student may have; of too many, for those that the readings single out.

    Values stand in the catalogue's order, those of an ordered dimension from the last.
    """
    spec, values = catalog.dimension(dimension), list(catalog.ids(dimension))
    is_ordered = spec is not None and spec.ordered
    if is_ordered:
        values.reverse()
    elif len(values) > MAX_VALUES:
        by_few_first = sorted((c.item.applies_to.values(dimension) for c in group), key=len)
        named_first = dict.fromkeys(value for allowed in by_few_first for value in allowed)
        shown = set(list(named_first)[:MAX_VALUES])
        values = [value for value in values if value in shown]
    if not values and not is_ordered:
        # A school without a catalogue. Values of an ordered dimension are then known as ranges, which are no buttons.
        values = sorted({value for c in group for value in c.item.applies_to.values(dimension)})
    return tuple(Option(catalog.name(dimension, value), {dimension: value}) for value in values)


def rivals(candidates: Sequence[Candidate], group: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that would say something else to the same student, best first."""
    members = {candidate.item.id for candidate in group}
    return [candidate for candidate in candidates if candidate.item.id not in members]


def reading_options(candidates: Sequence[Candidate], margin: float, count: int) -> tuple[Option, ...]:
    """The FAQ entries that the question may have meant, as buttons with their questions, each question once."""
    best = candidates[0].score
    entries: dict[str, FaqEntry] = {}
    for candidate in candidates:
        if best - candidate.score <= margin and isinstance(candidate.item, FaqEntry):
            entries.setdefault(candidate.item.question, candidate.item)
    return tuple(Option(entry.question, {"faq": entry.id}) for entry in list(entries.values())[:count])
