"""An index is a folder: versions side by side, a file that names the current one, and the vectors made so far.

    INDEX/CURRENT               the name of the current version
    INDEX/versions/<version>/   manifest.json, passages.jsonl, faq.jsonl, dictionaries.json, vectors, BM25
    INDEX/vectors.sqlite        every embedding made, by content hash

A version is written aside and renamed; `CURRENT` is replaced in one step, so that a reader sees the old index or the
new one, never half of either. The version before is kept to go back to.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter, ValidationError

from rag.errors import IndexUnusableError
from rag.index.dense import FaissIndex
from rag.index.lexical import TextIndex
from rag.index.vectors import Role, ShippedVectors, VectorCache, vector_key
from rag.ingest.enrich import article_terms, embedded_text, passage_terms
from rag.ingest.load import Knowledge, load_knowledge
from rag.ingest.split import split
from rag.retrieve.embedder import Embedder
from rag.types import Document, FaqEntry, Passage, VectorArray
from school.abbreviations import Abbreviations, agreed, definitions
from school.catalog import Catalog, GlossaryEntry, Topic
from school.wording import Wording, curated_abbreviations

FORMAT = 4
SHIPPED_VECTORS = "vectors.npz"

Progress = Callable[[str, int, int], None]
"""Told the name of the step, how much is done and how much there is."""


@dataclass(frozen=True, slots=True)
class Dictionaries:
    """The school's names and short forms, as the index was built with them."""

    catalog: Catalog
    topics: tuple[Topic, ...]
    glossary: tuple[GlossaryEntry, ...]
    abbreviations: dict[str, str]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index was made from and with."""

    version: str
    format: int
    model: str
    dimension: int
    source_hash: str
    built_at: str
    documents: int
    passages: int
    faq: int


@dataclass(frozen=True, slots=True)
class Index:
    """An opened index: everything that retrieval reads.

    `article_rows[i]` is the article of passage i; `faq_texts` are the ways to ask, `faq_rows[i]` the entries that
    text i asks for.
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


def published_texts(index: Index) -> list[str]:
    """All that the school has written, for learning how it is spelled."""
    passages = ("\n".join((p.title, *p.context, p.text)) for p in index.passages)
    return [*passages, *index.faq_texts]


_PASSAGES = TypeAdapter(Passage)
_FAQ = TypeAdapter(FaqEntry)
_DICTIONARIES = TypeAdapter(Dictionaries)
_MANIFEST = TypeAdapter(Manifest)


def source_hash(source: Path) -> str:
    """A hash over the names and bytes of all files of a knowledge folder."""
    digest = sha256()
    for path in sorted(source.rglob("*")):
        if path.is_file() and path.name != SHIPPED_VECTORS and not path.name.startswith("."):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(source).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()


def current_version(index: Path) -> str | None:
    """The name of the current version, or None when there is no index."""
    try:
        return (index / "CURRENT").read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None


def read_manifest(index: Path) -> Manifest:
    """Raises IndexUnusableError when there is no index or its manifest cannot be read."""
    version = current_version(index)
    if version is None:
        raise IndexUnusableError(
            f"there is no index in {index}; make one with `covan index DIR --out {index}`"
        )
    path = index / "versions" / version / "manifest.json"
    try:
        return _MANIFEST.validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError) as error:
        raise IndexUnusableError(f"{path} cannot be read; run `covan index` again") from error


def is_current(index: Path, source: Path, embedder: Embedder) -> bool:
    """Whether the index was made from just these files, by this model and format."""
    try:
        manifest = read_manifest(index)
    except IndexUnusableError:
        return False
    return manifest.version == _version(source_hash(source), embedder)


def _version(source: str, embedder: Embedder) -> str:
    return sha256(f"{FORMAT}\0{embedder.name}\0{_code_hash()}\0{source}".encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def _code_hash() -> str:
    """A hash over the modules that make an index: after an upgrade that splits otherwise, it is made anew."""
    root = Path(__file__).parents[2]
    folders = (root / "vietnamese", root / "school", root / "rag" / "ingest", root / "rag" / "index")
    files = sorted(
        path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".yml", ".txt")
    )
    return sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()


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


def publish(index: Index, out: Path) -> None:
    """Write an index to the folder `out` and make it the current one there."""
    version = index.manifest.version
    previous = current_version(out)
    versions = out / "versions"
    aside = versions / f".{version}.{os.getpid()}"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    _write(index, aside)
    place = versions / version
    if place.exists():
        shutil.rmtree(place)
    aside.rename(place)
    _point_to(version, out)
    if previous and previous != version:
        (out / "PREVIOUS").write_text(previous, encoding="utf-8")
    kept = {version, _previous(out)}
    for old in versions.iterdir():
        if old.name not in kept and not old.name.startswith("."):
            shutil.rmtree(old, ignore_errors=True)


def _point_to(version: str, out: Path) -> None:
    """Make a version the current one, in one step."""
    pointer = out / f".CURRENT.{os.getpid()}"
    pointer.write_text(version, encoding="utf-8")
    pointer.replace(out / "CURRENT")


def _previous(out: Path) -> str:
    path = out / "PREVIOUS"
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def roll_back(out: Path) -> str:
    """Make the version before current again; returns its name. Raises IndexUnusableError when there is none."""
    previous, version = _previous(out), current_version(out)
    if not previous or version is None or not (out / "versions" / previous).is_dir():
        raise IndexUnusableError(f"{out} has no earlier version to go back to")
    _point_to(previous, out)
    (out / "PREVIOUS").write_text(version, encoding="utf-8")
    return previous


def _write(index: Index, folder: Path) -> None:
    (folder / "passages.jsonl").write_bytes(b"\n".join(map(_PASSAGES.dump_json, index.passages)))
    (folder / "faq.jsonl").write_bytes(b"\n".join(map(_FAQ.dump_json, index.faq)))
    (folder / "dictionaries.json").write_bytes(_DICTIONARIES.dump_json(index.dictionaries))
    (folder / "rows.json").write_text(
        json.dumps([index.article_rows, index.faq_rows, index.faq_texts]), encoding="utf-8"
    )
    index.passage_vectors.save(folder / "passages.faiss")
    index.faq_vectors.save(folder / "faq.faiss")
    index.passage_terms.save(folder / "passage_terms")
    index.article_terms.save(folder / "article_terms")
    index.faq_terms.save(folder / "faq_terms")
    (folder / "manifest.json").write_text(json.dumps(asdict(index.manifest), indent=2), encoding="utf-8")


def open_index(index: Path, embedder: Embedder) -> Index:
    """Open the current version. Raises IndexUnusableError when it cannot be used with this code and model."""
    manifest = read_manifest(index)
    if manifest.format != FORMAT:
        raise IndexUnusableError(
            f"{index} has format {manifest.format}, this version of Covan reads {FORMAT}; run `covan index` again"
        )
    if (manifest.model, manifest.dimension) != (embedder.name, embedder.dimension):
        raise IndexUnusableError(
            f"{index} was made by the embedder {manifest.model}, the one in use is {embedder.name}; "
            "run `covan index` again"
        )
    folder = index / "versions" / manifest.version
    try:
        article_rows, faq_rows, faq_texts = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
        opened = Index(
            manifest=manifest,
            passages=tuple(map(_PASSAGES.validate_json, _lines(folder / "passages.jsonl"))),
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
        )
    except (OSError, ValueError, TypeError, KeyError, EOFError) as error:
        raise IndexUnusableError(f"{folder} is damaged ({error}); run `covan index` again") from error
    if not _belong_together(opened):
        raise IndexUnusableError(f"{folder} has files that do not belong together; run `covan index` again")
    return opened


def _belong_together(index: Index) -> bool:
    """Whether the parts are about the same items: otherwise every question would be led to a wrong passage."""
    return (
        (index.manifest.passages, index.manifest.faq) == (len(index.passages), len(index.faq))
        and {len(index.passages)}
        == {len(index.article_rows), index.passage_vectors.count, *index.passage_terms.counts}
        and {len(set(index.article_rows))} == set(index.article_terms.counts)
        and {len(index.faq_texts)} == {len(index.faq_rows), index.faq_vectors.count, *index.faq_terms.counts}
    )


def _lines(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().split(b"\n") if line]
