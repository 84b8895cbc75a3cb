"""The sample school has its stated size, and its answers stand in the documents they cite."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from sample_school import SAMPLE, sample_index

from covan.evaluation.labels import read_labelled
from covan.evaluation.unknown_labels import unknown_labels
from covan.project import ROOT
from rag.answer.curated import CuratedAnswers
from rag.index.format import Index
from rag.index.versions import open_index
from rag.ingest.load import Knowledge, load_knowledge
from rag.retrieve.embedder import E5Embedder
from school.dimensions import AppliesTo, Profile
from vietnamese.lexicon import spoken
from vietnamese.text import words

LONG_ENOUGH = 500
"""Words: about two pages, the shortest that a regulation is."""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge(SAMPLE)


@pytest.fixture(scope="module")
def index() -> Index:
    return open_index(sample_index(), E5Embedder())


def test_it_loads_without_warnings(knowledge: Knowledge) -> None:
    assert knowledge.warnings == ()


def test_everyday_questions_name_nothing_of_the_school(knowledge: Knowledge) -> None:
    """Everyday questions are for any school; this one's own names stand in its catalogue."""
    catalog = knowledge.catalog
    own = (*catalog.cohorts, *catalog.majors, *catalog.programs, *catalog.courses)
    names = {" ".join(words(name)) for name in (catalog.school.name, *(item.name for item in own))}
    said = [f" {' '.join(words(line))} " for line in spoken()]

    assert [
        name
        for name in sorted(names - {"tiếng anh"})
        if " " in name and any(f" {name} " in line for line in said)
    ] == []


def test_correct_text_stays_and_diacritics_come_back() -> None:
    """At most 1 word in 2,000 changes; see `benchmarks/spelling.py`."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "spelling.py")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_documents(knowledge: Knowledge) -> None:
    documents = [d for d in knowledge.documents if not d.meta.course]
    materials = [d for d in knowledge.documents if d.meta.course]

    assert len(documents) >= 25
    assert {d.meta.course for d in materials} == {"CT201", "KT101"}
    assert [d.meta.id for d in documents if len(d.text.split()) < LONG_ENOUGH] == []
    assert [
        d.meta.id for d in documents if not (d.meta.number and d.meta.effective_from and d.meta.topic)
    ] == []
    assert sum(bool(d.meta.supersedes) for d in documents) >= 2
    for dimension in knowledge.catalog.dimension_ids:
        texts = [*(d.meta.applies_to for d in documents), *(entry.applies_to for entry in knowledge.faq)]
        assert any(applies.values(dimension) for applies in texts), dimension


def test_faq(knowledge: Knowledge) -> None:
    assert len(knowledge.faq) >= 300
    assert len({entry.topic for entry in knowledge.faq}) >= 8
    assert [entry.id for entry in knowledge.faq if len(entry.variants) < 3] == []
    assert [entry.id for entry in knowledge.faq if not entry.reviewed_at or not entry.owner] == []
    assert min(Counter(entry.topic for entry in knowledge.faq).values()) >= 10


def test_some_phrasings_are_typed_without_diacritics(knowledge: Knowledge) -> None:
    for topic in {entry.topic for entry in knowledge.faq}:
        phrasings = [text for entry in knowledge.faq if entry.topic == topic for text in entry.variants]
        assert sum(text.isascii() for text in phrasings) >= 5, topic


def test_catalog(knowledge: Knowledge) -> None:
    catalog = knowledge.catalog

    assert len(catalog.cohorts) >= 8
    assert len(catalog.majors) >= 20
    assert len(catalog.programs) >= 3
    assert len(catalog.offices) >= 15
    assert [
        office.id for office in catalog.offices if not (office.phone and office.email and office.location)
    ] == []
    assert catalog.school.name


def test_topics_and_glossary(knowledge: Knowledge) -> None:
    offices = {office.id for office in knowledge.catalog.offices}

    assert len(knowledge.topics) >= 8
    assert [topic.id for topic in knowledge.topics if topic.office not in offices or not topic.examples] == []
    assert {entry.topic for entry in knowledge.faq} <= {topic.id for topic in knowledge.topics}
    assert sum(entry.kind == "abbreviation" for entry in knowledge.glossary) >= 46


def test_every_answer_quotes_the_place_it_rests_on(knowledge: Knowledge, index: Index) -> None:
    curated = CuratedAnswers(index.passages)

    missing = [
        f"{entry.id}: {citation.document_id}, {citation.locator!r}"
        for entry in knowledge.faq
        for citation in curated.citations(entry)
        if not citation.quote
    ]

    assert missing == []
    cited = sum(len(curated.citations(entry)) for entry in knowledge.faq)
    assert cited == sum(len(entry.sources) for entry in knowledge.faq)


def test_every_answer_rests_on_something(knowledge: Knowledge) -> None:
    assert [entry.id for entry in knowledge.faq if not entry.sources] == []


def test_entries_with_one_question_leave_nobody_with_two_answers(knowledge: Knowledge) -> None:
    """A student with a full profile gets one of the siblings."""
    families: dict[str, list[tuple[str, AppliesTo]]] = {}
    for entry in knowledge.faq:
        families.setdefault(entry.family, []).append((entry.id, entry.applies_to))

    clashes = [
        (family[one][0], family[two][0])
        for family in families.values()
        for one in range(len(family))
        for two in range(one)
        if _overlap(family[one][1], family[two][1], knowledge)
    ]

    assert clashes == []


def _overlap(one: AppliesTo, other: AppliesTo, knowledge: Knowledge) -> bool:
    """Return whether both apply to some student; a major is not offered in every programme."""
    catalog = knowledge.catalog
    students = [
        Profile({"cohort": cohort, "major": major.id, "program": program})
        for cohort in catalog.ids("cohort")
        for major in catalog.majors
        for program in major.programs
    ]
    return any(not one.excludes(student) and not other.excludes(student) for student in students)


def test_no_answer_rests_on_superseded_documents_alone(knowledge: Knowledge) -> None:
    superseded = {old for document in knowledge.documents for old in document.meta.supersedes}

    assert [e.id for e in knowledge.faq if {source.document for source in e.sources} <= superseded] == []


def test_everything_is_in_the_index(index: Index, knowledge: Knowledge) -> None:
    assert index.manifest.documents == len(knowledge.documents)
    assert index.passage_vectors.count == len(index.passages)
    assert index.faq_vectors.count == len(index.faq_texts)


@pytest.mark.parametrize("name", ["questions", "everyday", "english", "study"])
def test_labelled_questions_name_what_is_there(index: Index, name: str) -> None:
    labelled = read_labelled(ROOT / "benchmarks" / "sample_school" / f"{name}.csv")

    told = unknown_labels(labelled, index)

    assert [each for each in told if each.why != "unread"] == []


def test_nothing_of_other_places_is_in_it() -> None:
    """The school is made up: its documents and answers name no real university of the evaluation sets."""
    for path in sorted(Path(SAMPLE).rglob("*.*")):
        if path.suffix in (".md", ".yml"):
            text = path.read_text(encoding="utf-8")
            for name in ("ĐHCT", "Cần Thơ", "UIT", "ĐHQG-HCM", "HCMUT"):
                assert name not in text, f"{path.name}: {name}"
