"""Values that change every year, in one place: `facts/*.yml`, and `{{ facts.a.b }}` in an answer.

`facts/NAME.meta.yml` beside `facts/NAME.yml` has the offices in charge and the days of the last review, for editors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from rag.errors import Problem
from rag.ingest.cleaning import clean_line
from rag.ingest.documents import META_SUFFIXES
from rag.ingest.entries import Place, did_you_mean, read_list, read_yaml
from rag.ingest.known import Known
from rag.ingest.schema import FactReviewRecord
from rag.messages import Message

_REFERENCE = re.compile(r"\{\{(?P<path>[^{}]*)\}\}")
_LEFT_OPEN = re.compile(r"\{\{|\}\}")


@dataclass(frozen=True, slots=True)
class Fault:
    """A reference that cannot be filled in; `start` is its offset in the text."""

    message: str
    start: int


@dataclass(frozen=True, slots=True)
class Facts:
    """Every fact by its full name ("facts.tuition.2026.cntt"), and the names of the groups above them.

    `uncertain` are the groups of unreadable files, whose facts are unknown, not missing.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    groups: frozenset[str] = frozenset()
    uncertain: frozenset[str] = frozenset()

    def fill(self, text: str) -> tuple[str, list[Fault]]:
        """Return `text` with its references replaced by their values, and the faults of the others."""
        faults: list[Fault] = []

        def value(match: re.Match[str]) -> str:
            name = re.sub(r"\s+", "", match["path"])
            if name in self.values:
                return self.values[name]
            if ".".join(name.split(".")[:2]) not in self.uncertain:
                faults.append(Fault(self._missing(name), match.start()))
            return match[0]

        filled = _REFERENCE.sub(value, text)
        rest = _REFERENCE.sub(lambda match: " " * len(match[0]), text)
        faults.extend(
            Fault(Message("fact_half", half=match[0]), match.start()) for match in _LEFT_OPEN.finditer(rest)
        )
        return filled, faults

    def _missing(self, name: str) -> Message:
        if name in self.groups:
            return Message("fact_group", name=name)
        return Message("unknown_fact", name=name, hint=did_you_mean(name, self.values))


def references(text: str) -> frozenset[str]:
    """Return the full names of the facts that a text refers to."""
    return frozenset(re.sub(r"\s+", "", match["path"]) for match in _REFERENCE.finditer(text))


def is_about_facts(file: str) -> bool:
    """Return whether a file of `facts/` tells about the facts of the one beside it, and has none itself."""
    return file.endswith(META_SUFFIXES)


def load_facts(files: Mapping[str, Path], known: Known, problems: list[Problem]) -> Facts:
    """Return the facts of `files` (paths by their names in problems); a file's stem is its first key.

    What is told about them must name facts, groups and offices that there are.
    """
    about = {file: path for file, path in files.items() if is_about_facts(file)}
    facts = _load_values({file: path for file, path in files.items() if file not in about}, problems)
    for file, path in about.items():
        _check_reviews(file, path, facts, known, problems)
    return facts


def _check_reviews(file: str, path: Path, facts: Facts, known: Known, problems: list[Problem]) -> None:
    """Add the problems of a `NAME.meta.yml`: each item names a fact, or a group, of `NAME.yml`, once."""
    place = read_yaml(path, file, problems)
    if place is None:
        return
    root = f"facts.{PurePosixPath(file).name.split('.meta.')[0]}"
    own = {name for name in (*facts.values, *facts.groups) if f"{name}.".startswith(f"{root}.")}
    first: dict[str, Place] = {}
    for entry in read_list(FactReviewRecord, place.marked.data, place, problems):
        name = entry.record.name
        if name in first:
            where = Message("line", line=first[name].line("name"))
            problems.append(entry.place.problem(Message("facts_told_twice", name=name, where=where), "name"))
        first.setdefault(name, entry.place)
        if name not in own and root not in facts.uncertain:
            message = Message("told_of_no_fact", name=name, root=root, hint=did_you_mean(name, own))
            problems.append(entry.place.problem(message, "name"))
        known.check_owner(entry.record.owner, entry.place, problems)


def _load_values(files: Mapping[str, Path], problems: list[Problem]) -> Facts:
    found = _Collection(problems)
    uncertain: set[str] = set()
    stems: dict[str, str] = {}
    for file, path in files.items():
        root = f"facts.{path.stem}"
        if path.stem in stems:
            problems.append(Problem(file, Message("facts_same_name", other=stems[path.stem])))
        stems[path.stem] = file
        place = read_yaml(path, file, problems)
        if place is None:
            uncertain.add(root)
        elif isinstance(place.marked.data, dict):
            found.add(place.marked.data, root, place)
        elif place.marked.data is not None:
            problems.append(place.problem(Message("facts_not_mapping")))
            uncertain.add(root)
    return Facts(found.values, frozenset(found.groups), frozenset(uncertain))


class _Collection:
    """Collects facts group by group."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.values: dict[str, str] = {}
        self.groups: set[str] = {"facts"}

    def add(self, node: Mapping[str, object], prefix: str, place: Place) -> None:
        self.groups.add(prefix)
        for key, value in node.items():
            name, here = f"{prefix}.{key.strip()}", place.at(key)
            if isinstance(value, dict):
                self.add(value, name, here)
            elif isinstance(value, str) and clean_line(value):
                self.values[name] = clean_line(value)
            else:
                fault = "fact_is_list" if isinstance(value, list) else "fact_is_empty"
                self.problems.append(here.problem(Message(fault, name=name)))
                self.values[name] = ""
