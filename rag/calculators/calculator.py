"""Calculators: rules of the school, from `knowledge/calculators/*.yml`, that are applied to a student's values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rag.types import Source
from school.aspects import Aspect
from school.catalog import Catalog
from school.dimensions import EVERYBODY, AppliesTo
from vietnamese.language_detection import Language

NAME = "_name"
"""The ending of the name of a dimension's value in sentences: `major_name` is "Dược học" for the major "duoc"."""


@dataclass(frozen=True, slots=True)
class CalculatorInput:
    """A value that a calculator works with.

    It is read from the message (`units`, the preferred first), the profile (`dimension`), or is the value of the
    expression `default`. `least` and `most` limit a number; `whole` refuses fractions. An input with `only_if` is
    asked for when that expression over the inputs at hand holds. One that is `secondary` asks for no calculation
    without another. `many`: all values of the message, as a tuple. `excepted` are numbers that ask
    for no calculation ("1 tín chỉ bao nhiêu"). `ask` and `ask_en` ask for it.
    """

    name: str
    units: tuple[str, ...] = ()
    dimension: str | None = None
    default: str | None = None
    only_if: str | None = None
    least: float | None = None
    most: float | None = None
    whole: bool = False
    many: bool = False
    excepted: tuple[float, ...] = ()
    secondary: bool = False
    ask: str = ""
    ask_en: str = ""

    @property
    def is_asked(self) -> bool:
        """Whether the student must give the value in words: without it nothing can be computed."""
        return bool(self.units) and self.default is None


@dataclass(frozen=True, slots=True)
class Case:
    """A row of a decision table: the sentence to say when the expression `when` holds."""

    say: str
    when: str = "True"
    say_en: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a comparison: its title, the expression of a row and its `format`; the first is ranked by."""

    title: str
    value: str
    title_en: str = ""
    format: str = "number"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table over the values of a dimension: those that the question names, or all when it asks for an extreme.

    With the expression `where`, it lists the values for which that holds, for a question that gives a value of an input
    and asks which they are: "25 điểm thì đậu ngành nào".
    """

    over: str
    columns: tuple[Column, ...]
    where: str | None = None


@dataclass(frozen=True, slots=True)
class Calculator:
    """A rule to apply.

    `follows` are the FAQ entries whose matter it is; `sources` the clauses quoted beside the result. `steps` are named
    expressions, evaluated in their order; the first case that holds is said. `results` are expressions by the name of
    an input, of this or another calculator, that a later question of the conversation may go on with; None for none.
    With `aspects`, values of a message count
    only in a question of its rule that asks for one of these.
    """

    id: str
    question: str
    variants: tuple[str, ...]
    topic: str
    cases: tuple[Case, ...]
    inputs: tuple[CalculatorInput, ...] = ()
    steps: tuple[tuple[str, str], ...] = ()
    results: tuple[tuple[str, str], ...] = ()
    comparison: Comparison | None = None
    follows: tuple[str, ...] = ()
    aspects: tuple[Aspect, ...] = ()
    sources: tuple[Source, ...] = ()
    applies_to: AppliesTo = EVERYBODY
    owner: str | None = None

    @property
    def compared(self) -> frozenset[str]:
        """The id of the dimension whose values it compares or lists; empty for another calculator."""
        return frozenset([self.comparison.over] if self.comparison is not None else ())

    @property
    def dimensions(self) -> frozenset[str]:
        """The ids of the dimensions whose values it computes with."""
        return self.compared.union(each.dimension for each in self.inputs if each.dimension is not None)


def names_of(
    each: CalculatorInput, value: Any, catalog: Catalog, language: Language = "vi"
) -> dict[str, Any]:
    """Return the names that an input brings: its own, and that of a dimension's value ("Dược học" for "duoc")."""
    if each.dimension is None:
        return {each.name: value}
    called = "" if value is None else catalog.name(each.dimension, value, language)
    return {each.name: value, f"{each.name}{NAME}": called}
