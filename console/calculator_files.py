"""The calculators of a knowledge folder (`calculators/*.yml`), each the lines from its "- " to the next one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from console.faq_files import EntryText, entries_in, slug_of
from console.knowledge_files import (
    ConflictError,
    Edit,
    PerFile,
    YamlFiles,
    broken,
    content_hash,
    read_text,
    text_and_hash,
)
from console.yaml_places import read
from console.yaml_text import YamlTextError
from rag.calculators.expressions import ExpressionError, constant_facts, constants, picked_facts
from rag.ingest.calculators import expressions
from rag.ingest.schema import CalculatorRecord
from rag.messages import Message

FOLDER = "calculators"

# A fact's full name begins so, and the console's addresses have both.
_ID = re.compile(r"(?!facts\.)\w[\w.-]{0,99}")


@dataclass(frozen=True, slots=True)
class CalculatorText:
    """A calculator in its file; `record` is None when its text is faulty."""

    entry: EntryText
    record: CalculatorRecord | None


@dataclass(frozen=True, slots=True)
class Used:
    """The facts that a calculator uses: `named` by full name, `picked` by paths with None for a value."""

    named: Set[str]
    picked: Set[tuple[str | None, ...]]

    def has(self, name: str, path: Sequence[str]) -> bool:
        """Return whether it uses a fact with this full name and path, its file first."""
        return name in self.named or any(
            len(each) == len(path)
            and all(wanted in (None, given) for wanted, given in zip(each, path, strict=True))
            for each in self.picked
        )


class CalculatorFiles:
    """The calculators of the knowledge folder `knowledge`."""

    def __init__(self, knowledge: Path) -> None:
        self._knowledge = knowledge
        self._yaml = YamlFiles(knowledge, FOLDER, _calculators_in)
        self._facts = PerFile(_facts_of)

    def calculators(self) -> Sequence[CalculatorText]:
        """Return all calculators, file by file. Raises KnowledgeFileError."""
        return self._yaml.parts()

    def calculator(self, calculator_id: str) -> CalculatorText | None:
        """Return a calculator; None when there is none. Raises KnowledgeFileError."""
        return next((each for each in self.calculators() if each.entry.id == calculator_id), None)

    def facts(self) -> Mapping[str, Used]:
        """Return the facts that each calculator uses. Raises KnowledgeFileError."""
        return {name: used for of_file in self._facts.of(self._yaml.by_file()) for name, used in of_file}

    def changed_in(self, contents: Mapping[str, bytes | None]) -> Set[str]:
        """Return the ids of calculators that other contents of some files add or change. Raises KnowledgeFileError."""
        known = {each.entry.id: each.entry.version for each in self.calculators()}
        return {
            entry.id
            for file, content in contents.items()
            if content is not None and file.startswith(f"{FOLDER}/")
            for entry in entries_in(file, content.decode(errors="replace"))
            if known.get(entry.id) != entry.version
        }

    def naming(self, dimension: str, value: str) -> Sequence[EntryText]:
        """Return the calculators of a dimension that have a rule of their own for a value, by its id.

        Raises KnowledgeFileError.
        """
        return [
            each.entry
            for each in self.calculators()
            if each.record is not None and _names(each.record, dimension, value)
        ]

    def added(self, text: str) -> tuple[Edit, str]:
        """Return the edit that adds a calculator with its id; it stands at the end of the file with most of its topic.

        Raises YamlTextError, KnowledgeFileError.
        """
        text, data = _one(text)
        calculator_id, topic = self._free(data), str(data.get("topic") or "")
        files = Counter(
            each.entry.file
            for each in self.calculators()
            if str(each.entry.record.get("topic") or "") == topic
        )
        file = max(files, key=files.__getitem__) if files else f"{FOLDER}/{slug_of(topic)}.yml"
        before, made_from = text_and_hash(self._knowledge / file)
        head = f"{before.rstrip()}\n\n" if before.strip() else ""
        return Edit(file, f"{head}{text}\n", made_from), calculator_id

    def replaced(self, calculator_id: str, version: str, text: str) -> tuple[Edit, str]:
        """Return the edit that puts `text` in the place of a calculator that was seen at `version`, and its id.

        The text must be one calculator; another id, which no calculator has, is its new one. Raises ConflictError,
        YamlTextError, KnowledgeFileError.
        """
        entry = self._seen(calculator_id, version)
        text, data = _one(text)
        new_id = calculator_id if data.get("id") == calculator_id else self._free(data)
        return self._with_lines(entry, [text]), new_id

    def removed(self, calculator_id: str, version: str) -> Edit:
        """Return the edit that takes away a calculator that was seen at `version`; a file without any goes.

        Raises ConflictError, KnowledgeFileError.
        """
        return self._with_lines(self._seen(calculator_id, version), [])

    def _seen(self, calculator_id: str, version: str) -> EntryText:
        known = self.calculator(calculator_id)
        if known is None or known.entry.version != version:
            raise ConflictError(calculator_id, known.entry.text if known is not None else "")
        return known.entry

    def _free(self, data: Mapping[str, Any]) -> str:
        """Return the new id of a calculator. Raises YamlTextError."""
        new_id = str(data.get("id") or "")
        if not _ID.fullmatch(new_id):
            raise YamlTextError(Message("calculator_no_id", id=new_id))
        if self.calculator(new_id) is not None:
            raise YamlTextError(Message("calculator_id_taken", id=new_id))
        return new_id

    def _with_lines(self, entry: EntryText, made: Sequence[str]) -> Edit:
        """Return the edit that puts lines in the place of a calculator."""
        before = read_text(self._knowledge / entry.file)
        lines = before.split("\n")
        end = entry.start + len(entry.lines)
        while not made and end < len(lines) - 1 and not lines[end].strip():
            end += 1
        after = "\n".join([*lines[: entry.start], *made, *lines[end:]])
        return Edit(entry.file, after if after.strip() else None, content_hash(before))


def _one(text: str) -> tuple[str, Mapping[str, Any]]:
    """Return the text of one calculator, cleaned, and its data. Raises YamlTextError."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    data = read(text)
    if not isinstance(data, list) or len(data) != 1 or not isinstance(data[0], dict):
        raise YamlTextError(Message("calculator_not_one"))
    return text, data[0]


def _calculators_in(file: str, content: str) -> Iterator[CalculatorText]:
    """Yield the calculators of a file. Raises KnowledgeFileError."""
    try:
        data = read(content)
    except YamlTextError as error:
        raise broken(file, content, error) from error
    for entry, each in zip(entries_in(file, content), data or (), strict=True):
        yield CalculatorText(entry, _record(each))


def _record(data: object) -> CalculatorRecord | None:
    try:
        return CalculatorRecord.model_validate(data)
    except ValidationError:
        return None  # `covan index` and a try-out say what is wrong


def _names(record: CalculatorRecord, dimension: str, value: str) -> bool:
    of = {each.dimension for each in record.inputs.values()}
    if dimension not in of and (record.compare is None or record.compare.over != dimension):
        return False
    for text, _, _ in expressions(record):
        with suppress(ExpressionError):
            if value in constants(text):
                return True
    return False


def _facts_of(calculators: Sequence[CalculatorText]) -> Sequence[tuple[str, Used]]:
    return [(each.entry.id, _facts_in(each.record)) for each in calculators if each.record is not None]


def _facts_in(record: CalculatorRecord) -> Used:
    names: set[str] = set()
    picked: set[tuple[str | None, ...]] = set()
    for text, _, _ in expressions(record):
        try:
            names |= constant_facts(text)
            picked |= picked_facts(text)
        except ExpressionError:
            continue
    return Used(names, picked)
