"""Build the index of a knowledge folder: its passages and questions, embedded and searchable."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from rag.errors import IndexUnusableError
from rag.graph.merges import Merged
from rag.index.dense import FaissIndex
from rag.index.format import FORMAT, Dictionaries, Index, Manifest
from rag.index.lexical import TextIndex
from rag.index.vectors import Role, ShippedVectors, VectorCache, vector_key
from rag.index.versions import publish, read_manifest
from rag.ingest.build_code import code_hash
from rag.ingest.classifier_cache import ClassifierCache
from rag.ingest.document_texts import (
    DocumentTexts,
    Progress,
    document_texts,
    linked_documents,
    searched_documents,
    vectors,
)
from rag.ingest.generated_texts import NOTHING_GENERATED, Generated, GeneratedTexts
from rag.ingest.generated_wordings import apart, returning
from rag.ingest.load import Knowledge, load_knowledge
from rag.retrieve import entry_classifier
from rag.retrieve.embedder import E5Embedder, Embedder
from rag.settings import settings
from rag.types import FaqEntry
from school.kernel_classifier import Example, Hyperparameters, KernelClassifier
from school.reader import Reader
from school.reading import Reading
from school.sentence_embedder import VectorArray

SHIPPED_VECTORS = "vectors.npz"


CURATED = frozenset({"faq", "facts", "calculators", "query_rules", "checked", "follow_ups"})
"""The parts of a knowledge folder, without ".yml", that need no early version of the index.

`rag.ingest.faq_update` brings them into an index; follow-ups alone wait for the whole build.
"""


def source_hash(source: Path, without: Set[str] = frozenset()) -> str:
    """Return a hash over the names and bytes of all files of a knowledge folder, hidden ones (`.git/`) left out.

    `without` are the folders and files, without their suffix, of the folder's first level that are left out, too.
    """
    digest = sha256()
    for path in sorted(source.rglob("*")):
        relative = path.relative_to(source)
        if Path(relative.parts[0]).stem in without:
            continue
        is_hidden = any(part.startswith(".") for part in relative.parts)
        if path.is_file() and path.name != SHIPPED_VECTORS and not is_hidden:
            content = path.read_bytes()
            digest.update(f"{relative.as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()


class Teaching(Protocol):
    """The training data of the intent and topic classifier; equal fingerprints mean equal data."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def shipped_vectors(self) -> Path:
        """The file with vectors of messages that do not depend on the school."""
        ...

    def messages(self, knowledge: Knowledge) -> Sequence[tuple[str, str]]:
        """Return messages as students type them, each with its intent."""
        ...


def is_current(index: Path, source: Path, embedder: Embedder, teaching: Teaching | None = None) -> bool:
    """Return whether the index was made from just these files, by this model, format and teaching."""
    try:
        manifest = read_manifest(index)
        generated = GeneratedTexts(index).read()
    except IndexUnusableError:
        return False
    return manifest.version == _version(source_hash(source), generated, embedder, teaching)


def early_name(source: str) -> str:
    """Return the name of the version that answers ahead of the build (`rag.ingest.early_version`), by `source_hash`."""
    return f"{source[:16]}-early"


def _version(source: str, generated: Generated, embedder: Embedder, teaching: Teaching | None) -> str:
    code = code_hash(__name__, type(embedder).__module__)
    taught = teaching.fingerprint if teaching else ""
    made_from = (str(FORMAT), embedder.name, settings().graph_store, code, taught, source, generated.stamp)
    return sha256("\0".join(made_from).encode()).hexdigest()[:16]


def build_index(
    source: Path,
    out: Path,
    embedder: Embedder,
    progress: Progress = lambda *_: None,
    teaching: Teaching | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> tuple[Manifest, Knowledge]:
    """Build the index of the knowledge folder `source` in `out` and make it the current one.

    Only texts that were never embedded before are embedded. Texts that a language model has written for retrieval are
    taken from their file in `out`; no model is called. Without `teaching`, messages are read without intents and
    topics. Raises KnowledgeError, with the current index untouched, when the folder has problems.
    """
    progress("read", 0, 1)
    hashed = source_hash(source)
    knowledge = load_knowledge(source)
    generated = GeneratedTexts(out).read()
    version = _version(hashed, generated, embedder, teaching)
    progress("read", 1, 1)
    texts = _texts(knowledge, progress, generated)
    documents = texts.documents
    manifest = Manifest(
        version=version,
        format=FORMAT,
        model=embedder.name,
        dimension=embedder.dimension,
        source_hash=hashed,
        uncurated_hash=source_hash(source, CURATED),
        built_at=now().isoformat(timespec="seconds"),
        documents=len(knowledge.documents),
        passages=len(documents.passages),
        faq=len(knowledge.faq),
    )
    cache = vector_cache(source, out, teaching)
    progress("graph", 0, 1)
    built = linked_documents(knowledge, documents, generated, out)
    progress("graph", 1, 1)
    manifest = replace(manifest, nodes=len(built.graph.nodes), edges=len(built.graph.edges))
    classifiers = ClassifierCache(out / "classifiers.sqlite")
    index = _assemble(manifest, knowledge, texts, cache, classifiers, embedder, progress)
    index = replace(index, graph=Merged(built.graph, built.merges), graph_reports=built.reports)
    if teaching is not None:
        examples = texts.reader.examples(teaching.messages(knowledge), texts.searched)
        index = replace(index, classifier=_learnt(examples, cache, classifiers, progress))
    publish(index, out, early_name(hashed))
    return manifest, knowledge


def vector_cache(source: Path, out: Path, teaching: Teaching | None = None) -> VectorCache:
    """Return the vectors that were made for the index in `out`, or shipped with its knowledge folder."""
    general = [teaching.shipped_vectors] if teaching else []
    return VectorCache(out / "vectors.sqlite", ShippedVectors.load(source / SHIPPED_VECTORS, *general))


def _learnt(
    examples: Sequence[Example], cache: VectorCache, classifiers: ClassifierCache, progress: Progress
) -> KernelClassifier:
    """Train the classifier on examples, always with E5, the embedder of Rasa's process."""
    embedder = E5Embedder()
    texts = [example.embedded for example in examples]
    embedded = _counted(progress, "learn", len(texts) + 1)
    of_examples = vectors(cache, embedder, "query", texts, embedded)
    classifier = classifiers.learn(examples, of_examples, embedder.name, Hyperparameters())
    embedded(1)
    return classifier


def _counted(progress: Progress, step: str, whole: int) -> Callable[[int], None]:
    """Return a function that adds to the work done of a step."""
    done = 0

    def add(more: int) -> None:
        nonlocal done
        done += more
        progress(step, done, whole)

    return add


@dataclass(frozen=True, slots=True)
class _Phrasing:
    """A way to ask for FAQ entries, read as a message is (`Reading.asked`, `Reading.embedded`).

    `rows` are those of its entries. `is_generated`: a language model has written it.
    """

    asked: str
    embedded: str
    rows: tuple[int, ...]
    is_generated: bool = False


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts of an index before embedding.

    `searched` is the method of `reader` that remembers what it has read: the phrasings of the FAQ teach the classifier,
    too. `phrasings` are those of offices, then the generated ones; `follow_ups` are as they
    are embedded.
    """

    documents: DocumentTexts
    reader: Reader
    searched: Callable[[str], Reading]
    phrasings: list[_Phrasing]
    calculations: list[_Phrasing]
    follow_ups: list[str]

    @property
    def asked(self) -> list[str]:
        """All texts that are embedded as messages."""
        return [each.embedded for each in (*self.phrasings, *self.calculations)] + self.follow_ups


def _texts(
    knowledge: Knowledge,
    progress: Progress = lambda *_: None,
    generated: Generated = NOTHING_GENERATED,
) -> _Texts:
    documents = document_texts(knowledge, generated, progress)
    reader = Reader(documents.reading)
    searched = lru_cache(maxsize=None)(reader.searched)
    asked = _phrasings(knowledge.faq, searched)
    asked += _generated_phrasings(knowledge, generated, asked, searched)
    calculations = [
        _Phrasing(said.asked, said.embedded, (row,))
        for row, calculator in enumerate(knowledge.calculators)
        for said in map(searched, (calculator.question, *calculator.variants))
    ]
    follow_ups = [searched(each.said).embedded for each in knowledge.follow_ups]
    return _Texts(documents, reader, searched, asked, calculations, follow_ups)


def _assemble(
    manifest: Manifest,
    knowledge: Knowledge,
    texts: _Texts,
    cache: VectorCache,
    classifiers: ClassifierCache,
    embedder: Embedder,
    progress: Progress,
) -> Index:
    of_documents = texts.documents
    total = len(of_documents.embedded) + len(of_documents.questions)
    embedded = _counted(progress, "embed", total + len(texts.asked))
    documents = searched_documents(of_documents, cache, embedder, embedded)
    all_vectors = vectors(
        cache, embedder, "query", [phrasing.embedded for phrasing in texts.phrasings], embedded
    )
    kept = _kept_phrasings(knowledge.faq, texts.phrasings, all_vectors, embedder.dimension)
    phrasings = [texts.phrasings[place] for place in kept]
    asked, faq_vectors = [phrasing.asked for phrasing in phrasings], all_vectors[kept]
    calculator_vectors = vectors(
        cache, embedder, "query", [phrasing.embedded for phrasing in texts.calculations], embedded
    )
    follow_up_vectors = vectors(cache, embedder, "query", texts.follow_ups, embedded)
    progress("index", 0, 1)
    rows_of = tuple(phrasing.rows for phrasing in phrasings)
    index = Index(
        manifest=manifest,
        passages=documents.passages,
        materials=tuple(of_documents.materials),
        faq=knowledge.faq,
        dictionaries=Dictionaries(knowledge.catalog, knowledge.topics, knowledge.glossary),
        passage_vectors=documents.passage_vectors,
        passage_terms=documents.passage_terms,
        article_rows=documents.article_rows,
        article_terms=documents.article_terms,
        faq_texts=tuple(asked),
        faq_rows=rows_of,
        faq_vectors=FaissIndex.build(faq_vectors, embedder.dimension),
        faq_terms=TextIndex.build(asked),
        faq_generated=frozenset(place for place, each in enumerate(phrasings) if each.is_generated),
        question_rows=documents.question_rows,
        question_vectors=documents.question_vectors,
        reading=of_documents.reading,
        entry_classifier=entry_classifier.learnt(
            knowledge.faq, asked, rows_of, faq_vectors, embedder.name, classifiers.learn
        ),
        rules=knowledge.rules,
        calculators=knowledge.calculators,
        calculator_texts=tuple(phrasing.asked for phrasing in texts.calculations),
        calculator_rows=tuple(phrasing.rows[0] for phrasing in texts.calculations),
        calculator_vectors=FaissIndex.build(calculator_vectors, embedder.dimension)
        if texts.calculations
        else None,
        facts=knowledge.facts,
        follow_ups=knowledge.follow_ups,
        follow_up_vectors=FaissIndex.build(follow_up_vectors, embedder.dimension)
        if texts.follow_ups
        else None,
    )
    progress("index", 1, 1)
    return index


def texts_to_embed(
    source: Path, embedder: Embedder, teaching: Teaching | None = None
) -> list[tuple[Embedder, Role, list[str]]]:
    """Return the texts that an index of `source` embeds, by embedder and role."""
    knowledge = load_knowledge(source)
    texts = _texts(knowledge)
    taught = texts.reader.examples(teaching.messages(knowledge), texts.searched) if teaching else []
    return [
        (embedder, "passage", texts.documents.embedded),
        (embedder, "query", texts.asked),
        (E5Embedder(), "query", [example.embedded for example in taught]),
    ]


def write_shipped_vectors(
    source: Path, out: Path, embedder: Embedder, teaching: Teaching | None = None
) -> int:
    """Write the vectors that an index of `source` needs into `source`, from those made for `out`; return how many.

    Vectors of `teaching.shipped_vectors` are left out.
    """
    cache = vector_cache(source, out, teaching)
    general = ShippedVectors.load(*([teaching.shipped_vectors] if teaching else []))
    shipped: dict[bytes, VectorArray] = {}
    for model, role, some in texts_to_embed(source, embedder, teaching):
        made = vectors(cache, model, role, some, lambda _: None)
        keyed = {vector_key(model.name, role, text): v for text, v in zip(some, made, strict=True)}
        shipped |= {key: vector for key, vector in keyed.items() if general.get(key) is None}
    ShippedVectors.save(source / SHIPPED_VECTORS, shipped)
    return len(shipped)


def _phrasings(faq: Sequence[FaqEntry], searched: Callable[[str], Reading]) -> list[_Phrasing]:
    """Return each phrasing as a student's message is read, so that a question in the words of an entry is equal to it.

    Entries of one family share their phrasings, which do not depend on the student's profile.
    """
    families = _families(faq)
    found: dict[tuple[str, str], dict[int, None]] = {}
    for rows in families.values():
        for row in rows:
            for phrasing in (faq[row].question, *faq[row].variants):
                reading = searched(phrasing)
                found.setdefault((reading.asked, reading.embedded), {}).update(dict.fromkeys(rows))
    return [_Phrasing(asked, embedded, tuple(rows)) for (asked, embedded), rows in found.items()]


def _families(faq: Sequence[FaqEntry]) -> dict[str, list[int]]:
    """Return the rows of the entries of each family."""
    families: dict[str, list[int]] = {}
    for row, entry in enumerate(faq):
        families.setdefault(entry.family, []).append(row)
    return families


def _generated_phrasings(
    knowledge: Knowledge,
    generated: Generated,
    curated: Sequence[_Phrasing],
    searched: Callable[[str], Reading],
) -> list[_Phrasing]:
    """Return the generated wordings of the FAQ, without those in the words of anything that offices have written."""
    families = _families(knowledge.faq)
    wordings = {
        family: generated.wordings([knowledge.faq[row] for row in rows]) for family, rows in families.items()
    }
    ruled = [text for rule in knowledge.rules for text in rule.phrasings]
    computed = [text for each in knowledge.calculators for text in (each.question, *each.variants)]
    written = [text for entry in knowledge.faq for text in (entry.question, *entry.variants)]
    taken = {phrasing.asked for phrasing in curated}
    found: dict[str, _Phrasing] = {}
    for family, texts in apart(wordings, [*written, *computed, *ruled, *taken]).items():
        for reading in map(searched, texts):
            if reading.asked not in taken:
                phrasing = _Phrasing(reading.asked, reading.embedded, tuple(families[family]), True)
                found.setdefault(reading.asked, phrasing)
    return list(found.values())


def _kept_phrasings(
    faq: Sequence[FaqEntry], phrasings: Sequence[_Phrasing], vectors: VectorArray, dimension: int
) -> list[int]:
    """Return the places of the phrasings that an index takes."""
    families = [frozenset(faq[row].family for row in phrasing.rows) for phrasing in phrasings]
    first = sum(not phrasing.is_generated for phrasing in phrasings)
    return returning(vectors, families, first, dimension)
