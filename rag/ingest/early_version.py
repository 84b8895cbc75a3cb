"""Bring an edit of documents, topics or catalogue into the current index within seconds, ahead of the whole build.

A build reads every phrasing anew, because spelling and names are read with the words of all documents, and learns two
classifiers: most of its time. The early version has all else as the build will have it: passages, their words and
vectors, the graph, and the knowledge for reading messages. The phrasings of unchanged entries stay as they were read
for the current version, and the classifiers know what they knew. It is not current in the sense of
`rag.ingest.build.is_current`: the build that follows replaces it with the exact one.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from rag.errors import IndexUnusableError
from rag.graph.merges import Merged
from rag.index.format import Dictionaries, Index, Manifest
from rag.index.versions import open_index, publish, read_manifest
from rag.ingest.build import CURATED, early_name, source_hash, vector_cache
from rag.ingest.document_texts import document_texts, linked_documents, searched_documents
from rag.ingest.faq_update import with_calculators, with_faq
from rag.ingest.generated_texts import GeneratedTexts
from rag.ingest.load import Knowledge, load_curated, load_knowledge
from rag.retrieve.embedder import Embedder
from school.intents import intent_of


def publish_early(
    source: Path,
    out: Path,
    embedder: Embedder,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Manifest | None:
    """Make the early version of the knowledge folder `source` the current one in `out`; return its manifest.

    Returns None without making one when there is no usable index, and when the current version has all but the parts
    of CURATED as they are in the folder. Raises KnowledgeError, with the current index untouched, when the folder has
    problems.
    """
    hashed, uncurated = source_hash(source), source_hash(source, CURATED)
    try:
        if read_manifest(out).uncurated_hash == uncurated:
            return None
        before = open_index(out, embedder)
    except IndexUnusableError:
        return None
    after = _early(before, _checked(source, before), source, out, embedder)
    manifest = replace(
        after.manifest,
        version=early_name(hashed),
        built_at=now().isoformat(timespec="seconds"),
        source_hash=hashed,
        uncurated_hash=uncurated,
    )
    publish(replace(after, manifest=manifest), out, made_from=before)
    return manifest


def _checked(source: Path, before: Index) -> Knowledge:
    """Return the content of the folder, checked as by a build.

    Only the calculators that may compute otherwise than in the index are tried out: to try all takes seconds.
    """
    knowledge = load_knowledge(source, frozenset())
    if tried := _computing_otherwise(before, knowledge):
        load_curated(source, {document.meta.id for document in knowledge.documents}, tried)
    return knowledge


def _computing_otherwise(before: Index, knowledge: Knowledge) -> Set[str]:
    """Return the ids of the calculators that changed, or that compute with facts or with values that changed."""
    if knowledge.facts != before.facts:
        return {each.id for each in knowledge.calculators}
    catalog, earlier = knowledge.catalog, before.dictionaries.catalog
    changed = {each for each in catalog.dimension_ids if catalog.items(each) != earlier.items(each)}
    return {
        each.id
        for each in knowledge.calculators
        if each not in before.calculators or not changed.isdisjoint(each.dimensions)
    }


def _early(before: Index, knowledge: Knowledge, source: Path, out: Path, embedder: Embedder) -> Index:
    """Return the early index, with the name of `before`."""
    generated = GeneratedTexts(out).read()
    texts = document_texts(knowledge, generated)
    documents = searched_documents(texts, vector_cache(source, out), embedder, lambda _: None)
    built = linked_documents(knowledge, texts, generated, out)
    curated = with_faq(before, knowledge.faq, embedder, knowledge.rules, texts.reading)
    curated = with_calculators(curated, knowledge.calculators, knowledge.facts, embedder)
    gone = {topic.id for topic in before.dictionaries.topics} - {topic.id for topic in knowledge.topics}
    return replace(
        curated,
        manifest=replace(
            before.manifest,
            documents=len(knowledge.documents),
            passages=len(documents.passages),
            faq=len(knowledge.faq),
            nodes=len(built.graph.nodes),
            edges=len(built.graph.edges),
        ),
        passages=documents.passages,
        materials=tuple(texts.materials),
        dictionaries=Dictionaries(knowledge.catalog, knowledge.topics, knowledge.glossary),
        passage_vectors=documents.passage_vectors,
        passage_terms=documents.passage_terms,
        article_rows=documents.article_rows,
        article_terms=documents.article_terms,
        question_rows=documents.question_rows,
        question_vectors=documents.question_vectors,
        classifier=before.classifier.without(set(map(intent_of, gone)))
        if before.classifier and gone
        else before.classifier,
        graph=Merged(built.graph, built.merges),
        graph_reports=built.reports,
        store=None,
    )
