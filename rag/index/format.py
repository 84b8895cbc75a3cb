"""The parts of an index, and the folder of files in which one version of it is stored.

The files are manifest.json, passages.jsonl, materials.json, faq.jsonl, query_rules.json, calculators.jsonl, facts.json,
dictionaries.json, follow_ups.json, rows.json, vectors (FAISS; questions.faiss has those of generated questions), term
indexes (BM25), entries.npz (the entry classifier), and reading.json and intents.npz for reading messages.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from rag.calculators.calculator import Calculator
from rag.errors import IndexUnusableError, Problem
from rag.graph.merges import Merged
from rag.graph.store import GraphError, GraphStore
from rag.graph.stores import open_graph, write_graph
from rag.index.dense import FaissIndex
from rag.index.lexical import TextIndex
from rag.retrieve.embedder import Embedder
from rag.types import FaqEntry, FollowUp, Passage, QueryRule
from school.catalog import Catalog, GlossaryEntry, Topic
from school.kernel_classifier import KernelClassifier
from school.reading_knowledge import ReadingKnowledge

logger = logging.getLogger(__name__)

FORMAT = 14

READING_FILE, CLASSIFIER_FILE = "reading.json", "intents.npz"
"""The files of a version that Rasa's process reads messages with, too."""

_ENTRY_CLASSIFIER_FILE = "entries.npz"


@dataclass(frozen=True, slots=True)
class Dictionaries:
    """The school's catalogue, topics and glossary with which the index was built."""

    catalog: Catalog
    topics: tuple[Topic, ...]
    glossary: tuple[GlossaryEntry, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The origin of an index: its sources, model, code and counts.

    `uncurated_hash` is of the source's files without the parts that need no early version (`rag.ingest.build.CURATED`).
    """

    version: str
    format: int
    model: str
    dimension: int
    source_hash: str
    built_at: str
    documents: int
    passages: int
    faq: int
    nodes: int = 0
    edges: int = 0
    uncurated_hash: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """An opened index.

    `article_rows[i]` is the article of passage i; `faq_texts` are the phrasings, `faq_rows[i]` the entries of
    phrasing i, and likewise `calculator_texts` and `calculator_rows`. `facts` are the school's, by full name.
    `entry_classifier` tells the family of entries that a question asks for (`rag.retrieve.entry_classifier`).
    `faq_generated` are the places of the phrasings that a language model has written, `question_rows[i]` the passage
    that answers its question i; they are for retrieval, their texts reach no reply.
    `reading` and `classifier` (None: untrained) are for reading messages. `graph` is the knowledge graph to write with
    its merges, and with the `graph_reports` of what was left out of it; `store` the opened one, None with a
    `graph_fault` when it cannot be used. `materials` are the passages of study materials, which are not searched.
    `follow_ups` are what students type next, their sentence vectors `follow_up_vectors`; entries of theirs may be gone.
    """

    manifest: Manifest
    passages: tuple[Passage, ...]
    faq: tuple[FaqEntry, ...]
    dictionaries: Dictionaries
    passage_vectors: FaissIndex
    passage_terms: TextIndex
    article_rows: tuple[int, ...]
    article_terms: TextIndex
    faq_texts: tuple[str, ...]
    faq_rows: tuple[tuple[int, ...], ...]
    faq_vectors: FaissIndex
    faq_terms: TextIndex
    reading: ReadingKnowledge
    faq_generated: frozenset[int] = frozenset()
    question_rows: tuple[int, ...] = ()
    question_vectors: FaissIndex | None = None
    rules: tuple[QueryRule, ...] = ()
    calculators: tuple[Calculator, ...] = ()
    calculator_texts: tuple[str, ...] = ()
    calculator_rows: tuple[int, ...] = ()
    calculator_vectors: FaissIndex | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    classifier: KernelClassifier | None = None
    entry_classifier: KernelClassifier | None = None
    graph: Merged | None = None
    graph_reports: tuple[Problem, ...] = ()
    store: GraphStore | None = None
    graph_fault: str = ""
    materials: tuple[Passage, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    follow_up_vectors: FaissIndex | None = None

    @property
    def published(self) -> tuple[Passage, ...]:
        """The passages of all documents: those that are searched, and those of study materials."""
        return (*self.passages, *self.materials)


_PASSAGES = TypeAdapter(Passage)
_MATERIALS = TypeAdapter(tuple[Passage, ...])
_FAQ = TypeAdapter(FaqEntry)
_RULES = TypeAdapter(tuple[QueryRule, ...])
_FOLLOW_UPS = TypeAdapter(tuple[FollowUp, ...])
_CALCULATOR = TypeAdapter(Calculator)
_DICTIONARIES = TypeAdapter(Dictionaries)
_MANIFEST = TypeAdapter(Manifest)


def read_manifest_of(folder: Path) -> Manifest:
    """Return the manifest of the version in `folder`. Raises IndexUnusableError when it cannot be read."""
    path = folder / "manifest.json"
    try:
        return _MANIFEST.validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise IndexUnusableError(f"{path} cannot be read; run `covan index` again") from error


@dataclass(frozen=True, slots=True)
class Stored:
    """An index, and the folder of the version that it is."""

    index: Index
    folder: Path


_PARTS_OF_FAQ = {
    "faq.faiss": "faq_vectors",
    "faq_terms": "faq_terms",
    _ENTRY_CLASSIFIER_FILE: "entry_classifier",
    "calculators.faiss": "calculator_vectors",
}
_PARTS_OF_DOCUMENTS = {
    "passages.faiss": "passage_vectors",
    "passage_terms": "passage_terms",
    "article_terms": "article_terms",
    "questions.faiss": "question_vectors",
    "follow_ups.faiss": "follow_up_vectors",
    CLASSIFIER_FILE: "classifier",
}
"""The parts of an index that write themselves, by their files."""

_OF_FAQ = (
    *("faq.jsonl", "query_rules.json", "rows.json", "calculators.jsonl", "facts.json", "manifest.json"),
    *(READING_FILE, *_PARTS_OF_FAQ),
)
"""The files of a version that an edit of FAQ, query rules, facts or calculators changes."""


def write_faq(index: Index, folder: Path) -> None:
    """Replace the files in `folder` with the FAQ of a version, its calculators and facts.

    They may be links to those of another version.
    """
    for name in _OF_FAQ:
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    _write_faq_files(index, folder)
    _write_manifest(index, folder)


def _write_parts(parts: Mapping[str, str], index: Index, folder: Path, stored: Stored | None = None) -> None:
    for name, attribute in parts.items():
        part = getattr(index, attribute)
        if stored is not None and part is getattr(stored.index, attribute):
            _link(stored.folder / name, folder / name)
        elif part is not None:
            part.save(folder / name)


def _link(path: Path, place: Path) -> None:
    if path.is_dir():
        shutil.copytree(path, place, copy_function=os.link)
    elif path.exists():
        os.link(path, place)


def _write_faq_files(index: Index, folder: Path, stored: Stored | None = None) -> None:
    (folder / "faq.jsonl").write_bytes(b"\n".join(map(_FAQ.dump_json, index.faq)))
    (folder / "query_rules.json").write_bytes(_RULES.dump_json(index.rules))
    (folder / "rows.json").write_text(
        json.dumps(
            [
                index.article_rows,
                index.faq_rows,
                index.faq_texts,
                index.calculator_rows,
                index.calculator_texts,
                sorted(index.faq_generated),
                index.question_rows,
            ]
        ),
        encoding="utf-8",
    )
    _write_parts(_PARTS_OF_FAQ, index, folder, stored)
    (folder / "calculators.jsonl").write_bytes(b"\n".join(map(_CALCULATOR.dump_json, index.calculators)))
    (folder / "facts.json").write_text(json.dumps(dict(index.facts), ensure_ascii=False), encoding="utf-8")
    reading = json.dumps(index.reading.to_json(), ensure_ascii=False)
    (folder / READING_FILE).write_text(reading, encoding="utf-8")


def _write_manifest(index: Index, folder: Path) -> None:
    (folder / "manifest.json").write_text(json.dumps(asdict(index.manifest), indent=2), encoding="utf-8")


def write_index(index: Index, folder: Path, stored: Stored | None = None) -> None:
    """Write all files of one version to the empty folder `folder`; large parts that `stored` has are links to its."""
    (folder / "passages.jsonl").write_bytes(b"\n".join(map(_PASSAGES.dump_json, index.passages)))
    (folder / "materials.json").write_bytes(_MATERIALS.dump_json(index.materials))
    (folder / "follow_ups.json").write_bytes(_FOLLOW_UPS.dump_json(index.follow_ups))
    (folder / "dictionaries.json").write_bytes(_DICTIONARIES.dump_json(index.dictionaries))
    _write_faq_files(index, folder, stored)
    _write_parts(_PARTS_OF_DOCUMENTS, index, folder, stored)
    if index.graph is not None:
        try:
            write_graph(index.graph, list(map(str, index.graph_reports)), folder, index.manifest.version)
        except GraphError as error:
            # The other sources answer without it; `open_graph` and `covan doctor` say that it is missing.
            logger.warning("The index has no knowledge graph: %s", error)
    _write_manifest(index, folder)


def read_index(folder: Path, embedder: Embedder) -> Index:
    """Return the version in `folder`. Raises IndexUnusableError when it cannot be used with this code and model."""
    manifest = read_manifest_of(folder)
    if manifest.format != FORMAT:
        raise IndexUnusableError(
            f"{folder} has format {manifest.format}, this version of Covan reads {FORMAT}; run `covan index` again"
        )
    if (manifest.model, manifest.dimension) != (embedder.name, embedder.dimension):
        raise IndexUnusableError(
            f"{folder} was made by the embedder {manifest.model}, the one in use is {embedder.name}; "
            "run `covan index` again"
        )
    try:
        rows = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
        article_rows, faq_rows, faq_texts, calculator_rows, calculator_texts, generated, questions = rows
        calculators = tuple(map(_CALCULATOR.validate_json, _lines(folder / "calculators.jsonl")))
        follow_ups = _FOLLOW_UPS.validate_json((folder / "follow_ups.json").read_bytes())
        opened = Index(
            manifest=manifest,
            passages=tuple(map(_PASSAGES.validate_json, _lines(folder / "passages.jsonl"))),
            materials=_MATERIALS.validate_json((folder / "materials.json").read_bytes()),
            faq=tuple(map(_FAQ.validate_json, _lines(folder / "faq.jsonl"))),
            dictionaries=_DICTIONARIES.validate_json((folder / "dictionaries.json").read_bytes()),
            passage_vectors=FaissIndex.load(folder / "passages.faiss", manifest.dimension),
            passage_terms=TextIndex.load(folder / "passage_terms"),
            article_rows=tuple(article_rows),
            article_terms=TextIndex.load(folder / "article_terms"),
            faq_texts=tuple(faq_texts),
            faq_rows=tuple(map(tuple, faq_rows)),
            faq_vectors=FaissIndex.load(folder / "faq.faiss", manifest.dimension),
            faq_terms=TextIndex.load(folder / "faq_terms"),
            reading=ReadingKnowledge.from_json(
                json.loads((folder / READING_FILE).read_text(encoding="utf-8"))
            ),
            faq_generated=frozenset(generated),
            question_rows=tuple(questions),
            question_vectors=FaissIndex.load(folder / "questions.faiss", manifest.dimension)
            if questions
            else None,
            rules=_RULES.validate_json((folder / "query_rules.json").read_bytes()),
            calculators=calculators,
            calculator_texts=tuple(calculator_texts),
            calculator_rows=tuple(calculator_rows),
            calculator_vectors=FaissIndex.load(folder / "calculators.faiss", manifest.dimension)
            if calculators
            else None,
            facts=json.loads((folder / "facts.json").read_text(encoding="utf-8")),
            classifier=_classifier(folder / CLASSIFIER_FILE),
            entry_classifier=_classifier(folder / _ENTRY_CLASSIFIER_FILE),
            follow_ups=follow_ups,
            follow_up_vectors=FaissIndex.load(folder / "follow_ups.faiss", manifest.dimension)
            if follow_ups
            else None,
        )
        opened_graph = open_graph(folder, manifest.version, is_expected=manifest.nodes > 0)
        opened = replace(opened, store=opened_graph.store, graph_fault=opened_graph.fault)
    except (OSError, ValueError, TypeError, KeyError, EOFError) as error:
        raise IndexUnusableError(f"{folder} is damaged ({error}); run `covan index` again") from error
    if not _belong_together(opened):
        raise IndexUnusableError(f"{folder} has files that do not belong together; run `covan index` again")
    return opened


def _belong_together(index: Index) -> bool:
    """Return whether the counts of all parts agree: otherwise a row would lead to a wrong passage."""
    return (
        (index.manifest.passages, index.manifest.faq) == (len(index.passages), len(index.faq))
        and {len(index.passages)}
        == {len(index.article_rows), index.passage_vectors.count, *index.passage_terms.counts}
        and {len(set(index.article_rows))} == set(index.article_terms.counts)
        and len(index.calculator_texts)
        == len(index.calculator_rows)
        == (index.calculator_vectors.count if index.calculator_vectors else 0)
        and len(index.follow_ups) == (index.follow_up_vectors.count if index.follow_up_vectors else 0)
        and len(index.question_rows) == (index.question_vectors.count if index.question_vectors else 0)
        and all(0 <= row < len(index.passages) for row in index.question_rows)
        and {len(index.faq_texts)} == {len(index.faq_rows), index.faq_vectors.count, *index.faq_terms.counts}
    )


def _classifier(path: Path) -> KernelClassifier | None:
    return KernelClassifier.load(path) if path.is_file() else None


def _lines(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().split(b"\n") if line]
