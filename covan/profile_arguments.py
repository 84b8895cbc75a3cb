"""Parse the values of dimensions from the command line or a CSV file: "K47" is the cohort "47"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from covan.batch import Row
from rag.engine import Engine
from rag.errors import Problem, QuestionsError, SettingsError
from school.dimensions import DIMENSIONS, UNKNOWN_STUDENT, Profile


def resolved(profile: Profile, engine: Engine) -> Profile:
    """`profile` with the ids of the school's catalogue; unchanged where the school has none.

    Raises SettingsError naming a value that the catalogue does not have, and those it has.
    """
    values = {}
    for dimension in DIMENSIONS:
        given, known = profile.get(dimension), engine.catalog.ids(dimension)
        if given is None or not known or given in known:
            values[dimension] = given
        elif (named := engine.named_value(dimension, given)) is not None:
            values[dimension] = named
        else:
            raise SettingsError(f"there is no {dimension} {given!r}; there are: {', '.join(known)}")
    return UNKNOWN_STUDENT.with_values(values)


def all_resolved(rows: Sequence[Row], engine: Engine, file: str) -> list[Row]:
    """`rows` with the profiles resolved. Raises QuestionsError naming every row of `file` that has none."""
    problems, done = [], []
    for row in rows:
        try:
            profile = resolved(row.question.profile, engine)
        except SettingsError as error:
            problems.append(Problem(file, f"question {row.id}: {error}"))
        else:
            done.append(replace(row, question=replace(row.question, profile=profile)))
    if problems:
        raise QuestionsError(problems)
    return done
