"""The places of a knowledge folder that stand in the way of taking a topic or a value of the catalogue away.

The build's own check finds them: each names what would be gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from console.calculator_files import CalculatorFiles
from console.dictionary_files import DictionaryFiles
from console.document_files import FOLDER as DOCUMENTS
from console.document_files import DocumentFiles
from console.faq_files import EntryText, FaqFiles, use_of
from console.knowledge_files import Use, UseKind
from rag.errors import Problem
from rag.messages import Message
from school.dimensions import AppliesTo
from school.intents import intent_of

TOPIC = "topic"


@dataclass(frozen=True, slots=True)
class Gone:
    """The topic, or the value of the section `kind` of the catalogue, whose id would be gone."""

    kind: str
    id: str

    def is_named_by(self, problem: Problem) -> bool:
        """Return whether a problem or warning of the folder without it comes from that."""
        message = problem.message
        if not isinstance(message, Message):
            return False
        said = message.values
        if message.key == "unknown_id":
            return (said["kind"], said["value"]) == (self.kind, self.id)
        if message.key == "unknown_intent":
            return self.kind == TOPIC and said["intent"] == intent_of(self.id)
        if message.key == "empty_range":
            admitted = AppliesTo({self.kind: (str(said["range"]),)})
            return said["kind"] == self.kind and admitted.admits(self.kind, self.id)
        return False


class UseFinder:
    """Tells which entry, calculator, document or topic stands at a place."""

    def __init__(
        self,
        faq: FaqFiles,
        calculators: CalculatorFiles,
        documents: DocumentFiles,
        dictionaries: DictionaryFiles,
    ) -> None:
        self._faq = faq
        self._calculators = calculators
        self._documents = documents
        self._dictionaries = dictionaries

    def uses(self, gone: Gone, problems: Iterable[Problem]) -> Sequence[Use]:
        """Return the uses of what would be gone, each once. Raises KnowledgeFileError."""
        found = [self._at(each) for each in problems if gone.is_named_by(each)]
        found += [use_of("calculator", entry) for entry in self._calculators.naming(gone.kind, gone.id)]
        return list(dict.fromkeys(found))

    def _at(self, problem: Problem) -> Use:
        lists: tuple[tuple[UseKind, Callable[[], Sequence[EntryText]]], ...] = (
            ("entry", self._faq.entries),
            ("calculator", lambda: [each.entry for each in self._calculators.calculators()]),
            ("topic", self._dictionaries.topics),
        )
        for kind, read in lists:
            for entry in read():
                if entry.file == problem.file and 0 < (problem.line or 0) - entry.start <= len(entry.lines):
                    return use_of(kind, entry)
        if problem.file.startswith(f"{DOCUMENTS}/"):
            for path in self._documents.paths():
                if self._documents.is_of(path, problem.file):
                    ids = sorted(self._documents.ids_in(path)) or [path.stem]
                    return Use("document", ids[0], ids[0], problem.file, problem.line)
        return Use("file", problem.file, problem.file, problem.file, problem.line)
