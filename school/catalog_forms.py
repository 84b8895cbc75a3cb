"""The surface forms of everything that the catalogue of a school names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from school.catalog import Catalog, Cohort, Major
from school.dimensions import DimensionSpec
from school.mistyped_names import SHORTEST_LONG_NAME, SHORTEST_SQUASHED
from school.name_patterns import OFFICE_CUES, course_cues, cues_of, name_pattern, named_forms, needs_cue
from school.numbered_forms import NumberedForms
from school.surface_forms import EntityForms, EntryYears, LongName, SurfaceForm
from vietnamese.text import fold

_WORD = re.compile(r"[^\W_]+")


def entity_forms(catalog: Catalog, extra: Iterable[SurfaceForm] = ()) -> EntityForms:
    """Return the forms of everything that `catalog` names, and the `extra` ones, such as names of documents."""
    forms: list[SurfaceForm] = []
    names: list[LongName] = []
    for dimension in catalog.dimensions:
        forms += _dimension_forms(catalog, dimension)
        if not dimension.ordered:
            for value in catalog.items(dimension.id):
                names += _long_names(dimension.id, value.id, value.names)
    for course in catalog.courses:
        forms += named_forms("course", course.id, course.names, course_cues())
        names += _long_names("course", course.id, course.names)
    for office in catalog.offices:
        forms += named_forms("office", office.id, office.names, OFFICE_CUES)
        names += _long_names("office", office.id, office.names)
    return EntityForms(
        patterns=tuple(dict.fromkeys((*forms, *extra))),
        names=tuple(dict.fromkeys(names)),
        dimensions={each.id: "changing" if each.changes_yearly else "lasting" for each in catalog.dimensions},
        cues=tuple(dict.fromkeys(cue for each in catalog.dimensions for cue in each.sure_cues)),
        entry_years=_entry_years(catalog),
        unlisted=tuple(_unlisted(catalog)),
    )


def _dimension_forms(catalog: Catalog, dimension: DimensionSpec) -> Iterator[SurfaceForm]:
    values = catalog.items(dimension.id)
    cues = cues_of(
        dimension.cues,
        dimension.sure_cues,
        own=dimension.identifies and not dimension.ordered,
        beside="|".join(_beside(catalog, dimension)),
    )
    numbered = NumberedForms(dimension, catalog.ids(dimension.id)) if dimension.ordered else None
    for value in values:
        year = value.year if isinstance(value, Cohort) else None
        # A name in words goes before a number: "Class of 2027" may have entered in 2023.
        names = [n for n in value.names if numbered is None or not numbered.covers(n, value.id, year)]
        yield from named_forms(dimension.id, value.id, names, cues)
        if numbered is not None:
            yield from numbered.forms(value.id, year)
        if isinstance(value, Major) and value.code:
            code = fold(value.code)
            yield SurfaceForm(rf"\b{re.escape(code)}\b", dimension.id, value.id, code)


def _unlisted(catalog: Catalog) -> Iterator[SurfaceForm]:
    """Yield the forms of the numbers of ordered dimensions that are none of their values."""
    for dimension in catalog.dimensions:
        numbers, values = catalog.ids(dimension.id), catalog.items(dimension.id)
        years = [value.year for value in values if isinstance(value, Cohort) and value.year is not None]
        if dimension.ordered and numbers:
            yield from NumberedForms(dimension, numbers).unlisted(years)


def _beside(catalog: Catalog, dimension: DimensionSpec) -> Iterator[str]:
    """Yield the patterns of values of the other dimensions: "k47", "clc"."""
    for other in catalog.dimensions:
        if other.id == dimension.id:
            continue
        if other.ordered and catalog.items(other.id):
            yield NumberedForms(other, catalog.ids(other.id)).pattern
        if not other.ordered and not other.identifies:
            for value in catalog.items(other.id):
                for name in value.names:
                    words = _WORD.findall(fold(name))
                    if words and not needs_cue(words):
                        yield name_pattern(name)


def _long_names(entity: str, value: str, names: Iterable[str]) -> Iterator[LongName]:
    """Yield the names that are long enough to be recognised with a typo, or in one word: "ketoan"."""
    for name in names:
        words = _WORD.findall(fold(name))
        letters = len("".join(words))
        is_joinable = letters >= SHORTEST_SQUASHED and len(words) > 1 and not needs_cue(words)
        if letters >= SHORTEST_LONG_NAME or is_joinable:
            yield LongName(" ".join(words), entity, value)


def _entry_years(catalog: Catalog) -> EntryYears | None:
    """Return the years in which the students of each value entered; None when no dimension has them."""
    for dimension in catalog.dimensions:
        years = {
            value.year: value.id
            for value in catalog.items(dimension.id)
            if isinstance(value, Cohort) and value.year is not None
        }
        if years:
            return EntryYears(dimension.id, years, catalog.school.year_begins)
    return None
