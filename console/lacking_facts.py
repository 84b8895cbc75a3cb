"""The facts that calculators need and the school does not have: told by the fact, with the calculators that need it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from console.fact_files import FactFiles
from console.fact_labels import FactLabels
from console.knowledge_files import KnowledgeFileError
from rag.errors import Problem
from rag.messages import Message


def is_lacking(problem: Problem) -> bool:
    """Return whether a problem is a fact that a calculator lacks."""
    return isinstance(problem.message, Message) and problem.message.key == "calculator_lacks_fact"


def lacking_facts(
    problems: Iterable[Problem], facts: FactFiles, labels: FactLabels
) -> Sequence[Mapping[str, Any]]:
    """Return each fact once: its name, the values of the catalogue that it is `of`, the `calculators` that need it.

    `like` is the same fact of another value with its `note`, for an example; None when the school has none.
    """
    lacking = list(filter(is_lacking, problems))
    notes: dict[str, str] = {}
    # A file that cannot be read is told among the problems.
    with suppress(KnowledgeFileError):
        notes = {fact.name: fact.note for fact in facts.facts()} if lacking else {}
    found: dict[str, dict[str, Any]] = {}
    for problem in lacking:
        assert isinstance(problem.message, Message)
        said = problem.message.values
        name, like = str(said["name"]), said["like"]
        example = (
            {
                "label": labels.of(str(like.values["name"])),
                "value": like.values["value"],
                "note": notes.get(str(like.values["name"]), ""),
            }
            if isinstance(like, Message)
            else None
        )
        fact = found.setdefault(
            name,
            {
                "name": name,
                "label": labels.of(name),
                "of": said["of"],
                "like": example,
                "calculators": [],
            },
        )
        fact["calculators"].append({"id": said["calculator"], "question": said["question"]})
    return list(found.values())
