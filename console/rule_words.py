"""Rules of calculators taken apart, so that a page can say them in an advisor's words."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal

from rag.calculators.expressions import ExpressionError, Scope, evaluate

Holds = Literal["is", "is_not", "least", "above", "most", "below"]

_COMPARED: Mapping[type[ast.cmpop], Holds] = {
    **{ast.Eq: "is", ast.NotEq: "is_not", ast.Is: "is", ast.IsNot: "is_not"},
    **{ast.GtE: "least", ast.Gt: "above", ast.LtE: "most", ast.Lt: "below"},
}


@dataclass(frozen=True, slots=True)
class InputTest:
    """A comparison of an input; `value` "" is no value."""

    input: str
    holds: Holds
    value: str


@dataclass(frozen=True, slots=True)
class Condition:
    """Comparisons of which all hold, or with `is_any` one does."""

    tests: Sequence[InputTest]
    is_any: bool = False


def condition_of(rule: str, inputs: Set[str], facts: Mapping[str, str]) -> Condition | None:
    """Return a rule over some inputs as a condition; None when it is another expression.

    `facts` are the school's, by full name.
    """
    try:
        tree = ast.parse(rule.strip(), mode="eval").body
    except SyntaxError:
        return None
    parts = tree.values if isinstance(tree, ast.BoolOp) else [tree]
    tests = [_test(part, inputs, facts) for part in parts]
    found = [test for test in tests if test is not None]
    is_any = isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or)
    return Condition(found, is_any) if len(found) == len(tests) else None


def default_of(rule: str | None, facts: Mapping[str, str]) -> str | None:
    """Return the value of an input that is not given, "" when it does without; None when it is asked for."""
    return None if rule is None else _value(rule, facts) or ""


def _test(node: ast.expr, inputs: Set[str], facts: Mapping[str, str]) -> InputTest | None:
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.left, ast.Name):
        return None
    holds = _COMPARED.get(type(node.ops[0]))
    value = _value(ast.unparse(node.comparators[0]), facts)
    if node.left.id not in inputs or holds is None or value is None:
        return None
    return InputTest(node.left.id, holds, value)


def _value(expression: str, facts: Mapping[str, str]) -> str | None:
    """Return what an expression without inputs comes to, "" for nothing; None when it has no value."""
    try:
        value = evaluate(expression, Scope({}, facts))
    except ExpressionError:
        return None
    if value is None or value == ():
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)
