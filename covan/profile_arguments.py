"""Parse the values of dimensions from the command line or a CSV file: "K47" is the cohort "47"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from covan.batch import Row
from rag.engine import Engine
from rag.errors import Problem, QuestionsError, SettingsError
from school.dimensions import Profile


def resolved(given: Mapping[str, str], engine: Engine) -> Profile:
    """Return the profile of values by dimension, as ids of the school's catalogue where it has that dimension's.

    Raises SettingsError naming a dimension that the school does not have, or a value, and those it has.
    """
    catalog, values = engine.catalog, {}
    for dimension, value in given.items():
        if catalog.dimension(dimension) is None:
            known = ", ".join(catalog.dimension_ids)
            raise SettingsError(f"the school has no dimension {dimension!r}; there are: {known}")
        known_values = catalog.ids(dimension)
        if not known_values or value in known_values:
            values[dimension] = value
        elif (named := engine.named_value(dimension, value)) is not None:
            values[dimension] = named
        else:
            raise SettingsError(f"there is no {dimension} {value!r}; there are: {', '.join(known_values)}")
    return Profile(values)


def all_resolved(rows: Sequence[Row], engine: Engine, file: str) -> list[Row]:
    """Return `rows` with the profiles that their columns give, a column a dimension.

    Raises QuestionsError naming every row of `file` with a value that the school does not have.
    """
    problems, done = [], []
    for row in rows:
        try:
            given = {d: row.fields[d] for d in engine.catalog.dimension_ids if row.fields.get(d)}
            profile = resolved(given, engine)
        except SettingsError as error:
            problems.append(Problem(file, f"question {row.id}: {error}"))
        else:
            done.append(replace(row, question=replace(row.question, profile=profile)))
    if problems:
        raise QuestionsError(problems)
    return done
