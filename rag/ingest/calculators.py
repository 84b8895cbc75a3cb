"""Calculators, `calculators/*.yml`: read, checked, and tried out over the limits of their inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from itertools import islice, product
from pathlib import Path
from typing import Any

from rag.calculators.calculator import NAME, Calculator, CalculatorInput, Case, Column, Comparison, names_of
from rag.calculators.expressions import (
    ExpressionError,
    Scope,
    UnknownFactError,
    check,
    constant_facts,
    evaluate,
)
from rag.calculators.sentences import FORMATS, filled, places
from rag.errors import Problem
from rag.ingest.entries import Entry, Place, did_you_mean, read_entries, unique_ids
from rag.ingest.facts import Facts
from rag.ingest.known import Known
from rag.ingest.schema import CalculatorRecord
from rag.messages import Message
from rag.types import Source
from school.catalog import Catalog
from vietnamese.written_values import units, word_values

MOST_TRIALS = 2_000
"""The most combinations of inputs that a calculator is tried with."""

_COMPARED = ("extreme", "lowest", "highest", "difference", "lowest_names", "highest_names", "fitting")
"""The names that a comparison adds for its sentences."""

_SOME_DAY = date(2026, 11, 23)
"""A day for trials: the result of a trial is thrown away."""


@dataclass(frozen=True, slots=True)
class References:
    """The things that calculators refer to."""

    known: Known
    catalog: Catalog
    facts: Facts
    documents: Set[str]
    entries: Set[str]


def load_calculators(
    files: Mapping[str, Path],
    about: References,
    problems: list[Problem],
    warnings: list[Problem],
    tried: Set[str] | None = None,
) -> tuple[Calculator, ...]:
    """Return the calculators of `files`; add a problem for every mistake, with its line.

    Those with an id in `tried` are tried out, all by default.
    """
    entries = read_entries(CalculatorRecord, files, problems)
    found = []
    for entry in unique_ids(entries, problems):
        before = len(problems)
        _check_references(entry, about, problems)
        _check_expressions(entry, about, problems)
        calculator = _calculator(entry, about, problems, warnings)
        if len(problems) == before and (tried is None or calculator.id in tried):
            _try_out(calculator, about, entry.place, problems)
        found.append(calculator)
    return tuple(found)


def _calculator(
    entry: Entry[CalculatorRecord], about: References, problems: list[Problem], warnings: list[Problem]
) -> Calculator:
    record = entry.record
    compare = record.compare
    return Calculator(
        id=record.id,
        question=record.question,
        variants=record.variants,
        topic=record.topic,
        cases=tuple(Case(case.say, case.when, case.say_en) for case in record.cases),
        inputs=tuple(
            CalculatorInput(name, **{**each.model_dump(), "units": tuple(each.units)})
            for name, each in record.inputs.items()
        ),
        steps=tuple(record.steps.items()),
        results=tuple(record.results.items()),
        comparison=Comparison(
            compare.over,
            tuple(Column(each.title, each.value, each.title_en, each.format) for each in compare.columns),
            compare.where,
        )
        if compare
        else None,
        follows=record.follows,
        aspects=record.aspect,
        sources=tuple(Source(source.document, source.locator) for source in record.sources),
        applies_to=about.known.students(record.applies_to, entry.place, problems, warnings),
        owner=record.owner,
    )


def _check_references(entry: Entry[CalculatorRecord], about: References, problems: list[Problem]) -> None:
    record, place = entry.record, entry.place
    about.known.check_answer(entry, about.documents, problems)
    dimensions: Set[str] = {each.id for each in about.known.dimensions}
    references: list[tuple[str, str, tuple[str | int, ...], Set[str]]] = [
        ("FAQ", each, ("follows", i), about.entries) for i, each in enumerate(record.follows)
    ]
    references += [
        ("dimension", each.dimension, ("inputs", name, "dimension"), dimensions)
        for name, each in record.inputs.items()
        if each.dimension is not None
    ]
    if record.compare is not None:
        references.append(("dimension", record.compare.over, ("compare", "over"), dimensions))
    for kind, value, path, known in references:
        if value not in known:
            hint = did_you_mean(value, known)
            problems.append(place.problem(Message("unknown_id", kind=kind, value=value, hint=hint), *path))
    for name, each in record.inputs.items():
        for index, unit in enumerate(each.units):
            if unit not in units():
                hint = did_you_mean(unit, units()) or Message("there_are", known=", ".join(sorted(units())))
                problems.append(
                    place.problem(
                        Message("unknown_unit", unit=unit, hint=hint), "inputs", name, "units", index
                    )
                )


def _check_expressions(entry: Entry[CalculatorRecord], about: References, problems: list[Problem]) -> None:
    """Add a problem for each expression that cannot be read, or names a thing that does not exist."""
    record, place = entry.record, entry.place
    names = {"today"}
    for text, path, added in expressions(record):
        names |= added
        try:
            unknown = sorted(check(text) - names)
            facts = sorted(constant_facts(text) - set(about.facts.values))
        except ExpressionError as error:
            problems.append(place.problem(Message("expression_wrong", why=error.message), *path))
            continue
        for name in unknown:
            hint = did_you_mean(name, names)
            problems.append(place.problem(Message("expression_names", name=name, hint=hint), *path))
        for fact in facts:
            if ".".join(fact.split(".")[:2]) not in about.facts.uncertain:
                hint = did_you_mean(fact, about.facts.values)
                problems.append(place.problem(Message("unknown_fact", name=fact, hint=hint), *path))
    columns = record.compare.columns if record.compare is not None else ()
    formats: list[tuple[str, tuple[str | int, ...]]] = [
        (column.format, ("compare", "columns", index, "format")) for index, column in enumerate(columns)
    ]
    for index, case in enumerate(record.cases):
        for key, text in (("say", case.say), ("say_en", case.say_en)):
            formats += [(how, ("cases", index, key)) for _, how, _ in places(text)]
    for how, path in formats:
        if how not in FORMATS:
            hint = did_you_mean(how, FORMATS)
            problems.append(place.problem(Message("unknown_format", format=how, hint=hint), *path))
    for name in set(record.inputs) & set(record.steps):
        problems.append(place.problem(Message("name_twice", name=name), "steps", name))


def expressions(record: CalculatorRecord) -> Iterator[tuple[str, tuple[str | int, ...], set[str]]]:
    """Yield the expressions in the order of evaluation, each with its place and the names known from it on."""
    for name, each in record.inputs.items():
        if each.only_if is not None:
            yield each.only_if, ("inputs", name, "only_if"), set(record.inputs)
        if each.default is not None:
            yield each.default, ("inputs", name, "default"), set()
        yield "True", ("inputs", name), {name, *([f"{name}{NAME}"] if each.dimension is not None else [])}
    if record.compare is not None:
        for index, column in enumerate(record.compare.columns):
            yield column.value, ("compare", "columns", index, "value"), {record.compare.over}
        if record.compare.where is not None:
            yield record.compare.where, ("compare", "where"), {record.compare.over}
        yield "True", ("compare",), set(_COMPARED)
    for name, step in record.steps.items():
        yield step, ("steps", name), set()
        yield "True", ("steps", name), {name}
    for name, result in record.results.items():
        yield result, ("results", name), set()
    for index, case in enumerate(record.cases):
        yield case.when, ("cases", index, "when"), set()
        for key, text in (("say", case.say), ("say_en", case.say_en)):
            for expression, _, _ in places(text):
                yield expression, ("cases", index, key), set()


def _try_out(calculator: Calculator, about: References, place: Place, problems: list[Problem]) -> None:
    """Add a problem for each fact that the calculator lacks, and for the first combination of inputs that fails
    without lacking one.

    A fact that is lacking gets the value of one like it, so that the trial comes to the next.
    """
    combinations = list(
        islice(product(*(_samples(each, about.catalog) for each in calculator.inputs)), 50_000)
    )
    step = max(1, len(combinations) // MOST_TRIALS)
    own, supposed = about.facts.values, dict(about.facts.values)
    scopes = [Scope({"today": _SOME_DAY}, facts, _SOME_DAY) for facts in (own, supposed)]
    lacking: dict[str, None] = {}
    has_failed = False
    for values in combinations[::step]:
        names = dict(zip((each.name for each in calculator.inputs), values, strict=True))
        while isinstance(error := _failure(calculator, names, scopes[1], about.catalog), UnknownFactError):
            if error.message in lacking:
                break
            lacking[error.message] = None
            if (like := _like(error.message, calculator, about)) is not None:
                supposed[error.message] = own[like]
        if lacking and error is not None:
            # A supposed value may be one of another kind.
            error = _failure(calculator, names, scopes[0], about.catalog)
        if error is not None and not isinstance(error, UnknownFactError) and not has_failed:
            shown = ", ".join(f"{name} = {value}" for name, value in names.items())
            problems.append(
                place.problem(Message("calculator_fails", values=shown or "–", why=error.message))
            )
            has_failed = True
    problems += [place.problem(_lacking(name, calculator, about)) for name in lacking]


def _lacking(name: str, calculator: Calculator, about: References) -> Message:
    """Return what is told of a fact that a calculator lacks."""
    of = ", ".join(_named_in(name, calculator, about.catalog).values())
    like = _like(name, calculator, about)
    return Message(
        "calculator_lacks_fact",
        calculator=calculator.id,
        question=calculator.question,
        name=name,
        of=of,
        told_of=f" ({of})" if of else "",
        like=Message("fact_like", name=like, value=about.facts.values[like]) if like is not None else "",
    )


def _failure(
    calculator: Calculator, names: Mapping[str, Any], scope: Scope, catalog: Catalog
) -> ExpressionError | None:
    """Return why a trial has no result; None when it has one."""
    try:
        _run(calculator, names, scope, catalog)
    except ExpressionError as error:
        return error
    return None


def _named_in(name: str, calculator: Calculator, catalog: Catalog) -> Mapping[int, str]:
    """Return the names of the values of the calculator's dimensions that a fact's name has, by their place in it."""
    return {
        place: catalog.name(dimension, part)
        for place, part in enumerate(name.split("."))
        for dimension in calculator.dimensions
        if part in catalog.ids(dimension)
    }


def _like(name: str, calculator: Calculator, about: References) -> str | None:
    """Return the name of the same fact of another value of the catalogue; None when the school has none."""
    parts = name.split(".")
    for place in _named_in(name, calculator, about.catalog):
        for other in about.facts.values:
            own = other.split(".")
            if len(own) == len(parts) and [*own[:place], *own[place + 1 :]] == [
                *parts[:place],
                *parts[place + 1 :],
            ]:
                return other
    return None


def _run(calculator: Calculator, names: Mapping[str, Any], scope: Scope, catalog: Catalog) -> None:
    scope = scope.with_names(names)
    for each in calculator.inputs:
        needed = each.only_if is None or evaluate(each.only_if, scope)
        value = names[each.name] if needed else None
        if needed and value is None and each.default is not None:
            value = evaluate(each.default, scope)
        scope = scope.with_names(names_of(each, value, catalog))
    if calculator.comparison is not None:
        over, where = calculator.comparison.over, calculator.comparison.where
        for value in catalog.ids(over):
            inside = scope.with_names({over: value})
            cells = [evaluate(column.value, inside) for column in calculator.comparison.columns]
            if where is not None and cells[0] is not None:
                evaluate(where, inside)
        names_added: dict[str, Any] = dict.fromkeys(_COMPARED, "") | {
            "lowest": 1.0,
            "highest": 2.0,
            "difference": 1.0,
            "fitting": 1,
        }
        scope = scope.with_names(names_added)
    for name, expression in calculator.steps:
        scope = scope.with_names({name: evaluate(expression, scope)})
    for case in calculator.cases:
        if evaluate(case.when, scope):
            filled(case.say, scope)
            filled(case.say_en, scope, "en")
            for _, result in calculator.results:
                evaluate(result, scope)
            return


def _samples(each: CalculatorInput, catalog: Catalog) -> Sequence[Any]:
    """Return values to try: the limits and the middle of a number, each value of a dimension, none for a default."""
    if each.dimension is not None:
        return [*catalog.ids(each.dimension), *([None] if each.default is not None else [])] or [None]
    found: list[Any] = []
    for unit in each.units:
        found += word_values(unit)
        if unit == "letter":
            found += ["A", "F"]
        elif unit == "combination":
            found += ["A00"]
        elif not word_values(unit):
            low = each.least if each.least is not None else 0.0
            high = each.most if each.most is not None else 1_000_000.0
            middle = float(round((low + high) / 2)) if each.whole else (low + high) / 2
            found += [low, middle, high]
    found = list(dict.fromkeys(found))
    if each.many:
        found = [(value, value) for value in found]
    return [*found, *([None] if each.default is not None else [])]
