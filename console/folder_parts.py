"""The parts of a knowledge folder by the ids that conflicts have: entries, facts, documents, topics and others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from console.calculator_files import CalculatorFiles
from console.dictionary_files import DictionaryFiles
from console.document_files import FOLDER as DOCUMENTS
from console.document_files import DocumentFiles
from console.fact_files import FactFiles
from console.faq_files import FaqFiles
from console.follow_up_file import FollowUpFile
from console.knowledge_files import KnowledgeFileError
from console.query_rule_file import QueryRuleFile
from console.yaml_text import YamlTextError
from rag.ingest.query_rules import RULES_FILE


@dataclass(frozen=True, slots=True)
class FolderParts:
    """Reads the parts of one folder by its files."""

    files: FaqFiles
    rules: QueryRuleFile
    follow_ups: FollowUpFile
    documents: DocumentFiles
    calculators: CalculatorFiles
    facts: FactFiles
    dictionaries: DictionaryFiles

    @classmethod
    def of(cls, knowledge: Path, uploads: Path) -> Self:
        """Return the parts of the folder `knowledge`; uploaded files wait in the folder `uploads`."""
        files, calculators = FaqFiles(knowledge), CalculatorFiles(knowledge)
        return cls(
            files,
            QueryRuleFile(knowledge),
            FollowUpFile(knowledge),
            DocumentFiles(knowledge, uploads),
            calculators,
            FactFiles(knowledge, files, calculators),
            DictionaryFiles(knowledge),
        )

    def within(self, files: Iterable[str]) -> Mapping[str, str] | None:
        """Return the parts in some files of the folder, by the ids that conflicts have, with what each is now.

        Documents are those of the files alone. None when a file cannot be read.
        """
        names = frozenset(files)
        changed = (name for name in names if name.startswith(f"{DOCUMENTS}/"))
        try:
            return {
                **{document: self._document_version(document) for document in self.documents.ids_of(changed)},
                **{each.id: each.version for each in self.files.entries() if each.file in names},
                **{
                    each.entry.id: each.entry.version
                    for each in self.calculators.calculators()
                    if each.entry.file in names
                },
                **{
                    each.name: f"{each.value} {each.note}"
                    for each in self.facts.facts()
                    if each.file in names
                },
                **{each.rule.question: each.version for each in self.rules.rules() if RULES_FILE in names},
                **self.dictionaries.versions(names),
            }
        except (KnowledgeFileError, YamlTextError):
            return None

    def _document_version(self, document_id: str) -> str:
        path = self.documents.file_of(document_id)
        return self.documents.version(path) if path is not None else ""
