"""The texts of a school's documents as an index searches them, and the knowledge for reading messages."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from rag.calculators.calculator import Calculator
from rag.index.dense import FaissIndex
from rag.index.lexical import TextIndex
from rag.index.vectors import Role, VectorCache
from rag.ingest.document_names import document_forms
from rag.ingest.enrich import article_terms, embedded_text, passage_terms
from rag.ingest.generated_texts import NOTHING_GENERATED, Generated, relations_of
from rag.ingest.graph.build import BuiltGraph, build_graph
from rag.ingest.load import Knowledge
from rag.ingest.split import split
from rag.retrieve.embedder import Embedder
from rag.types import Document, FaqEntry, Passage
from school.abbreviations import Abbreviations, agreed, definitions
from school.campus_matters import matters_in_passing, unpublished_matters
from school.fields_of_study import absent_fields
from school.reading_knowledge import ReadingKnowledge, curated_abbreviations
from school.sentence_embedder import VectorArray
from vietnamese.lexicon import Lexicon

Progress = Callable[[str, int, int], None]
"""Called with the name of the step, the work done and the whole work."""


@dataclass(frozen=True, slots=True)
class DocumentTexts:
    """The texts of the documents before embedding; each passage has the abbreviations of its document.

    `documents` end when they are superseded. `materials` are the passages of course materials, which are not searched.
    `questions` are generated, each with the row of the passage that answers it.
    """

    documents: list[Document]
    passages: list[tuple[Passage, Abbreviations]]
    materials: list[Passage]
    reading: ReadingKnowledge
    embedded: list[str]
    questions: list[tuple[int, str]]


def document_texts(
    knowledge: Knowledge, generated: Generated = NOTHING_GENERATED, progress: Progress = lambda *_: None
) -> DocumentTexts:
    """Return the texts of a school's documents, and the knowledge for reading its messages."""
    documents = _regulations(knowledge)
    passages, abbreviations = split_documents(documents, curated_abbreviations(knowledge.glossary), progress)
    questions = [
        (row, short.expand(question))
        for row, (passage, short) in enumerate(passages)
        for question in generated.questions(passage)
    ]
    embedded = [embedded_text(passage, short) for passage, short in passages]
    reading = _reading(knowledge, passages, abbreviations)
    return DocumentTexts(documents, passages, _materials(knowledge), reading, embedded, questions)


def passages_of(knowledge: Knowledge) -> list[Passage]:
    """Return the passages of a school's documents, as an index has them."""
    documents = _regulations(knowledge)
    return [
        passage for passage, _ in split_documents(documents, curated_abbreviations(knowledge.glossary))[0]
    ]


def reading_knowledge(knowledge: Knowledge) -> ReadingKnowledge:
    """Return the knowledge for reading a school's messages."""
    documents = _regulations(knowledge)
    return _reading(knowledge, *split_documents(documents, curated_abbreviations(knowledge.glossary)))


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


def split_documents(
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
    return [document for document in until_superseded(knowledge.documents) if not document.meta.course]


def _materials(knowledge: Knowledge) -> list[Passage]:
    """Return the passages of the materials of courses."""
    documents = until_superseded(knowledge.documents)
    return [passage for document in documents if document.meta.course for passage in split(document)]


def until_superseded(documents: Sequence[Document]) -> list[Document]:
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


@dataclass(frozen=True, slots=True)
class SearchedDocuments:
    """The parts of an index that search the documents (`rag.index.format.Index`)."""

    passages: tuple[Passage, ...]
    passage_vectors: FaissIndex
    passage_terms: TextIndex
    article_rows: tuple[int, ...]
    article_terms: TextIndex
    question_rows: tuple[int, ...]
    question_vectors: FaissIndex | None


def searched_documents(
    texts: DocumentTexts, cache: VectorCache, embedder: Embedder, embedded: Callable[[int], None]
) -> SearchedDocuments:
    """Embed the texts of the documents and index their words; `embedded` gets the counts of texts that are done."""
    passage_vectors = vectors(cache, embedder, "passage", texts.embedded, embedded)
    question_vectors = vectors(cache, embedder, "passage", [text for _, text in texts.questions], embedded)
    articles: dict[str, list[tuple[Passage, Abbreviations]]] = {}
    for passage, short in texts.passages:
        articles.setdefault(passage.parent, []).append((passage, short))
    rows = {parent: row for row, parent in enumerate(articles)}
    return SearchedDocuments(
        passages=tuple(passage for passage, _ in texts.passages),
        passage_vectors=FaissIndex.build(passage_vectors, embedder.dimension),
        passage_terms=TextIndex.build(passage_terms(passage, short) for passage, short in texts.passages),
        article_rows=tuple(rows[passage.parent] for passage, _ in texts.passages),
        article_terms=TextIndex.build(
            article_terms([passage for passage, _ in group], group[0][1]) for group in articles.values()
        ),
        question_rows=tuple(row for row, _ in texts.questions),
        question_vectors=FaissIndex.build(question_vectors, embedder.dimension) if texts.questions else None,
    )


def linked_documents(
    knowledge: Knowledge, texts: DocumentTexts, generated: Generated, out: Path
) -> BuiltGraph:
    """Return the knowledge graph; statements that were read before are taken from the cache in `out`."""
    relations = relations_of(knowledge.graph.schema)
    return build_graph(
        knowledge.graph,
        knowledge.catalog,
        knowledge.topics,
        texts.documents,
        knowledge.document_aliases,
        [passage for passage, _ in texts.passages],
        out,
        lambda passage: generated.statements(passage, relations),
    )


def vectors(
    cache: VectorCache, embedder: Embedder, role: Role, texts: Sequence[str], progress: Callable[[int], None]
) -> VectorArray:
    """Return the vectors of texts, embedding those that the cache lacks; `progress` gets the counts that are done."""

    def queries(some: Sequence[str]) -> VectorArray:
        # The default model works outside Python's lock.
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            return np.asarray(np.stack(list(pool.map(embedder.query, some))), np.float32)

    embed = embedder.passages if role == "passage" else queries
    return cache.vectors(embedder.name, role, texts, embed, progress=progress)
