"""Build the index of a knowledge folder: its passages and questions, embedded and searchable."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import numpy as np

from rag.calculators.calculator import Calculator
from rag.errors import IndexUnusableError
from rag.graph.merges import Merged
from rag.index.dense import FaissIndex
from rag.index.format import FORMAT, Dictionaries, Index, Manifest
from rag.index.lexical import TextIndex
from rag.index.vectors import Role, ShippedVectors, VectorCache, vector_key
from rag.index.versions import publish, read_manifest
from rag.ingest.build_code import code_hash
from rag.ingest.classifier_cache import ClassifierCache
from rag.ingest.document_names import document_forms
from rag.ingest.enrich import article_terms, embedded_text, passage_terms
from rag.ingest.generated_texts import NOTHING_GENERATED, Generated, GeneratedTexts, relations_of
from rag.ingest.generated_wordings import apart, returning
from rag.ingest.graph.build import build_graph
from rag.ingest.load import Knowledge, load_knowledge
from rag.ingest.split import split
from rag.retrieve import entry_classifier
from rag.retrieve.embedder import E5Embedder, Embedder
from rag.settings import settings
from rag.types import Document, FaqEntry, Passage
from school.abbreviations import Abbreviations, agreed, definitions
from school.campus_matters import matters_in_passing, unpublished_matters
from school.fields_of_study import absent_fields
from school.kernel_classifier import Example, Hyperparameters, KernelClassifier
from school.reader import Reader
from school.reading import Reading
from school.reading_knowledge import ReadingKnowledge, curated_abbreviations
from school.sentence_embedder import VectorArray
from vietnamese.lexicon import Lexicon

SHIPPED_VECTORS = "vectors.npz"

Progress = Callable[[str, int, int], None]
"""Called with the name of the step, the work done and the whole work."""


def source_hash(source: Path) -> str:
    """Return a hash over the names and bytes of all files of a knowledge folder, hidden ones (`.git/`) left out."""
    digest = sha256()
    for path in sorted(source.rglob("*")):
        relative = path.relative_to(source)
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
    manifest = Manifest(
        version=version,
        format=FORMAT,
        model=embedder.name,
        dimension=embedder.dimension,
        source_hash=hashed,
        built_at=now().isoformat(timespec="seconds"),
        documents=len(knowledge.documents),
        passages=len(texts.passages),
        faq=len(knowledge.faq),
    )
    cache = _cache(source, out, teaching)
    progress("graph", 0, 1)
    relations = relations_of(knowledge.graph.schema)
    built = build_graph(
        knowledge.graph,
        knowledge.catalog,
        knowledge.topics,
        texts.documents,
        knowledge.document_aliases,
        [passage for passage, _ in texts.passages],
        out,
        lambda passage: generated.statements(passage, relations),
    )
    progress("graph", 1, 1)
    manifest = replace(manifest, nodes=len(built.graph.nodes), edges=len(built.graph.edges))
    classifiers = ClassifierCache(out / "classifiers.sqlite")
    index = _assemble(manifest, knowledge, texts, cache, classifiers, embedder, progress)
    index = replace(index, graph=Merged(built.graph, built.merges), graph_reports=built.reports)
    if teaching is not None:
        examples = texts.reader.examples(teaching.messages(knowledge), texts.searched)
        index = replace(index, classifier=_learnt(examples, cache, classifiers, progress))
    publish(index, out)
    return manifest, knowledge


def _cache(source: Path, out: Path, teaching: Teaching | None) -> VectorCache:
    general = [teaching.shipped_vectors] if teaching else []
    return VectorCache(out / "vectors.sqlite", ShippedVectors.load(source / SHIPPED_VECTORS, *general))


def _learnt(
    examples: Sequence[Example], cache: VectorCache, classifiers: ClassifierCache, progress: Progress
) -> KernelClassifier:
    """Train the classifier on examples, always with E5, the embedder of Rasa's process."""
    embedder = E5Embedder()
    texts = [example.embedded for example in examples]
    embedded = _counted(progress, "learn", len(texts) + 1)
    vectors = _vectors(cache, embedder, "query", texts, embedded)
    classifier = classifiers.learn(examples, vectors, embedder.name, Hyperparameters())
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
    """The texts of an index before embedding; each passage has the abbreviations of its document.

    `documents` end when they are superseded. `searched` is the method of `reader` that remembers what it has read: the
    phrasings of the FAQ teach the classifier, too. `phrasings` are those of offices, then the generated ones.
    `questions` are generated, each with the row of the passage that answers it.
    """

    documents: list[Document]
    passages: list[tuple[Passage, Abbreviations]]
    reading: ReadingKnowledge
    reader: Reader
    searched: Callable[[str], Reading]
    embedded: list[str]
    phrasings: list[_Phrasing]
    calculations: list[_Phrasing]
    questions: list[tuple[int, str]]


def passages_of(knowledge: Knowledge) -> list[Passage]:
    """Return the passages of a school's documents, as an index has them."""
    documents = _regulations(knowledge)
    return [passage for passage, _ in _passages(documents, curated_abbreviations(knowledge.glossary))[0]]


def reading_knowledge(knowledge: Knowledge) -> ReadingKnowledge:
    """Return the knowledge for reading a school's messages."""
    documents = _regulations(knowledge)
    return _reading(knowledge, *_passages(documents, curated_abbreviations(knowledge.glossary)))


def _reading(
    knowledge: Knowledge, passages: Sequence[tuple[Passage, Abbreviations]], abbreviations: Mapping[str, str]
) -> ReadingKnowledge:
    extra_forms = document_forms(_regulations(knowledge), knowledge.document_aliases)
    reading = ReadingKnowledge.of(
        knowledge.catalog, knowledge.glossary, abbreviations, extra_forms=extra_forms
    )
    published = ["\n".join((passage.title, *passage.context, passage.text)) for passage, _ in passages]
    curated: list[FaqEntry | Calculator] = [*knowledge.faq, *knowledge.calculators]
    phrasings = [text for entry in curated for text in (entry.question, *entry.variants)]
    seeds = [text for texts in knowledge.nlu.values() for text in texts]
    answers = [entry.answer for entry in knowledge.faq]
    names = [name for topic in knowledge.topics for name in (topic.name, topic.description, *topic.examples)]
    asked = [entry.question for entry in curated]
    taught = [*published, *phrasings, *seeds, *answers, *names]
    everything = [*asked, *answers, *published]
    unpublished = unpublished_matters(everything)
    return replace(
        reading,
        lexicon=Lexicon.learn([*published, *phrasings, *seeds]),
        absent_fields=absent_fields(taught, reading.own_names.subjects) if knowledge.catalog.majors else (),
        unpublished_matters=unpublished,
        matters_in_passing=matters_in_passing(everything, unpublished),
    )


def _texts(
    knowledge: Knowledge,
    progress: Progress = lambda *_: None,
    generated: Generated = NOTHING_GENERATED,
) -> _Texts:
    documents = _regulations(knowledge)
    passages, abbreviations = _passages(documents, curated_abbreviations(knowledge.glossary), progress)
    reading = _reading(knowledge, passages, abbreviations)
    reader = Reader(reading)
    searched = lru_cache(maxsize=None)(reader.searched)
    asked = _phrasings(knowledge.faq, searched)
    asked += _generated_phrasings(knowledge, generated, asked, searched)
    calculations = [
        _Phrasing(said.asked, said.embedded, (row,))
        for row, calculator in enumerate(knowledge.calculators)
        for said in map(searched, (calculator.question, *calculator.variants))
    ]
    embedded = [embedded_text(passage, short) for passage, short in passages]
    questions = [
        (row, short.expand(question))
        for row, (passage, short) in enumerate(passages)
        for question in generated.questions(passage)
    ]
    return _Texts(documents, passages, reading, reader, searched, embedded, asked, calculations, questions)


def _passages(
    documents: Sequence[Document], curated: dict[str, str], progress: Progress = lambda *_: None
) -> tuple[list[tuple[Passage, Abbreviations]], dict[str, str]]:
    """Return all passages, each with the abbreviations of its document, and the common abbreviations.

    A document's own definitions win over the school's glossary, which wins over the majority of the documents.
    """
    found = [definitions(document.text) for document in documents]
    common = agreed(found) | curated
    passages = []
    for done, (document, own) in enumerate(zip(documents, found, strict=True), 1):
        abbreviations = Abbreviations(common | own)
        passages += [(passage, abbreviations) for passage in split(document)]
        progress("split", done, len(documents))
    return passages, common


def _regulations(knowledge: Knowledge) -> list[Document]:
    """Return the documents that answer questions, without the materials of courses.

    Materials take no part in search and reading: the words of lecture notes would change which diacritics are put back
    ("tu lanh"), and weigh the terms of regulations anew.
    """
    return [document for document in _until_superseded(knowledge.documents) if not document.meta.course]


def _materials(knowledge: Knowledge) -> list[Passage]:
    """Return the passages of the materials of courses."""
    documents = _until_superseded(knowledge.documents)
    return [passage for document in documents if document.meta.course for passage in split(document)]


def _until_superseded(documents: Sequence[Document]) -> list[Document]:
    """End each superseded document the day before its first successor begins; at once when that has no date."""
    ends: dict[str, date] = {}
    for document in documents:
        begins = document.meta.effective_from
        last_day = begins - timedelta(days=1) if begins else date.min
        for old in document.meta.supersedes:
            ends[old] = min(last_day, ends.get(old, last_day))
    ended = []
    for document in documents:
        end = ends.get(document.meta.id)
        if end is not None and (document.meta.effective_to is None or end < document.meta.effective_to):
            ended.append(replace(document, meta=replace(document.meta, effective_to=end)))
        else:
            ended.append(document)
    return ended


def _assemble(
    manifest: Manifest,
    knowledge: Knowledge,
    texts: _Texts,
    cache: VectorCache,
    classifiers: ClassifierCache,
    embedder: Embedder,
    progress: Progress,
) -> Index:
    total = len(texts.embedded) + len(texts.questions) + len(texts.phrasings) + len(texts.calculations)
    embedded = _counted(progress, "embed", total)
    passage_vectors = _vectors(cache, embedder, "passage", texts.embedded, embedded)
    question_vectors = _vectors(cache, embedder, "passage", [text for _, text in texts.questions], embedded)
    all_vectors = _vectors(
        cache, embedder, "query", [phrasing.embedded for phrasing in texts.phrasings], embedded
    )
    kept = _kept_phrasings(knowledge.faq, texts.phrasings, all_vectors, embedder.dimension)
    phrasings = [texts.phrasings[place] for place in kept]
    asked, faq_vectors = [phrasing.asked for phrasing in phrasings], all_vectors[kept]
    calculator_vectors = _vectors(
        cache, embedder, "query", [phrasing.embedded for phrasing in texts.calculations], embedded
    )
    progress("index", 0, 1)
    articles: dict[str, list[tuple[Passage, Abbreviations]]] = {}
    for passage, short in texts.passages:
        articles.setdefault(passage.parent, []).append((passage, short))
    rows_of = tuple(phrasing.rows for phrasing in phrasings)
    rows = {parent: row for row, parent in enumerate(articles)}
    index = Index(
        manifest=manifest,
        passages=tuple(passage for passage, _ in texts.passages),
        materials=tuple(_materials(knowledge)),
        faq=knowledge.faq,
        dictionaries=Dictionaries(knowledge.catalog, knowledge.topics, knowledge.glossary),
        passage_vectors=FaissIndex.build(passage_vectors, embedder.dimension),
        passage_terms=TextIndex.build(passage_terms(passage, short) for passage, short in texts.passages),
        article_rows=tuple(rows[passage.parent] for passage, _ in texts.passages),
        article_terms=TextIndex.build(
            article_terms([passage for passage, _ in group], group[0][1]) for group in articles.values()
        ),
        faq_texts=tuple(asked),
        faq_rows=rows_of,
        faq_vectors=FaissIndex.build(faq_vectors, embedder.dimension),
        faq_terms=TextIndex.build(asked),
        faq_generated=frozenset(place for place, each in enumerate(phrasings) if each.is_generated),
        question_rows=tuple(row for row, _ in texts.questions),
        question_vectors=FaissIndex.build(question_vectors, embedder.dimension) if texts.questions else None,
        reading=texts.reading,
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
        (embedder, "passage", texts.embedded),
        (embedder, "query", [phrasing.embedded for phrasing in (*texts.phrasings, *texts.calculations)]),
        (E5Embedder(), "query", [example.embedded for example in taught]),
    ]


def write_shipped_vectors(
    source: Path, out: Path, embedder: Embedder, teaching: Teaching | None = None
) -> int:
    """Write the vectors that an index of `source` needs into `source`, from those made for `out`; return how many.

    Vectors of `teaching.shipped_vectors` are left out.
    """
    cache = _cache(source, out, teaching)
    general = ShippedVectors.load(*([teaching.shipped_vectors] if teaching else []))
    vectors: dict[bytes, VectorArray] = {}
    for model, role, some in texts_to_embed(source, embedder, teaching):
        made = _vectors(cache, model, role, some, lambda _: None)
        keyed = {vector_key(model.name, role, text): v for text, v in zip(some, made, strict=True)}
        vectors |= {key: vector for key, vector in keyed.items() if general.get(key) is None}
    ShippedVectors.save(source / SHIPPED_VECTORS, vectors)
    return len(vectors)


def _vectors(
    cache: VectorCache, embedder: Embedder, role: Role, texts: Sequence[str], progress: Callable[[int], None]
) -> VectorArray:
    def queries(some: Sequence[str]) -> VectorArray:
        # The default model works outside Python's lock.
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            return np.asarray(np.stack(list(pool.map(embedder.query, some))), np.float32)

    embed = embedder.passages if role == "passage" else queries
    return cache.vectors(embedder.name, role, texts, embed, progress=progress)


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
