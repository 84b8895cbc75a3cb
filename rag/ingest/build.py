"""From a knowledge folder to an index of it: passages and questions, embedded and made searchable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import numpy as np

from rag.errors import IndexUnusableError
from rag.index.dense import FaissIndex
from rag.index.format import FORMAT, Dictionaries, Index, Manifest
from rag.index.lexical import TextIndex
from rag.index.vectors import Role, ShippedVectors, VectorCache, vector_key
from rag.index.versions import publish, read_manifest
from rag.ingest.build_code import code_hash
from rag.ingest.enrich import article_terms, embedded_text, passage_terms
from rag.ingest.load import Knowledge, load_knowledge
from rag.ingest.split import split
from rag.retrieve.embedder import Embedder
from rag.types import Document, FaqEntry, Passage, VectorArray
from school.abbreviations import Abbreviations, agreed, definitions
from school.wording import Wording, curated_abbreviations

SHIPPED_VECTORS = "vectors.npz"

Progress = Callable[[str, int, int], None]
"""Told the name of the step, how much is done and how much there is."""


def source_hash(source: Path) -> str:
    """A hash over the names and bytes of all files of a knowledge folder."""
    digest = sha256()
    for path in sorted(source.rglob("*")):
        if path.is_file() and path.name != SHIPPED_VECTORS and not path.name.startswith("."):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(source).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()


def is_current(index: Path, source: Path, embedder: Embedder) -> bool:
    """Whether the index was made from just these files, by this model and format."""
    try:
        manifest = read_manifest(index)
    except IndexUnusableError:
        return False
    return manifest.version == _version(source_hash(source), embedder)


def _version(source: str, embedder: Embedder) -> str:
    return sha256(
        f"{FORMAT}\0{embedder.name}\0{code_hash(__name__, type(embedder).__module__)}\0{source}".encode()
    ).hexdigest()[:16]


def build_index(
    source: Path,
    out: Path,
    embedder: Embedder,
    progress: Progress = lambda *_: None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> tuple[Manifest, Knowledge]:
    """Build the index of the knowledge folder `source` in `out` and make it the current one.

    Only texts that were never embedded before are embedded. Raises KnowledgeError, with the current index
    untouched, when the folder has problems.
    """
    progress("read", 0, 1)
    hashed = source_hash(source)
    knowledge = load_knowledge(source)
    version = _version(hashed, embedder)
    progress("read", 1, 1)
    texts = _texts(knowledge, progress)
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
    cache = VectorCache(out / "vectors.sqlite", ShippedVectors.load(source / SHIPPED_VECTORS))
    publish(_assemble(manifest, knowledge, texts, cache, embedder, progress), out)
    return manifest, knowledge


@dataclass(frozen=True, slots=True)
class _Texts:
    """What an index is made of, before anything is embedded; `passages` each with the short forms of its document."""

    passages: list[tuple[Passage, Abbreviations]]
    abbreviations: dict[str, str]
    embedded: list[str]
    asked: list[str]
    asked_rows: tuple[tuple[int, ...], ...]


def _texts(knowledge: Knowledge, progress: Progress = lambda *_: None) -> _Texts:
    passages, abbreviations = _passages(
        knowledge.documents, curated_abbreviations(knowledge.glossary), progress
    )
    wording = Wording(knowledge.glossary, abbreviations, knowledge.catalog)
    asked, rows = _faq_texts(knowledge.faq, wording)
    embedded = [embedded_text(passage, short) for passage, short in passages]
    return _Texts(passages, abbreviations, embedded, asked, rows)


def _passages(
    documents: Sequence[Document], curated: dict[str, str], progress: Progress
) -> tuple[list[tuple[Passage, Abbreviations]], dict[str, str]]:
    """All passages, each with the short forms of its document; and those that hold everywhere.

    What the school's glossary says counts more than what most documents define, and less than the document itself.
    """
    documents = _until_superseded(documents)
    found = [definitions(document.text) for document in documents]
    common = agreed(found) | curated
    passages = []
    for done, (document, own) in enumerate(zip(documents, found, strict=True), 1):
        abbreviations = Abbreviations(common | own)
        passages += [(passage, abbreviations) for passage in split(document)]
        progress("split", done, len(documents))
    return passages, common


def _until_superseded(documents: Sequence[Document]) -> list[Document]:
    """Documents that end the day before the first one that replaces them begins; at once when that has no date."""
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
    embedder: Embedder,
    progress: Progress,
) -> Index:
    total = len(texts.embedded) + len(texts.asked)
    done = 0

    def embedded(more: int) -> None:
        nonlocal done
        done += more
        progress("embed", done, total)

    passage_vectors = _vectors(cache, embedder, "passage", texts.embedded, embedded)
    faq_vectors = _vectors(cache, embedder, "query", texts.asked, embedded)
    progress("index", 0, 1)
    articles: dict[str, list[tuple[Passage, Abbreviations]]] = {}
    for passage, short in texts.passages:
        articles.setdefault(passage.parent, []).append((passage, short))
    rows = {parent: row for row, parent in enumerate(articles)}
    index = Index(
        manifest=manifest,
        passages=tuple(passage for passage, _ in texts.passages),
        faq=knowledge.faq,
        dictionaries=Dictionaries(
            knowledge.catalog, knowledge.topics, knowledge.glossary, texts.abbreviations
        ),
        passage_vectors=FaissIndex.build(passage_vectors, embedder.dimension),
        passage_terms=TextIndex.build(passage_terms(passage, short) for passage, short in texts.passages),
        article_rows=tuple(rows[passage.parent] for passage, _ in texts.passages),
        article_terms=TextIndex.build(
            article_terms([passage for passage, _ in group], group[0][1]) for group in articles.values()
        ),
        faq_texts=tuple(texts.asked),
        faq_rows=texts.asked_rows,
        faq_vectors=FaissIndex.build(faq_vectors, embedder.dimension),
        faq_terms=TextIndex.build(texts.asked),
    )
    progress("index", 1, 1)
    return index


def write_shipped_vectors(source: Path, out: Path, embedder: Embedder) -> int:
    """Write the vectors that an index of `source` needs into `source`, from those made for `out`; returns how many."""
    texts = _texts(load_knowledge(source))
    cache = VectorCache(out / "vectors.sqlite", ShippedVectors.load(source / SHIPPED_VECTORS))
    vectors: dict[bytes, VectorArray] = {}
    both: tuple[tuple[Role, list[str]], ...] = (("passage", texts.embedded), ("query", texts.asked))
    for role, some in both:
        made = _vectors(cache, embedder, role, some, lambda _: None)
        vectors |= {vector_key(embedder.name, role, text): v for text, v in zip(some, made, strict=True)}
    ShippedVectors.save(source / SHIPPED_VECTORS, vectors)
    return len(vectors)


def _vectors(
    cache: VectorCache, embedder: Embedder, role: Role, texts: Sequence[str], progress: Callable[[int], None]
) -> VectorArray:
    def queries(some: Sequence[str]) -> VectorArray:
        return np.stack([embedder.query(text) for text in some])

    embed = embedder.passages if role == "passage" else queries
    return cache.vectors(embedder.name, role, texts, embed, progress=progress)


def _faq_texts(faq: Sequence[FaqEntry], wording: Wording) -> tuple[list[str], tuple[tuple[int, ...], ...]]:
    """Each way to ask, as it is compared with questions, and the rows of the entries it asks for.

    Entries of one family share their phrasings: how one asks does not depend on one's cohort.
    """
    families: dict[str, list[int]] = {}
    for row, entry in enumerate(faq):
        families.setdefault(entry.family, []).append(row)
    asked: dict[str, dict[int, None]] = {}
    for rows in families.values():
        for row in rows:
            for phrasing in (faq[row].question, *faq[row].variants):
                text = wording.asked(wording.plain(phrasing))
                asked.setdefault(text, {}).update(dict.fromkeys(rows))
    return list(asked), tuple(tuple(rows) for rows in asked.values())
