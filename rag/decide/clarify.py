"""Questions back to the student: for the part of the profile that decides the answer, or for the meant reading."""

from __future__ import annotations

from collections.abc import Sequence

from rag.types import Candidate, FaqEntry, Option
from school.catalog import Catalog
from school.dimensions import AppliesTo, Profile

MAX_VALUES = 12
"""The most values of a dimension that are offered as buttons."""


SPARES = 0.3
"""A dimension is asked for before the first one when that spares as many questions on average."""

MOST_LEFT_OUT = 3
"""An entry that is the only reading is given with the values that it does not hold for, when they are no more than
these and no more than those that it holds for; of two values, one is not few."""

_State = tuple[tuple[str, ...], tuple[str, ...]]
"""The ids of the readings that fit, and the dimensions that are unknown."""


def siblings(candidates: Sequence[Candidate], margin: float) -> list[Candidate]:
    """Return the best candidate and its siblings, which state the same rule for other students.

    Siblings of an FAQ entry are the entries of its family. Siblings of a passage are passages of the same topic at
    most `margin` behind it, in documents for other students.
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


def missing_dimension(group: Sequence[Candidate], profile: Profile, catalog: Catalog) -> str | None:
    """Return the dimension that must be known before the best of `group` may be shown; None when none is needed.

    Of the unknown dimensions that tell the readings apart, the first one wins, unless asking for another one first
    spares at least `SPARES` questions; without one, the first that restricts the best reading. A dimension whose
    rare values alone are left out is not asked for (`left_out`), nor, by a single reading, one with few such values.
    """
    restricted, telling = _unknown(group, profile, catalog)
    if not restricted:
        return None
    if len(telling) < 2:
        return (*telling, *restricted)[0]
    asked: dict[_State, float] = {}
    after = {d: _asked_after(d, group, profile, catalog, asked) for d in telling}
    first, best = telling[0], min(telling, key=lambda d: after[d])
    return best if after[first] - after[best] >= SPARES else first


def needs_dimension(group: Sequence[Candidate], profile: Profile, catalog: Catalog) -> bool:
    """Return whether a dimension must be known before the best of `group` may be shown (`missing_dimension`)."""
    return bool(_unknown(group, profile, catalog)[0])


def _unknown(group: Sequence[Candidate], profile: Profile, catalog: Catalog) -> tuple[list[str], list[str]]:
    """Return the unknown dimensions that restrict the best of `group`, and those that tell its readings apart."""
    unknown = [dimension for dimension in catalog.dimension_ids if profile.get(dimension) is None]
    applies_to = group[0].item.applies_to
    rarely = _excluded(applies_to, profile, catalog)
    restricted = [d for d in unknown if applies_to.values(d) and d not in rarely]
    # The order of the readings says little, so a dimension of any of them may decide.
    telling = [
        dimension
        for dimension in unknown
        if dimension not in rarely
        and len({candidate.item.applies_to.values(dimension) for candidate in group}) > 1
    ]
    if not telling and isinstance(group[0].item, FaqEntry):
        # Nothing tells other students otherwise: the few whom an entry does not hold for are named with its answer.
        few = _excluded(applies_to, profile, catalog, MOST_LEFT_OUT)
        restricted = [dimension for dimension in restricted if dimension not in few]
    return restricted, telling


def _asked_after(
    dimension: str,
    group: Sequence[Candidate],
    profile: Profile,
    catalog: Catalog,
    asked: dict[_State, float],
) -> float:
    """Return how many questions follow that for `dimension`, on average over its values that are not rare."""
    rare = catalog.rare(dimension)
    values = [value for value in catalog.possible(dimension, profile.values) if value not in rare]
    known = (profile.with_values({dimension: value}) for value in values)
    counts = [
        _questions(group, each.with_values(catalog.implied(each.values)), catalog, asked) for each in known
    ]
    return sum(counts) / len(counts) if counts else 0.0


def _questions(
    group: Sequence[Candidate], profile: Profile, catalog: Catalog, asked: dict[_State, float]
) -> float:
    """Return how many questions on average are asked of who has this profile; `asked` keeps what was counted."""
    fitting = [one for one in group if not one.item.applies_to.excludes(profile)]
    missing = tuple(d for d in catalog.dimension_ids if profile.get(d) is None)
    state = tuple(one.item.id for one in fitting), missing
    if state not in asked:
        needed = [_unknown([one, *fitting], profile, catalog) for one in fitting]
        ways = dict.fromkeys(d for _, telling in needed for d in telling)
        is_settled = not all(restricted for restricted, _ in needed)
        after = (_asked_after(d, fitting, profile, catalog, asked) for d in ways)
        asked[state] = 0.0 if is_settled else 1.0 + min(after, default=0.0)
    return asked[state]


def left_out(
    applies_to: AppliesTo, profile: Profile, catalog: Catalog, most: int = MOST_LEFT_OUT
) -> dict[str, tuple[str, ...]]:
    """Return the unknown dimensions by which only students with rare values, or `most`, are left out, with these."""
    return {d: out for d, out in _excluded(applies_to, profile, catalog, most).items() if out}


def _excluded(
    applies_to: AppliesTo, profile: Profile, catalog: Catalog, most: int = 0
) -> dict[str, tuple[str, ...]]:
    """Return the unknown dimensions that leave out rare values alone, or `most`, with these; maybe none."""
    found: dict[str, tuple[str, ...]] = {}
    for dimension in catalog.dimension_ids:
        if profile.get(dimension) is not None or not applies_to.values(dimension):
            continue
        possible = catalog.possible(dimension, profile.values)
        out = tuple(value for value in possible if not applies_to.admits(dimension, value))
        rare = catalog.rare(dimension)
        usual = [value for value in possible if value not in rare and value not in out]
        are_few = bool(usual) and len(possible) > 2 and len(out) <= min(most, len(possible) / 2)
        if len(out) < len(possible) and (are_few or rare.issuperset(out)):
            found[dimension] = out
    return found


def widest_first(group: Sequence[Candidate], profile: Profile, catalog: Catalog) -> list[Candidate]:
    """Return `group` with the first candidate that needs no question about the student in front."""
    for candidate in group:
        if not needs_dimension([candidate], profile, catalog):
            return [candidate, *(other for other in group if other is not candidate)]
    return list(group)


def profile_options(
    dimension: str, group: Sequence[Candidate], profile: Profile, catalog: Catalog
) -> tuple[Option, ...]:
    """Return a button for each value the student may have; of more than `MAX_VALUES`, those of the readings.

    Values stand in the catalogue's order, those of an ordered dimension from the last.
    """
    spec, values = catalog.dimension(dimension), list(catalog.possible(dimension, profile.values))
    is_ordered = spec is not None and spec.ordered
    if is_ordered:
        values.reverse()
    elif len(values) > MAX_VALUES:
        by_few_first = sorted((c.item.applies_to.values(dimension) for c in group), key=len)
        named_first = dict.fromkeys(value for allowed in by_few_first for value in allowed)
        shown = set(list(named_first or values)[:MAX_VALUES])
        values = [value for value in values if value in shown]
    if not values and not is_ordered:
        # A school without a catalogue. Values of an ordered dimension are then known as ranges, which are no buttons.
        values = sorted({value for c in group for value in c.item.applies_to.values(dimension)})
    return tuple(Option(catalog.name(dimension, value), {dimension: value}) for value in values)


def rivals(candidates: Sequence[Candidate], group: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates outside `group`, which compete with it for the answer, best first."""
    members = {candidate.item.id for candidate in group}
    return [candidate for candidate in candidates if candidate.item.id not in members]


def reading_options(candidates: Sequence[Candidate], margin: float, count: int) -> tuple[Option, ...]:
    """Return a button for each FAQ entry at most `margin` behind the best, each question once, at most `count`.

    An entry that is never offered has none.
    """
    best = candidates[0].score
    entries: dict[str, FaqEntry] = {}
    for candidate in candidates:
        entry = candidate.item
        if best - candidate.score <= margin and isinstance(entry, FaqEntry) and not entry.never_offered:
            entries.setdefault(entry.question, entry)
    return tuple(Option(entry.question, {"faq": entry.id}) for entry in list(entries.values())[:count])
