"""Expressions of calculators, evaluated by simpleeval: numbers, texts, comparisons, conditions, and a few functions.

An expression has no loop, no attribute, no power and no assignment, and its size is limited, so it always ends soon.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any

from simpleeval import EvalWithCompoundTypes, InvalidExpression

from rag.messages import Message
from vietnamese.written_values import amount_in

MOST_CHARS = 600
MOST_NODES = 250
LARGEST = 10**12
"""The largest number that a step of a calculation may have: đồng of a school's whole budget."""

Value = float | str | bool | date | None | tuple[Any, ...]

_ALLOWED = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Call, ast.IfExp, ast.Tuple),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod),
    *(ast.UnaryOp, ast.Not, ast.USub, ast.BoolOp, ast.boolop, ast.Compare, ast.cmpop),
)

_NAMING = ("fact", "number", "day")
"""The functions whose value is that of a fact."""

_DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


class ExpressionError(ValueError):
    """An expression that cannot be read, or that has no value for these inputs."""

    @property
    def message(self) -> str:
        """The message, which `rag.messages.in_language` says in other languages."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class UnknownFactError(ExpressionError):
    """A fact that no file of facts has."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The values that an expression may use: names, the school's facts, and the day of the question."""

    names: Mapping[str, Value]
    facts: Mapping[str, str] = field(default_factory=dict)
    today: date = date.min
    _evaluator: EvalWithCompoundTypes = field(init=False, repr=False, compare=False)
    """Shared with the scopes of `with_names`, all of one thread: making it costs more than most expressions."""

    def __post_init__(self) -> None:
        functions = {name: function(self) for name, function in FUNCTIONS.items()}
        evaluator = EvalWithCompoundTypes(functions=functions)
        del evaluator.operators[ast.Pow]
        object.__setattr__(self, "_evaluator", evaluator)

    def with_names(self, names: Mapping[str, Value]) -> Scope:
        """Return the scope with more names."""
        scope = object.__new__(
            Scope
        )  # `copy` takes four times as long, and a trial of a calculator needs thousands
        fields = (("names", {**self.names, **names}), ("facts", self.facts), ("today", self.today))
        for name, value in (*fields, ("_evaluator", self._evaluator)):
            object.__setattr__(scope, name, value)
        return scope

    def value(self, text: str, tree: ast.Expression) -> Any:
        """Return the value of an expression; raises what simpleeval and the functions raise."""
        self._evaluator.names = self.names
        return self._evaluator.eval(text, previously_parsed=tree.body)


def check(text: str) -> frozenset[str]:
    """Return the names that an expression uses, functions apart. Raises ExpressionError when it cannot be read."""
    tree = _parsed(text)
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    if unknown := called - set(FUNCTIONS):
        raise ExpressionError(
            Message("unknown_function", names=", ".join(sorted(unknown)), known=", ".join(FUNCTIONS))
        )
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return frozenset(used - called)


def constant_facts(text: str) -> frozenset[str]:
    """Return the full names of the facts that an expression names outright. Raises ExpressionError."""
    return frozenset(
        _fact_name([argument.value for argument in node.args if isinstance(argument, ast.Constant)])
        for node in ast.walk(_parsed(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in _NAMING
        and all(isinstance(argument, ast.Constant) for argument in node.args)
    )


def constants(text: str) -> frozenset[str]:
    """Return the constants of an expression as text. Raises ExpressionError."""
    return frozenset(str(node.value) for node in ast.walk(_parsed(text)) if isinstance(node, ast.Constant))


def picked_facts(text: str) -> frozenset[tuple[str | None, ...]]:
    """Return the paths of the facts that an expression picks by a value, None for the value. Raises ExpressionError.

    `fact("rules.thang_diem", letter, "tu")` picks ("rules", "thang_diem", None, "tu").
    """
    found = set()
    for node in ast.walk(_parsed(text)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in (*_NAMING, "has")
        ):
            path: list[str | None] = []
            for argument in node.args:
                path += str(argument.value).split(".") if isinstance(argument, ast.Constant) else [None]
            if None in path:
                found.add(tuple(path))
    return frozenset(found)


def evaluate(text: str, scope: Scope) -> Any:
    """Return the value of an expression. Raises ExpressionError when it has none."""
    tree = _parsed(text)
    try:
        value = scope.value(text, tree)
    except ExpressionError:
        raise
    except (
        InvalidExpression,
        ArithmeticError,
        TypeError,
        ValueError,
        KeyError,
        IndexError,
        RecursionError,
    ) as error:
        raise ExpressionError(Message("expression_fails", text=text, why=str(error))) from error
    if isinstance(value, (int, float)) and not (math.isfinite(value) and abs(value) <= LARGEST):
        raise ExpressionError(Message("expression_too_large", text=text, value=value))
    return value


@lru_cache(maxsize=2048)
def _parsed(text: str) -> ast.Expression:
    if len(text) > MOST_CHARS:
        raise ExpressionError(Message("expression_long", most=MOST_CHARS))
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(
            Message("expression_unreadable", text=text, why=str(getattr(error, "msg", error)))
        ) from error
    nodes = list(ast.walk(tree))
    if len(nodes) > MOST_NODES:
        raise ExpressionError(Message("expression_many_parts", most=MOST_NODES))
    for node in nodes:
        if not isinstance(node, _ALLOWED):
            raise ExpressionError(Message("expression_not_allowed", text=text, what=type(node).__name__))
        if isinstance(node, ast.Call) and (not isinstance(node.func, ast.Name) or node.keywords):
            raise ExpressionError(Message("expression_calls", text=text, known=", ".join(FUNCTIONS)))
        if isinstance(node, ast.Constant) and not isinstance(node.value, (int, float, str, bool, type(None))):
            raise ExpressionError(Message("expression_not_allowed", text=text, what=repr(node.value)))
    return tree


# --- functions -------------------------------------------------------------------------------------------------------


def _fact(scope: Scope) -> Callable[..., str]:
    def text(*path: object) -> str:
        name = _fact_name(path)
        if name not in scope.facts:
            raise UnknownFactError(name)
        return scope.facts[name]

    return text


def _number(scope: Scope) -> Callable[..., float]:
    fact = _fact(scope)

    def number(*path: object) -> float:
        value = amount_in(fact(*path))
        if value is None:
            raise ExpressionError(Message("fact_without_number", name=_fact_name(path), value=fact(*path)))
        return value

    return number


def _day(scope: Scope) -> Callable[..., date]:
    fact = _fact(scope)

    def day(*path: object) -> date:
        found = _DAY.findall(fact(*path))
        if not found:
            raise ExpressionError(Message("fact_without_day", name=_fact_name(path), value=fact(*path)))
        day_of_month, month, year = map(int, found[-1])
        return date(year, month, day_of_month)

    return day


def _fact_name(path: Iterable[object]) -> str:
    return ".".join(["facts", *map(_key, path)])


def _key(part: object) -> str:
    return str(int(part)) if isinstance(part, float) and part.is_integer() else str(part)


def _whole(value: float | str) -> int:
    """Return the whole number of a value or of an id of the catalogue ("50")."""
    return int(value) if isinstance(value, (int, float)) else int(value, 10)


def _rounded(value: float, digits: int = 0) -> float:
    """Round half up, as schools do: 2.345 to 2.35."""
    if not 0 <= digits <= 6:
        raise ValueError("a number is rounded to 0 to 6 digits")
    return float(Decimal(str(value)).quantize(Decimal(1).scaleb(-int(digits)), ROUND_HALF_UP))


def _mean(values: Sequence[float], weights: Sequence[float] | None = None) -> float:
    weights = weights if weights is not None else [1.0] * len(values)
    if len(values) != len(weights):
        raise ValueError("as many values as weights are needed")
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)


def _lookup(values: Sequence[Any] | Any, *pairs: Any) -> Any:
    """Return the value behind a key: lookup(letter, "A", 4, "B+", 3.5); of a list, the list of values."""
    table = dict(zip(pairs[::2], pairs[1::2], strict=True))
    return tuple(table[each] for each in values) if isinstance(values, tuple) else table[values]


def _level(values: tuple[float, ...] | float, *limits: float) -> Any:
    """Return the value of the highest level that a number reaches: level(8.2, 8.5, 4, 8, 3.5, 0, 0) is 3.5.

    Levels are pairs of the least number and the value, the highest first; of a list, the list of values.
    """
    if isinstance(values, tuple):
        return tuple(_level(each, *limits) for each in values)
    for least, value in zip(limits[::2], limits[1::2], strict=True):
        if values >= least:
            return value
    raise ValueError(f"{values} reaches no level")


def _texts(*values: object) -> str:
    """Return the given texts as a list of a sentence, without empty ones."""
    return ", ".join(str(value) for value in values if value not in (None, ""))


FUNCTIONS: Mapping[str, Callable[[Scope], Callable[..., Any]]] = {
    "fact": _fact,
    "number": _number,
    "has": lambda scope: lambda *path: _fact_name(path) in scope.facts,
    "day": _day,
    "days_until": lambda scope: lambda day: float((day - scope.today).days),
    "next_day": lambda scope: lambda *days: min((day for day in days if day >= scope.today), default=None),
    "int": lambda _: _whole,
    "round": lambda _: _rounded,
    "min": lambda _: min,
    "max": lambda _: max,
    "abs": lambda _: abs,
    "len": lambda _: len,
    "sum": lambda _: sum,
    "mean": lambda _: _mean,
    "lookup": lambda _: _lookup,
    "level": lambda _: _level,
    "join": lambda _: _texts,
}
"""The functions of expressions by name; each is made for a scope."""
