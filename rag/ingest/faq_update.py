"""Bring an edit of the FAQ, or of the query rules, into the current index at once, ahead of the whole build.

A build reads every phrasing and learns two classifiers: most of a minute for the sample school. An edited entry changes
a few phrasings. The update reads and embeds those alone, adds them to the entry classifier
(`KernelClassifier.extended`), and takes all else from the current version. The version that it makes is not current
in the sense of `rag.ingest.build.is_current`: the next build replaces it with the exact one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

import numpy as np

from rag.index.dense import FaissIndex
from rag.index.format import Index, Manifest
from rag.index.lexical import TextIndex
from rag.retrieve.embedder import Embedder
from rag.types import FaqEntry, QueryRule
from school.kernel_classifier import KernelClassifier
from school.reader import Reader
from school.sentence_embedder import VectorArray


def with_faq(
    before: Index,
    faq: tuple[FaqEntry, ...],
    embedder: Embedder,
    rules: tuple[QueryRule, ...] | None = None,
) -> Index:
    """Return the index with the entries of `faq`; phrasings of unchanged families are taken over.

    `rules` are its query rules, None: those of before.

    `rag.index.versions.publish_faq` makes it the current version.
    """
    rules = before.rules if rules is None else rules
    families = _families(faq)
    earlier = _families(before.faq)
    changed = {
        family for family in families if _asked_by(families[family]) != _asked_by(earlier.get(family, ()))
    }
    row_of = {entry.id: row for row, entry in enumerate(faq)}

    texts: list[str] = []
    rows: list[tuple[int, ...]] = []
    kept: list[int] = []
    for place, own in enumerate(before.faq_rows):
        staying = [
            row_of[before.faq[row].id]
            for row in own
            if before.faq[row].family in families and before.faq[row].family not in changed
        ]
        if staying:
            texts.append(before.faq_texts[place])
            rows.append(tuple(staying))
            kept.append(place)
    vectors = [before.faq_vectors.vectors[kept]]

    classifier = _forgetting(before.entry_classifier, set(earlier) - set(families))
    reader = Reader(before.reading)
    for family in sorted(changed):
        own_rows = tuple(row_of[entry.id] for entry in families[family])
        said = {
            (reading.asked, reading.embedded): None
            for entry in families[family]
            for reading in map(reader.prepared, (entry.question, *entry.variants))
        }
        made = np.stack([embedder.query(embedded) for _, embedded in said]).astype(np.float32)
        texts += [asked for asked, _ in said]
        rows += [own_rows] * len(said)
        vectors.append(made)
        classifier = _knowing(classifier, family, made)

    return replace(
        before,
        manifest=_manifest(before.manifest, faq, rules),
        faq=faq,
        rules=rules,
        faq_texts=tuple(texts),
        faq_rows=tuple(rows),
        faq_vectors=FaissIndex.build(np.concatenate(vectors), embedder.dimension),
        faq_terms=TextIndex.build(texts),
        entry_classifier=classifier,
        graph=None,
    )


def _families(faq: Sequence[FaqEntry]) -> Mapping[str, Sequence[FaqEntry]]:
    found: dict[str, list[FaqEntry]] = {}
    for entry in faq:
        found.setdefault(entry.family, []).append(entry)
    return found


def _asked_by(entries: Sequence[FaqEntry]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return what the phrasings of a family are made from."""
    return [(entry.id, entry.question, entry.variants) for entry in entries]


def _forgetting(classifier: KernelClassifier | None, families: set[str]) -> KernelClassifier | None:
    return None if classifier is None else classifier.without(families)


def _knowing(
    classifier: KernelClassifier | None, family: str, vectors: VectorArray
) -> KernelClassifier | None:
    return None if classifier is None else classifier.extended(family, vectors)


def _manifest(before: Manifest, faq: tuple[FaqEntry, ...], rules: tuple[QueryRule, ...]) -> Manifest:
    """Return the manifest of the updated version: its name tells what it was made from."""
    origin, _, _ = before.version.partition("-")
    told = sha256(repr((faq, rules)).encode()).hexdigest()[:8]
    built_at = datetime.now(UTC).isoformat(timespec="seconds")
    return replace(before, version=f"{origin}-{told}", built_at=built_at, faq=len(faq))
