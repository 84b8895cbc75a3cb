"""The examples that teach a ranking: questions, the passages found for each, and those that answer it.

Two sources: the school's FAQ, where every way to ask an entry's question leads to the places that the entry rests on;
and labelled questions, which name the documents that answer, or the answer itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import numpy.typing as npt

from covan.evaluation.labels import Labelled
from covan.evaluation.reference import says
from rag.answer.curated import passages_at
from rag.index.format import Index
from rag.pipeline import RetrievalWeights
from rag.query.applicability import is_applicable
from rag.rerank.learned import features_of, looked_at
from rag.rerank.ranking_model import WEIGHED, Matrix
from rag.retrieve.passages import PassageRetriever
from rag.types import DecisionKind, FaqEntry, Passage, Question
from school.dimensions import UNKNOWN_STUDENT, Profile
from school.reader import Reader
from school.reading import Reading
from school.sentence_embedder import VectorArray
from vietnamese.text import fold, words


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and which passages answer it; questions of one `group` are never told apart in testing."""

    group: str
    question: Question
    answers: Callable[[Passage], bool]


@dataclass(frozen=True, slots=True)
class Example:
    """The passages found for a question in the order of the first ranking.

    `values` are their features (n, f) in the order of `WEIGHED`, `relevant` says which of them answer, shape (n,).
    """

    group: str
    values: Matrix
    relevant: npt.NDArray[np.bool_]


def asked_by_faq(index: Index) -> Iterator[Asked]:
    """Yield every wording of each entry whose sources are in the documents, for a student that it applies to."""
    documents: dict[str, list[Passage]] = {}
    for passage in index.passages:
        documents.setdefault(passage.document_id, []).append(passage)
    for entry in index.faq:
        there = frozenset(
            passage.id
            for source in entry.sources
            for passage in passages_at(documents.get(source.document, ()), source.locator)
        )
        if there:
            for text in dict.fromkeys((entry.question, *entry.variants)):
                question = Question(text, profile=_somebody(entry))
                yield Asked(entry.family, question, _among(there))


def asked_by_label(labelled: Sequence[Labelled], index: Index) -> Iterator[Asked]:
    """Labelled questions that have an answer. A source is a document's id, or that of an FAQ entry."""
    entries = {entry.id: entry for entry in index.faq}
    families = {
        _group(text): entry.family for entry in index.faq for text in (entry.question, *entry.variants)
    }
    documents: dict[str, list[Passage]] = {}
    for passage in index.passages:
        documents.setdefault(passage.document_id, []).append(passage)
    for item in labelled:
        if item.expected is not DecisionKind.ANSWER:
            continue
        group = _group(item.question.text)
        yield Asked(families.get(group, group), item.question, _answers(item, entries, documents))


def _answers(
    item: Labelled, entries: dict[str, FaqEntry], documents: dict[str, list[Passage]]
) -> Callable[[Passage], bool]:
    reference = item.reference
    if reference is not None:
        return lambda passage: says(passage.text, reference)
    locator = item.row.fields.get("locator", "")
    there = set[str]()
    for id in item.sources:
        places = [(s.document, s.locator) for s in entries[id].sources] if id in entries else [(id, locator)]
        for document, place in places:
            passages = documents.get(document, [])
            there |= {p.id for p in (passages_at(passages, place) if place else passages)}
    return _among(there)


def _among(there: Collection[str]) -> Callable[[Passage], bool]:
    return lambda passage: passage.id in there


def examples(
    asked: Sequence[Asked],
    index: Index,
    weights: RetrievalWeights,
    embed: Callable[[Sequence[str]], VectorArray],
    today: date,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Example]:
    """Return the passages found for each question; `progress` gets the number of questions done since its last call.

    `embed` makes vectors (n, d) of texts. Questions for which nothing relevant is found are kept: they count in
    figures. Those that nothing in the index answers are left out.
    """
    reader = Reader(index.reading)
    dimensions = index.dictionaries.catalog.dimension_ids
    retriever = PassageRetriever(index, weights)
    readings = [reader.prepared(item.question.text) for item in asked]
    vectors = embed([reading.embedded for reading in readings])
    made = []
    for item, reading, vector in zip(asked, readings, vectors, strict=True):
        progress(1)
        if any(map(item.answers, index.passages)):
            profile = item.question.profile.with_values(reading.values(dimensions))
            made.append(_example(item, reading, profile, vector, retriever, today))
    return made


def _example(
    item: Asked,
    reading: Reading,
    profile: Profile,
    vector: VectorArray,
    retriever: PassageRetriever,
    today: date,
) -> Example:
    found = retriever.retrieve(
        reading,
        vector,
        admits=lambda passage: is_applicable(passage, profile, today),
        profile=profile,
    )
    known = [candidate for candidate in found if looked_at(candidate)]
    passages = [candidate.item for candidate in known if isinstance(candidate.item, Passage)]
    relevant = np.array([item.answers(passage) for passage in passages], np.bool_)
    return Example(item.group, features_of(known, WEIGHED), relevant)


def _somebody(entry: FaqEntry) -> Profile:
    """Return a student whom the entry is for."""
    allowed = entry.applies_to
    return UNKNOWN_STUDENT.with_values({each: allowed.somebody(each) for each in allowed.allowed})


def _group(text: str) -> str:
    return " ".join(words(fold(text)))
