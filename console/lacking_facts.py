"""The facts that calculators need and the school does not have: told by the fact, with the calculators that need it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from console.fact_files import FactText
from rag.errors import Problem
from rag.messages import Message


def is_lacking(problem: Problem) -> bool:
    """Return whether a problem is a fact that a calculator lacks."""
    return isinstance(problem.message, Message) and problem.message.key == "calculator_lacks_fact"


def lacking_facts(problems: Iterable[Problem], known: Iterable[FactText]) -> Sequence[Mapping[str, Any]]:
    """Return each fact once: its name, the values of the catalogue that it is `of`, the `calculators` that need it.

    `like` is the same fact of another value with its `note`, for an example; None when the school has none.
    """
    by_name = {fact.name: fact for fact in known}
    found: dict[str, dict[str, Any]] = {}
    for problem in filter(is_lacking, problems):
        assert isinstance(problem.message, Message)
        said = problem.message.values
        name, like = str(said["name"]), said["like"]
        example = by_name.get(str(like.values["name"])) if isinstance(like, Message) else None
        fact = found.setdefault(
            name,
            {
                "name": name,
                "of": said["of"],
                "like": {"name": example.name, "value": example.value, "note": example.note}
                if example
                else None,
                "calculators": [],
            },
        )
        fact["calculators"].append({"id": said["calculator"], "question": said["question"]})
    return list(found.values())
