"""The calculators of a knowledge folder (`calculators/*.yml`), each the lines from its "- " to the next one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from console.faq_files import EntryText, entries_in
from console.knowledge_files import (
    ConflictError,
    Edit,
    KnowledgeFileError,
    YamlFiles,
    content_hash,
    read_text,
)
from console.yaml_places import read
from console.yaml_text import YamlTextError
from rag.calculators.expressions import ExpressionError, constant_facts, picked_facts
from rag.ingest.calculators import expressions
from rag.ingest.schema import CalculatorRecord

FOLDER = "calculators"


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

    def calculators(self) -> Sequence[CalculatorText]:
        """Return all calculators, file by file. Raises KnowledgeFileError."""
        return self._yaml.parts()

    def calculator(self, calculator_id: str) -> CalculatorText | None:
        """Return a calculator; None when there is none. Raises KnowledgeFileError."""
        return next((each for each in self.calculators() if each.entry.id == calculator_id), None)

    def facts(self) -> Mapping[str, Used]:
        """Return the facts that each calculator uses. Raises KnowledgeFileError."""
        return {
            each.entry.id: _facts_in(each.record) for each in self.calculators() if each.record is not None
        }

    def replaced(self, calculator_id: str, version: str, text: str) -> Edit:
        """Return the edit that puts `text` in the place of a calculator that was seen at `version`.

        The text must be one calculator with the same id. Raises ConflictError, YamlTextError, KnowledgeFileError.
        """
        known = self.calculator(calculator_id)
        if known is None or known.entry.version != version:
            raise ConflictError(calculator_id, known.entry.text if known is not None else "")
        text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
        data = read(text)
        ids = (
            [each.get("id") if isinstance(each, dict) else None for each in data]
            if isinstance(data, list)
            else []
        )
        if ids != [calculator_id]:
            raise YamlTextError(
                f"the text must be one calculator that begins with `- id: {calculator_id}`; its id stays"
            )
        before = read_text(self._knowledge / known.entry.file)
        lines = before.split("\n")
        start, end = known.entry.start, known.entry.start + len(known.entry.lines)
        return Edit(known.entry.file, "\n".join([*lines[:start], text, *lines[end:]]), content_hash(before))


def _calculators_in(file: str, content: str) -> Iterator[CalculatorText]:
    """Yield the calculators of a file. Raises KnowledgeFileError."""
    try:
        data = read(content)
    except YamlTextError as error:
        raise KnowledgeFileError(f"{file}: {error}") from error
    for entry, each in zip(entries_in(file, content), data or (), strict=True):
        yield CalculatorText(entry, _record(each))


def _record(data: object) -> CalculatorRecord | None:
    try:
        return CalculatorRecord.model_validate(data)
    except ValidationError:
        return None  # `covan index` and a try-out say what is wrong


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
