"""The facts of a knowledge folder (`facts/*.yml`): where each stands, what is noted beside it, and who uses it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from console.calculator_files import CalculatorFiles, Used
from console.fact_reviews import FOLDER, FactReviews, groups_of
from console.faq_files import EntryText, FaqFiles, use_of
from console.knowledge_files import (
    ConflictError,
    Edit,
    InUseError,
    PerFile,
    YamlFiles,
    broken,
    content_hash,
    read_text,
    text_and_hash,
)
from console.reviews import Review
from console.yaml_places import comment_at, read, with_comment, with_values, without_field
from rag.ingest.cleaning import clean_line
from rag.ingest.facts import is_about_facts, references
from rag.ingest.marked_yaml import Location, Marked, MarkedYamlError, parse


@dataclass(frozen=True, slots=True)
class FactText:
    """A fact in its file: `name` is its full name, `line` counts from 1, `note` is the comment on it or its group."""

    name: str
    value: str
    file: str
    line: int
    note: str
    location: Location

    @property
    def path(self) -> Sequence[str]:
        """The keys from its file on."""
        return [self.name.split(".")[1], *map(str, self.location)]


@dataclass(frozen=True, slots=True)
class Uses:
    """Who uses the facts: FAQ entries by the full name of the fact, and what each calculator uses, by its id."""

    entries: Mapping[str, Sequence[EntryText]]
    by_calculator: Mapping[str, Used]

    def calculators(self, fact: FactText) -> Sequence[str]:
        """Return the ids of the calculators that use a fact."""
        path = fact.path
        return [each for each, used in self.by_calculator.items() if used.has(fact.name, path)]


class FactFiles:
    """The facts of the knowledge folder `knowledge`."""

    def __init__(self, knowledge: Path, faq: FaqFiles, calculators: CalculatorFiles) -> None:
        self._knowledge = knowledge
        self._faq = faq
        self._calculators = calculators
        self.reviews = FactReviews(knowledge)
        self._yaml = YamlFiles(knowledge, FOLDER, _facts_in)
        self._used = PerFile(_used)

    def facts(self) -> Sequence[FactText]:
        """Return all facts, file by file. Raises KnowledgeFileError."""
        return self._yaml.parts()

    def fact(self, name: str) -> FactText | None:
        """Return a fact by its full name; None when there is none. Raises KnowledgeFileError."""
        return next((fact for fact in self.facts() if fact.name == name), None)

    def uses(self) -> Uses:
        """Return who uses the facts. Raises KnowledgeFileError."""
        entries: dict[str, list[EntryText]] = {}
        for name, entry in itertools.chain.from_iterable(self._used.of(self._faq.by_file())):
            entries.setdefault(name, []).append(entry)
        return Uses(entries, self._calculators.facts())

    def users_of_changed(self, contents: Mapping[str, bytes | None]) -> Set[str]:
        """Return the ids of calculators that use a fact which other contents of some files change.

        Raises KnowledgeFileError.
        """
        before = {fact.name: fact for fact in self.facts() if fact.file in contents}
        after = {
            fact.name: fact
            for file, content in contents.items()
            if content is not None and file.startswith(f"{FOLDER}/")
            for fact in _facts_in(file, content.decode(errors="replace"))
        }
        uses = self.uses()
        return {
            calculator
            for name, fact in {**before, **after}.items()
            if (known := before.get(name)) is None or name not in after or known.value != fact.value
            for calculator in uses.calculators(fact)
        }

    def changed(self, name: str, seen: tuple[str, str], value: str, note: str) -> Edit:
        """Return the edit of a fact that was seen with a value and a note; a note other than seen becomes its comment.

        Raises ConflictError, KnowledgeFileError, YamlTextError.
        """
        fact = self.fact(name)
        if fact is None or (fact.value, fact.note) != seen:
            raise ConflictError(name, _told(fact) if fact is not None else "")
        before = read_text(self._knowledge / fact.file)
        after = with_values(before, fact.location[:-1], {str(fact.location[-1]): value})
        if note != fact.note:
            after = with_comment(after, fact.line, note)
        return Edit(fact.file, after, content_hash(before))

    def changed_together(self, changes: Sequence[tuple[str, str, str]]) -> Sequence[Edit]:
        """Return the edits that give several facts other values, one a file: name, value as it was seen, new value.

        Raises ConflictError, KnowledgeFileError, YamlTextError.
        """
        known = {fact.name: fact for fact in self.facts()}
        after: dict[str, str] = {}
        before: dict[str, str] = {}
        for name, seen, value in changes:
            fact = known.get(name)
            if fact is None or fact.value != seen:
                raise ConflictError(name, _told(fact) if fact is not None else "")
            if fact.file not in after:
                before[fact.file] = after[fact.file] = read_text(self._knowledge / fact.file)
            new = {str(fact.location[-1]): value}
            after[fact.file] = with_values(after[fact.file], fact.location[:-1], new)
        return [Edit(file, content, content_hash(before[file])) for file, content in after.items()]

    def added(self, name: str, value: str) -> Edit:
        """Return the edit that adds a fact; its file and the groups of its full name are made when they are not there.

        Raises ConflictError when it is there already; KnowledgeFileError, YamlTextError.
        """
        known = self.facts()
        taken = next((fact for fact in known if fact.name == name or fact.name.startswith(f"{name}.")), None)
        if taken is not None:
            raise ConflictError(taken.name, _told(taken))
        root, *keys = name.split(".")[1:]
        of_file = [fact for fact in known if fact.path[0] == root]
        depth = max((_common(fact.location[:-1], keys[:-1]) for fact in of_file), default=0)
        made: Any = value
        for key in reversed(keys[depth + 1 :]):
            made = {key: made}
        # A file without facts may have comments; without a file, one is made.
        paths = (path.relative_to(self._knowledge) for path in self._yaml.paths() if path.stem == root)
        file = next((path.as_posix() for path in paths), f"{FOLDER}/{root}.yml")
        before, made_from = text_and_hash(self._knowledge / file)
        return Edit(file, with_values(before, tuple(keys[:depth]), {keys[depth]: made}), made_from)

    def removed(self, name: str, seen: tuple[str, str]) -> Sequence[Edit]:
        """Return the edits that take away a fact that was seen with a value and a note, with what is told about it.

        A file without any facts goes.

        Raises ConflictError, InUseError while an entry or a calculator uses it, KnowledgeFileError, YamlTextError.
        """
        fact = self.fact(name)
        if fact is None or (fact.value, fact.note) != seen:
            raise ConflictError(name, _told(fact) if fact is not None else "")
        uses = self.uses()
        users = [use_of("entry", entry) for entry in uses.entries.get(name, ())]
        by_id = {each.entry.id: each.entry for each in self._calculators.calculators()}
        users += [use_of("calculator", by_id[each]) for each in uses.calculators(fact)]
        if users:
            raise InUseError(name, users)
        before = read_text(self._knowledge / fact.file)
        after = without_field(before, fact.location)
        edit = Edit(fact.file, after if read(after) or "#" in after else None, content_hash(before))
        left = {each for fact in self.facts() if fact.name != name for each in groups_of(fact.name)}
        return [edit, *self.reviews.without({*groups_of(name)} - left)]

    def reviewed(self, name: str, seen: Review, new: Review) -> Edit:
        """Return the edit that tells who is in charge of a fact, or of a group, and when it was last reviewed.

        Raises ConflictError when something else is told than was seen, or there is no such fact; KnowledgeFileError,
        YamlTextError.
        """
        fact = next((each for each in self.facts() if f"{each.name}.".startswith(f"{name}.")), None)
        if fact is None:
            raise ConflictError(name, "")
        return self.reviews.changed(name, fact.file, seen, new)


def _used(entries: Sequence[EntryText]) -> Sequence[tuple[str, EntryText]]:
    """Return the names of the facts that entries use, each with its entry."""
    return [(name, entry) for entry in entries for name in references(str(entry.record.get("answer") or ""))]


def _facts_in(file: str, content: str) -> Iterator[FactText]:
    """Yield the facts of a file. Raises KnowledgeFileError."""
    if is_about_facts(file):
        return
    try:
        marked = parse(content)
    except MarkedYamlError as error:
        raise broken(file, content, error) from error
    yield from _Walk(file, content, marked).facts((), f"facts.{PurePosixPath(file).stem}", "")


@dataclass(frozen=True, slots=True)
class _Walk:
    """Collects the facts of one file."""

    file: str
    content: str
    marked: Marked

    def facts(self, location: Location, name: str, note: str) -> Iterator[FactText]:
        node: object = self.marked.data
        for part in location:
            assert isinstance(node, dict)
            node = node[part]
        if isinstance(node, dict):
            for key in node:
                here = (*location, key)
                line = self.marked.line(here)
                # A mapping on one line has one comment for all of it.
                own = comment_at(self.content, line)
                yield from self.facts(here, f"{name}.{key.strip()}", own or note)
        elif isinstance(node, str):
            yield FactText(name, clean_line(node), self.file, self.marked.line(location), note, location)


def _common(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the number of keys that two ways have in common at their beginning."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _told(fact: FactText) -> str:
    return f"{fact.value}  # {fact.note}" if fact.note else fact.value
