"""The check of a knowledge folder with an edit, before anything is written: in a copy, as a build checks it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from pathlib import Path

from console.faq_files import FOLLOW_UPS_FILE
from console.knowledge_files import InUseError
from console.replaced_file import write_contents
from console.uses import Gone, UseFinder
from rag.errors import KnowledgeError, Problem
from rag.index.format import Index
from rag.ingest.follow_ups import load_follow_ups
from rag.ingest.load import Curated, Knowledge, load_curated, load_faq, load_knowledge
from rag.ingest.query_rules import RULES_FILE
from rag.types import FaqEntry, QueryRule

_CHECKED = ("catalog.yml", "topics.yml", "glossary.yml", "facts", "faq", RULES_FILE)
"""The parts of a knowledge folder that an edited FAQ is checked against."""

_CURATED = (*_CHECKED, "calculators")
"""The parts that an edited fact or calculator is checked against."""


class CheckedFolder:
    """Reads a knowledge folder with other contents of some files; None takes a file away."""

    def __init__(self, knowledge: Path, uses: UseFinder) -> None:
        self._knowledge = knowledge
        self._uses = uses

    def faq(
        self, contents: Mapping[str, bytes | None], before: Index
    ) -> tuple[tuple[FaqEntry, ...], tuple[QueryRule, ...]]:
        """Return the FAQ and the query rules. Raises KnowledgeError with every problem."""
        with self._staged(contents, _CHECKED) as staged:
            faq, rules = load_faq(staged, _documents(before))
            _check_follow_ups(staged, faq)
            return faq, rules

    def curated(self, contents: Mapping[str, bytes | None], calculators: Set[str], before: Index) -> Curated:
        """Return FAQ, calculators and facts; calculators with these ids are tried out. Raises KnowledgeError."""
        with self._staged(contents, _CURATED) as staged:
            curated = load_curated(staged, _documents(before), calculators)
            _check_follow_ups(staged, curated.faq)
            return curated

    @contextmanager
    def _staged(self, contents: Mapping[str, bytes | None], parts: Sequence[str]) -> Iterator[Path]:
        """Yield a copy of some parts of the folder with other contents of some files."""
        with tempfile.TemporaryDirectory(prefix="covan-console-") as folder:
            staged = Path(folder)
            for name in parts:
                source = self._knowledge / name
                if source.is_dir():
                    shutil.copytree(source, staged / name)
                elif source.is_file():
                    shutil.copy(source, staged / name)
            write_contents(staged, contents)
            yield staged

    def whole(self, contents: Mapping[str, bytes | None], calculators: Set[str] | None = None) -> Knowledge:
        """Return the whole folder. Raises KnowledgeError.

        Calculators with these ids are tried out; None: all.
        """
        with tempfile.TemporaryDirectory(prefix="covan-console-") as folder:
            staged = Path(folder) / "knowledge"
            self.stage(staged, contents)
            return load_knowledge(staged, calculators)

    def stage(self, staged: Path, contents: Mapping[str, bytes | None]) -> None:
        """Make a folder with links to all files, and other contents of some."""
        hidden = shutil.ignore_patterns(".*")
        shutil.copytree(self._knowledge, staged, ignore=hidden, copy_function=os.symlink)
        write_contents(staged, contents)

    def whole_without(
        self,
        gone: Iterable[Gone],
        contents: Mapping[str, bytes | None],
        calculators: Set[str] | None = frozenset(),
    ) -> Knowledge:
        """Return the whole folder; nothing may name what is `gone` any longer.

        `calculators` are tried out as in `whole`. Raises KnowledgeError, InUseError.
        """
        gone = list(gone)
        try:
            knowledge = self.whole(contents, calculators)
        except KnowledgeError as error:
            self._refuse_uses(gone, error.problems)
            raise
        self._refuse_uses(gone, knowledge.warnings)
        return knowledge

    def _refuse_uses(self, gone: Iterable[Gone], problems: Sequence[Problem]) -> None:
        for each in gone:
            if uses := self._uses.uses(each, problems):
                raise InUseError(each.id, uses)


def _check_follow_ups(staged: Path, faq: Sequence[FaqEntry]) -> None:
    """Raises KnowledgeError when an edit makes follow-ups that the build would refuse; unknown ids are warnings."""
    path, problems = staged / FOLLOW_UPS_FILE, list[Problem]()
    if path.exists():
        load_follow_ups({FOLLOW_UPS_FILE: path}, {entry.id for entry in faq}, problems, [])
    if problems:
        raise KnowledgeError(problems)


def _documents(index: Index) -> Set[str]:
    """Return the ids of documents that a source may name."""
    cited = {source.document for entry in index.faq for source in entry.sources}
    cited |= {source.document for calculator in index.calculators for source in calculator.sources}
    return cited | {passage.document_id for passage in index.passages}
