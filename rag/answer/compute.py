"""A calculation: the inputs that are known, what is missing or wrong, and the sentence with the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from rag.calculators.calculator import Calculator, CalculatorInput, names_of
from rag.calculators.expressions import ExpressionError, Scope, evaluate
from rag.calculators.sentences import filled, formatted
from rag.types import NeededValue
from school.catalog import Catalog
from school.dimensions import Profile
from vietnamese.language_detection import Language
from vietnamese.written_values import NUMBER, SCALE, WrittenValue, is_worded

MOST_VALUES = 30
"""The most values of one input that are taken from a message."""

MOST_ROWS = 30
"""The most rows of a comparison."""

EVERYDAY = (NUMBER, "points")
"""Units in which a message may give anything: a value out of an input's limits is none of it."""

EXTREME = "extreme"
"""The unit of "cao nhất" and "rẻ nhất"."""


@dataclass(frozen=True, slots=True)
class Given:
    """The values at hand.

    `written` are those of the message; `filled` the answers to the questions of this calculation, by input, a tuple
    for an input of many values; `known` the
    values of earlier calculations, by input, of which `concluded` are the names of those that the message goes on with
    ("vậy là học lực gì"); `profile` and `named` (all values of a message, by dimension) the
    dimensions. `compares`: the message has words of comparing. `which` are the dimensions that it asks for a value of
    ("ngành nào").
    """

    written: Sequence[WrittenValue] = ()
    filled: Mapping[str, float | str | tuple[float | str, ...]] = field(default_factory=dict)
    known: Mapping[str, float | str] = field(default_factory=dict)
    concluded: frozenset[str] = frozenset()
    profile: Profile = field(default_factory=Profile)
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    compares: bool = True
    which: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Computation:
    """The outcome of a calculator for given values: the sentence `text`, or the value or dimension that it needs first.

    `values` are those it used, by input; `used` the values of the message; `results` those that a later question may go
    on with, by input; `depends_on` the dimensions.
    """

    text: str = ""
    needs: NeededValue | None = None
    missing: str | None = None
    values: Mapping[str, float | str] = field(default_factory=dict)
    used: frozenset[WrittenValue] = frozenset()
    results: Mapping[str, float | str] = field(default_factory=dict)
    depends_on: tuple[str, ...] = ()


def compute(
    calculator: Calculator,
    given: Given,
    facts: Mapping[str, str],
    today: date,
    catalog: Catalog,
    language: Language = "vi",
) -> Computation | None:
    """Return the outcome of a calculator; None when the message gives it nothing to compute with, or no case holds.

    Raises ExpressionError when an expression has no value: a fault of the calculator.
    """
    taken = _Taken(calculator, given)
    asked_for = given.which.difference(given.named)
    if not taken.is_asked(calculator) or any(each.dimension in asked_for for each in calculator.inputs):
        return None
    given_scope = Scope({"today": today, **taken.at_hand(calculator)}, facts, today)
    read = _with_inputs(calculator, taken, given_scope, catalog, language)
    if isinstance(read, Computation):
        return read
    scope, unknown = read
    try:
        table = _table(calculator, given, scope, catalog, language)
    except ExpressionError:
        if not unknown:
            raise
        table = None
    if table is None and unknown:
        return Computation(missing=unknown[0], used=taken.used, values=taken.values)
    if calculator.comparison is not None:
        if table is None:
            return None
        scope = scope.with_names(table.names)
    for name, expression in calculator.steps:
        scope = scope.with_names({name: evaluate(expression, scope)})
    for case in calculator.cases:
        if evaluate(case.when, scope):
            said = filled((case.say_en if language == "en" else "") or case.say, scope, language).strip()
            text = f"{said}\n\n{table.text}" if table is not None and table.text else said
            dimensions = (*taken.dimensions, *calculator.compared)
            results = _results(calculator, scope)
            return Computation(
                text, values=taken.values, used=taken.used, results=results, depends_on=dimensions
            )
    return None


def _with_inputs(
    calculator: Calculator, taken: _Taken, scope: Scope, catalog: Catalog, language: Language
) -> tuple[Scope, Sequence[str]] | Computation:
    """Return the scope with every input, and the dimensions of a comparison's inputs that nothing is known of.

    What is compared may not go by these. The question back when another input is missing or wrong.
    """
    unknown = list[str]()
    for each in calculator.inputs:
        needed = each.only_if is None or bool(evaluate(each.only_if, scope))
        value = taken.value(each) if needed or each.dimension is None else None
        if value is None and not needed:
            scope = scope.with_names(names_of(each, None, catalog, language))
            continue
        if value is None and each.default is not None:
            value = evaluate(each.default, scope)
        elif value is None and each.dimension is not None:
            if calculator.comparison is None:
                return Computation(missing=each.dimension, used=taken.used, values=taken.values)
            unknown.append(each.dimension)
            continue
        elif value is None:
            return Computation(needs=_needed(each, language), used=taken.used, values=taken.values)
        elif (wrong := _wrong(each, value)) is not None:
            return Computation(needs=_needed(each, language, wrong), used=taken.used, values=taken.values)
        scope = scope.with_names(names_of(each, value, catalog, language))
    return scope, unknown


def values_said(calculators: Iterable[Calculator], written: Sequence[WrittenValue]) -> dict[str, float | str]:
    """Return the values of a message that inputs of `calculators` would take, by input; a number alone is of none."""
    return {
        each.name: value.value
        for calculator in calculators
        for each in calculator.inputs
        for value in written
        if value.unit in each.units and value.unit != NUMBER
        if not each.many and value.value not in each.excepted and _wrong(each, value.value) is None
    }


def _results(calculator: Calculator, scope: Scope) -> dict[str, float | str]:
    found = {name: evaluate(expression, scope) for name, expression in calculator.results}
    return {
        name: value if isinstance(value, str) else float(value)
        for name, value in found.items()
        if value is not None
    }


class _Taken:
    """Assigns the values at hand to a calculator's inputs, each value of the message to one input."""

    def __init__(self, calculator: Calculator, given: Given) -> None:
        self._given = given
        self._assigned: dict[str, list[WrittenValue]] = {}
        self.values: dict[str, float | str] = {}
        self.dimensions: list[str] = []
        excepted = {number for each in calculator.inputs for number in each.excepted}
        free = [value for value in given.written if value.value not in excepted]
        asked = [each for each in calculator.inputs if each.units]
        for rank in range(max((len(each.units) for each in asked), default=0)):
            # A value that fits few inputs is theirs: of "78 với 3" only 3 can be a mark of the scale of 4.
            for each in sorted(asked, key=lambda each: len(_fitting(free, each, rank))):
                if not (fitting := _fitting(free, each, rank)) or (
                    each.name in self._assigned and not each.many
                ):
                    continue
                is_alone = each.units[rank] == NUMBER
                # A number alone belongs to one input; of a unit, the last one said counts.
                chosen = fitting if each.many else fitting[:1] if is_alone else fitting[-1:]
                self._assigned.setdefault(each.name, []).extend(chosen[:MOST_VALUES])
                free = [v for v in free if v not in (chosen if is_alone else fitting)]
        self._totals = self._without_totals(calculator)

    @property
    def used(self) -> frozenset[WrittenValue]:
        return frozenset((*self._totals, *(value for values in self._assigned.values() for value in values)))

    def _without_totals(self, calculator: Calculator) -> list[WrittenValue]:
        """Take the sum that is said before or behind a list ("17 tín: 3 tín A, 8 tín B, 6 tín C") out of it."""
        lists = {each.name: self._assigned.get(each.name, []) for each in calculator.inputs if each.many}
        totals = []
        for name, values in lists.items():
            # "3 tín A, 1 tín B, 2 tín C" has no sum: there are as many grades.
            has_one_more = any(len(values) == len(other) + 1 for other in lists.values() if len(other) > 1)
            if not has_one_more:
                continue
            in_order = sorted(values, key=lambda value: value.start)
            for total, parts in ((in_order[0], in_order[1:]), (in_order[-1], in_order[:-1])):
                if total.value == sum(part.value for part in parts if isinstance(part.value, float)):
                    totals.append(total)
                    self._assigned[name] = parts
                    break
        return totals

    def is_asked(self, calculator: Calculator) -> bool:
        """Return whether the message, or an answer to a question back, gives a value that the result depends on."""
        if (comparison := calculator.comparison) is not None and comparison.where is None:
            several = [d for d, values in self._given.named.items() if len(values) > 1]
            extreme = any(value.unit == EXTREME for value in self._given.written)
            return comparison.over in several and (extreme or self._given.compares) if several else extreme
        if not calculator.compared <= self._given.which:
            return False  # a list is made for who asks which values are meant
        asked = [each for each in calculator.inputs if each.is_asked and not each.secondary]
        given = {*self._assigned, *self._given.filled, *(self._given.concluded & set(self._given.known))}
        # "Hệ 4 là mấy" says for what to compute again.
        of_scale = any(one.unit == SCALE for some in self._assigned.values() for one in some)
        is_again = of_scale and bool(asked) and all(each.name in self._given.known for each in asked)
        return is_again or any(each.name in given for each in asked)

    def at_hand(self, calculator: Calculator) -> dict[str, Any]:
        """Return every input's value, right or wrong; None for one that must be asked for."""
        kept = dict(self.values)
        found = {each.name: self.value(each) for each in calculator.inputs}
        self.values, self.dimensions = kept, []
        return found

    def value(self, each: CalculatorInput) -> Any:
        """Return the value of an input, and note that it is used; None without one."""
        if each.dimension is not None:
            self.dimensions.append(each.dimension)
            return self._given.profile.get(each.dimension)
        filled = self._given.filled.get(each.name)
        if filled is not None and _is_of_a_unit(filled, each):
            if not isinstance(filled, tuple):
                self.values[each.name] = filled
            return filled
        written = self._assigned.get(each.name)
        if written:
            if each.many:
                return tuple(value.value for value in sorted(written, key=lambda value: value.start))
            self.values[each.name] = written[0].value
            return written[0].value
        known = self._given.known.get(each.name)
        if known is not None and _is_of_a_unit(known, each) and _wrong(each, known) is None:
            self.values[each.name] = known
            return known
        return None


def _fitting(free: Sequence[WrittenValue], each: CalculatorInput, rank: int) -> list[WrittenValue]:
    """Return the values of an input's unit; of a less preferred everyday unit, only those within the limits."""
    of_unit = [v for v in free if v.unit in each.units[rank : rank + 1]]
    return [v for v in of_unit if not rank or v.unit not in EVERYDAY or _wrong(each, v.value) is None]


def _is_of_a_unit(value: float | str | tuple[float | str, ...], each: CalculatorInput) -> bool:
    """Return whether a given value is a number for an input of numbers, or a word for one of words."""
    values = value if isinstance(value, tuple) else (value,)
    of_a_unit = all(any(isinstance(one, str) == is_worded(unit) for unit in each.units) for one in values)
    return each.many == isinstance(value, tuple) and of_a_unit


def _wrong(each: CalculatorInput, value: Any) -> float | None:
    """Return the number of `value` that is out of the limits of an input; None when it is right."""
    for number in value if isinstance(value, tuple) else (value,):
        if isinstance(number, float) and (
            (each.least is not None and number < each.least)
            or (each.most is not None and number > each.most)
            or (each.whole and not number.is_integer())
        ):
            return number
    return None


def _needed(each: CalculatorInput, language: Language, wrong: float | None = None) -> NeededValue:
    def written(number: float | None) -> str:
        return "" if number is None else formatted(number, "number", language)

    return NeededValue(
        name=each.name,
        units=each.units,
        ask=(each.ask_en if language == "en" else "") or each.ask,
        least=written(each.least),
        most=written(each.most),
        whole=each.whole,
        wrong=written(wrong),
    )


@dataclass(frozen=True, slots=True)
class _Table:
    names: Mapping[str, Any]
    text: str


def _table(
    calculator: Calculator, given: Given, scope: Scope, catalog: Catalog, language: Language
) -> _Table | None:
    """Return the comparison of the values that the question names, or of all when it asks for the extreme."""
    comparison = calculator.comparison
    if comparison is None:
        return None
    named = given.named.get(comparison.over, ())
    extreme = next((value.value for value in given.written if value.unit == EXTREME), None)
    known = catalog.ids(comparison.over)
    over = [value for value in known if value in named] if len(named) > 1 else list(known)
    rows: list[tuple[str, list[Any]]] = []
    fitting: list[tuple[str, list[Any]]] = []
    for value in over:
        inside = scope.with_names({comparison.over: value})
        cells = [evaluate(column.value, inside) for column in comparison.columns]
        if cells[0] is not None:
            rows.append(row := (catalog.name(comparison.over, value, language), cells))
            if comparison.where is not None and evaluate(comparison.where, inside):
                fitting.append(row)
    if len(rows) < 2 or len(rows) < len(over) <= len(named):
        return None
    low, high = min(cells[0] for _, cells in rows), max(cells[0] for _, cells in rows)
    names = {
        "extreme": extreme,
        "lowest": low,
        "highest": high,
        "difference": high - low,
        "lowest_names": ", ".join(name for name, cells in rows if cells[0] == low),
        "highest_names": ", ".join(name for name, cells in rows if cells[0] == high),
        "fitting": len(fitting),
    }
    if comparison.where is not None:
        rows = sorted(fitting, key=lambda row: row[1][0], reverse=True)
    is_shown = extreme is None and bool(rows)
    return _Table(names, _markdown(comparison.columns, rows, language) if is_shown else "")


def _markdown(columns: Sequence[Any], rows: Sequence[tuple[str, list[Any]]], language: Language) -> str:
    titles = [(column.title_en if language == "en" else "") or column.title for column in columns]
    lines = ["| | " + " | ".join(titles) + " |", "|---|" + "---|" * len(columns)]
    lines += [
        f"| {name} | "
        + " | ".join(
            "–" if cell is None else formatted(cell, column.format, language)
            for column, cell in zip(columns, cells, strict=True)
        )
        + " |"
        for name, cells in rows[:MOST_ROWS]
    ]
    return "\n".join(lines)
