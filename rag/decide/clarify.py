"""When to ask back, and what: for the part of the profile the answer depends on, or which reading was meant."""

from __future__ import annotations

from collections.abc import Sequence

from rag.types import Candidate, FaqEntry, Option
from school.catalog import Catalog
from school.dimensions import Dimension, Profile

MAX_MAJORS = 12


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


ASKED_IN_ORDER: tuple[Dimension, ...] = ("cohort", "program", "major")
"""What a student is asked first: the fewest buttons, and what most rules go by."""


def missing_dimension(group: Sequence[Candidate], profile: Profile) -> Dimension | None:
    """What must be known before the best of `group` may be said.

    The first unknown dimension that tells the readings apart, else one that they agree on. None when the best holds
    for everybody, or for this student as far as it matters.
    """
    unknown = [dimension for dimension in ASKED_IN_ORDER if profile.get(dimension) is None]
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


def profile_options(dimension: Dimension, group: Sequence[Candidate], catalog: Catalog) -> tuple[Option, ...]:
    """A button for each value the student may have; of many majors, those the readings single out.

    Values stand in the catalogue's order, cohorts from the newest.
    """
    values = list(catalog.ids(dimension))
    if dimension == "cohort":
        values.reverse()
    if dimension == "major" and len(values) > MAX_MAJORS:
        by_few_first = sorted((c.item.applies_to.majors for c in group), key=len)
        named_first = dict.fromkeys(value for majors in by_few_first for value in majors)
        shown = set(list(named_first)[:MAX_MAJORS])
        values = [value for value in values if value in shown]
    if not values and dimension != "cohort":
        # A school without a catalogue; its cohorts are known as ranges only, and no button stands for a range.
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
