"""Bring an edit of FAQ, query rules, facts or calculators into the current index at once, ahead of the whole build.

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

from rag.calculators.calculator import Calculator
from rag.index.dense import FaissIndex
from rag.index.format import Index, Manifest
from rag.index.lexical import TextIndex
from rag.retrieve.embedder import Embedder
from rag.types import FaqEntry, QueryRule, families_of
from school.kernel_classifier import KernelClassifier
from school.reader import Reader
from school.reading_knowledge import ReadingKnowledge
from school.sentence_embedder import VectorArray


def with_faq(
    before: Index,
    faq: tuple[FaqEntry, ...],
    embedder: Embedder,
    rules: tuple[QueryRule, ...] | None = None,
    reading: ReadingKnowledge | None = None,
) -> Index:
    """Return the index with the entries of `faq`; phrasings of unchanged families are taken over.

    `reading` is the knowledge of all texts, these entries among them; None: that of before with the words of the
    changed ones.

    A changed question has no generated wordings until `covan enrich` is run again. `rules` are its query rules,
    None: those of before.

    `rag.index.versions.publish_faq` makes it the current version.
    """
    rules = before.rules if rules is None else rules
    families = families_of(faq)
    earlier = families_of(before.faq)
    changed = {
        family for family in families if _asked_by(families[family]) != _asked_by(earlier.get(family, ()))
    }
    if not changed and [entry.id for entry in faq] == [entry.id for entry in before.faq]:
        # Other answers to the same phrasings: what is searched stays.
        manifest = _manifest(before.manifest, faq, rules, before.calculators, before.facts)
        known = before.reading if reading is None else reading
        return replace(before, manifest=manifest, faq=faq, rules=rules, reading=known, graph=None)
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
    written = [entry for family in changed for entry in families[family]]
    knowledge = _with_words(before.reading, written) if reading is None else reading
    reader = Reader(knowledge)
    for family in sorted(changed):
        own_rows = tuple(row_of[entry.id] for entry in families[family])
        said = {
            (reading.asked, reading.embedded): None
            for entry in families[family]
            for reading in map(reader.searched, (entry.question, *entry.variants))
        }
        made = np.stack([embedder.query(embedded) for _, embedded in said]).astype(np.float32)
        texts += [asked for asked, _ in said]
        rows += [own_rows] * len(said)
        vectors.append(made)
        classifier = _knowing(classifier, family, made)

    return replace(
        before,
        manifest=_manifest(before.manifest, faq, rules, before.calculators, before.facts),
        faq=faq,
        rules=rules,
        faq_texts=tuple(texts),
        faq_rows=tuple(rows),
        faq_vectors=FaissIndex.build(np.concatenate(vectors), embedder.dimension),
        faq_terms=before.faq_terms if tuple(texts) == before.faq_texts else TextIndex.build(texts),
        faq_generated=frozenset(n for n, place in enumerate(kept) if place in before.faq_generated),
        entry_classifier=classifier,
        reading=knowledge,
        graph=None,
    )


def _with_words(knowledge: ReadingKnowledge, written: Sequence[FaqEntry]) -> ReadingKnowledge:
    """Return the knowledge with the words of new entries, which students type without their diacritics at once."""
    if knowledge.lexicon is None:
        return knowledge
    texts = [text for entry in written for text in (entry.question, *entry.variants, entry.answer)]
    return replace(knowledge, lexicon=knowledge.lexicon.with_texts(texts))


def with_calculators(
    before: Index, calculators: tuple[Calculator, ...], facts: Mapping[str, str], embedder: Embedder
) -> Index:
    """Return the index with these calculators and facts; phrasings of unchanged calculators are taken over."""
    manifest = _manifest(before.manifest, before.faq, before.rules, calculators, facts)
    if _asked_by(calculators) == _asked_by(before.calculators):
        # Other results to the same phrasings: what is searched stays.
        return replace(before, manifest=manifest, calculators=calculators, facts=facts)
    earlier: dict[str, list[int]] = {}
    for place, row in enumerate(before.calculator_rows):
        earlier.setdefault(before.calculators[row].id, []).append(place)
    asked_before = {each.id: (each.question, each.variants) for each in before.calculators}
    reader = Reader(before.reading)
    texts: list[str] = []
    rows: list[int] = []
    vectors: list[VectorArray] = []
    for row, calculator in enumerate(calculators):
        if asked_before.get(calculator.id) == (calculator.question, calculator.variants):
            places = earlier[calculator.id]
            assert before.calculator_vectors is not None
            texts += [before.calculator_texts[place] for place in places]
            vectors.append(before.calculator_vectors.vectors[places])
        else:
            said = [reader.searched(each) for each in (calculator.question, *calculator.variants)]
            texts += [reading.asked for reading in said]
            vectors.append(
                np.stack([embedder.query(reading.embedded) for reading in said]).astype(np.float32)
            )
        rows += [row] * (len(texts) - len(rows))
    return replace(
        before,
        manifest=manifest,
        calculators=calculators,
        calculator_texts=tuple(texts),
        calculator_rows=tuple(rows),
        calculator_vectors=FaissIndex.build(np.concatenate(vectors), embedder.dimension) if vectors else None,
        facts=facts,
    )


def _asked_by(entries: Sequence[FaqEntry | Calculator]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return what the phrasings of entries or calculators are made from."""
    return [(entry.id, entry.question, entry.variants) for entry in entries]


def _forgetting(classifier: KernelClassifier | None, families: set[str]) -> KernelClassifier | None:
    return None if classifier is None else classifier.without(families)


def _knowing(
    classifier: KernelClassifier | None, family: str, vectors: VectorArray
) -> KernelClassifier | None:
    return None if classifier is None else classifier.extended(family, vectors)


def _manifest(
    before: Manifest,
    faq: tuple[FaqEntry, ...],
    rules: tuple[QueryRule, ...],
    calculators: tuple[Calculator, ...],
    facts: Mapping[str, str],
) -> Manifest:
    """Return the manifest of the updated version: its name tells what it was made from."""
    origin, _, _ = before.version.partition("-")
    told = sha256(repr((faq, rules, calculators, sorted(facts.items()))).encode()).hexdigest()[:8]
    built_at = datetime.now(UTC).isoformat(timespec="seconds")
    return replace(before, version=f"{origin}-{told}", built_at=built_at, faq=len(faq))
