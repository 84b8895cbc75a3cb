"""An index with edited documents, topics and catalogue, ahead of the whole build."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from embedder_stand_in import EmbedderStandIn

from rag.engine import Engine
from rag.errors import KnowledgeError
from rag.index.format import Index
from rag.index.versions import (
    current_folder,
    current_version,
    kept_versions,
    open_index,
    publish,
    publish_faq,
)
from rag.ingest.build import build_index, is_current
from rag.ingest.early_version import publish_early
from rag.ingest.faq_update import with_faq
from rag.ingest.load import load_faq
from rag.types import Passage, Question
from school.intents import intent_of
from school.kernel_classifier import Example, KernelClassifier

OF_PHRASINGS = frozenset({"faq.faiss", "faq_terms", "rows.json", "entries.npz", "intents.npz"})
"""The files of a version that depend on how phrasings were read, and on what the classifiers learnt from them."""

Edit = Callable[[Path], None]

FEES = """
- id: fees
  question: Học phí 10 tín chỉ của ngành Kế toán là bao nhiêu?
  variants: []
  topic: tuition
  sources: [{document: noi-quy-ktx, locator: "Điều 3, khoản 2"}]
  inputs:
    major: {dimension: major}
  cases:
    - say: "**{{ 10 * number('fees.2026', major) | money }}**."
      say_en: "**{{ 10 * number('fees.2026', major) | money }}**."
"""


def replaced(file: str, old: str, new: str) -> Edit:
    def edit(school: Path) -> None:
        path = school / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")

    return edit


def written(file: str, text: str) -> Edit:
    def edit(school: Path) -> None:
        (school / file).write_text(text, encoding="utf-8")

    return edit


CHANGED_DOCUMENT = replaced("documents/quy-che-2025.md", "tối đa 25 tín chỉ", "tối đa 27 tín chỉ")


def removed_document(school: Path) -> None:
    (school / "documents" / "khuyen-mai-2024.md").unlink()


NEW_DOCUMENT = written(
    "documents/vuon-uom.md",
    "---\ntitle: Quy định vườn ươm năm 2025\nnumber: 61/QĐ-ĐHSM\nsupersedes: [bai-do-xe-2030]\n---\n"
    "# VƯỜN ƯƠM\n\n### Điều 1. Mượn xẻng\n\n1. Ban Kỹ thuật vườn ươm (BKTVU) cho mượn xẻng trồng sâm Ngọc Linh.\n",
)
CHANGED_TOPIC = replaced("topics.yml", "name: Ký túc xá", "name: Chỗ ở nội trú")
CHANGED_VALUE = replaced("catalog.yml", "phone: 0200 333", "phone: 0200 999, aliases: [trung tâm nội trú]")
CHANGED_ENTRY = replaced("faq/faq.yml", "tien hoc tinh sao", "giá của một chỉ là mấy đồng")
EDITS = {
    "a changed document": [CHANGED_DOCUMENT],
    "a removed document": [removed_document],
    "a new document with new words": [NEW_DOCUMENT],
    "a changed topic": [CHANGED_TOPIC],
    "a changed value of the catalogue": [CHANGED_VALUE],
    "a changed entry beside a changed document": [CHANGED_ENTRY, CHANGED_DOCUMENT],
}


@pytest.fixture
def live(small_index: Path, tmp_path: Path) -> Path:
    """A copy of the index of the small school that a test may change."""
    return Path(shutil.copytree(small_index, tmp_path / "live"))


@pytest.fixture(params=EDITS.values(), ids=EDITS)
def edited(request: pytest.FixtureRequest, school: Path) -> Path:
    for edit in request.param:
        edit(school)
    return school


def files(index: Path) -> dict[str, bytes]:
    """Return the current version's files by name, without those that hold the time or the database's own pages."""
    folder = current_folder(index)
    return {
        name: path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and (name := path.relative_to(folder).as_posix()) != "manifest.json"
        and not name.startswith("graph/")
    }


def graph(index: Index) -> tuple[Sequence[str], Sequence[str]]:
    assert index.store is not None
    return sorted(map(repr, index.store.nodes())), sorted(map(repr, index.store.edges()))


def phrasings(index: Index) -> set[tuple[str, tuple[str, ...], bytes]]:
    """Return each phrasing with its entries and its vector, to 3 digits: kept vectors have fewer than new ones."""
    rows = zip(index.faq_texts, index.faq_rows, index.faq_vectors.vectors, strict=True)
    return {
        (text, tuple(sorted(index.faq[row].id for row in own)), np.round(vector, 3).tobytes())
        for text, own, vector in rows
    }


def test_it_has_all_but_the_phrasings_as_a_build_from_scratch(
    edited: Path, live: Path, embedder: EmbedderStandIn, tmp_path: Path
) -> None:
    build_index(edited, tmp_path / "scratch", embedder)

    manifest = publish_early(edited, live, embedder)

    ours, scratch = files(live), files(tmp_path / "scratch")
    assert ours.keys() == scratch.keys()
    differing = {name for name in ours if ours[name] != scratch[name]}
    assert {name.partition("/")[0] for name in differing} <= OF_PHRASINGS
    early, whole = open_index(live, embedder), open_index(tmp_path / "scratch", embedder)
    assert manifest == early.manifest
    assert graph(early) == graph(whole)
    assert (early.article_rows, early.calculator_texts) == (whole.article_rows, whole.calculator_texts)
    # None of these edits changes how a phrasing is read.
    assert phrasings(early) == phrasings(whole)


def test_the_build_after_it_equals_one_from_scratch_and_replaces_it(
    edited: Path, live: Path, embedder: EmbedderStandIn, tmp_path: Path
) -> None:
    before = current_version(live)
    build_index(edited, tmp_path / "scratch", embedder)
    early = publish_early(edited, live, embedder)
    assert not is_current(live, edited, embedder)

    made, _ = build_index(edited, live, embedder)

    assert early is not None
    assert is_current(live, edited, embedder)
    assert files(live) == files(tmp_path / "scratch")
    whole = open_index(tmp_path / "scratch", embedder)
    assert graph(open_index(live, embedder)) == graph(whole)
    assert [each.version for each in kept_versions(live)] == [made.version, before]
    # An engine may have it open until its next question.
    assert (live / "versions" / early.version).is_dir()
    written("documents/gio-mo-cua.md", "Phòng thiết bị mở cửa lúc 7 giờ.\n")(edited)
    publish_early(edited, live, embedder)
    assert not (live / "versions" / early.version).is_dir()


def test_a_reading_that_the_edit_changes_waits_for_the_build(
    school: Path, live: Path, embedder: EmbedderStandIn
) -> None:
    replaced("faq/faq.yml", "tien hoc tinh sao", "BKTVU ở đâu")(school)
    build_index(school, live, embedder)
    NEW_DOCUMENT(school)

    publish_early(school, live, embedder)
    assert "BKTVU ở đâu" in open_index(live, embedder).faq_texts

    build_index(school, live, embedder)
    assert "ban kỹ thuật vườn ươm ở đâu" in open_index(live, embedder).faq_texts


def test_an_engine_answers_by_it(school: Path, live: Path, embedder: EmbedderStandIn) -> None:
    CHANGED_DOCUMENT(school)

    publish_early(school, live, embedder)

    engine = Engine.open(live, "covan", embedder)
    found = engine.candidates(Question("Một học kỳ chính đăng ký tối đa bao nhiêu tín chỉ?"), "document")
    assert any("tối đa 27 tín chỉ" in each.item.text for each in found if isinstance(each.item, Passage))


def test_only_new_texts_are_embedded(school: Path, live: Path, counting: EmbedderStandIn) -> None:
    CHANGED_DOCUMENT(school)

    publish_early(school, live, counting)

    assert len(counting.embedded_passages) == 1
    assert counting.embedded_queries == []


def test_an_edit_of_the_faq_alone_makes_none(school: Path, live: Path, embedder: EmbedderStandIn) -> None:
    CHANGED_ENTRY(school)

    assert publish_early(school, live, embedder) is None


def test_an_entry_that_is_published_after_it_keeps_it(
    school: Path, live: Path, embedder: EmbedderStandIn
) -> None:
    CHANGED_DOCUMENT(school)
    early = publish_early(school, live, embedder)
    CHANGED_ENTRY(school)
    index = open_index(live, embedder)
    faq, _ = load_faq(school, {passage.document_id for passage in index.passages})

    publish_faq(with_faq(index, faq, embedder), live)

    after = open_index(live, embedder)
    assert early is not None
    assert after.manifest.version != early.version
    assert after.passages == index.passages
    assert publish_early(school, live, embedder) is None


def test_without_a_usable_index_there_is_none(
    school: Path, tmp_path: Path, embedder: EmbedderStandIn
) -> None:
    assert publish_early(school, tmp_path / "index", embedder) is None
    assert current_version(tmp_path / "index") is None


@pytest.mark.parametrize(
    "fault",
    [
        written("documents/bad.md", "---\ntopic: none\n---\nHồ bơi.\n"),
        # A calculator fails only when it is tried out.
        replaced("facts/dormitory.yml", "350.000 đồng", "theo thông báo"),
    ],
)
def test_a_folder_with_faults_leaves_the_index_as_it_was(
    school: Path, live: Path, embedder: EmbedderStandIn, fault: Edit
) -> None:
    CHANGED_DOCUMENT(school)
    fault(school)
    before = current_version(live)

    with pytest.raises(KnowledgeError):
        publish_early(school, live, embedder)

    assert current_version(live) == before


def test_a_new_value_is_tried_with_the_calculators_of_its_dimension(
    school: Path, live: Path, embedder: EmbedderStandIn
) -> None:
    written("facts/fees.yml", "2026: {cntt: 500.000 đồng, ketoan: 400.000 đồng}\n")(school)
    written("calculators/fees.yml", FEES)(school)
    build_index(school, live, embedder)
    before = current_version(live)
    replaced("catalog.yml", "majors:\n", "majors:\n  - {id: luat, name: Luật, programs: [standard]}\n")(
        school
    )

    with pytest.raises(KnowledgeError, match="luat"):
        publish_early(school, live, embedder)

    assert current_version(live) == before


def test_parts_that_stay_are_the_files_of_the_version_before(
    school: Path, live: Path, embedder: EmbedderStandIn
) -> None:
    before = current_folder(live)
    CHANGED_VALUE(school)

    publish_early(school, live, embedder)

    shared = {path.name for path in current_folder(live).iterdir() if path.samefile(before / path.name)}
    assert shared == {"faq.faiss", "calculators.faiss", "follow_ups.faiss"}
    assert all(
        path.samefile(before / path.relative_to(current_folder(live)))
        for path in (current_folder(live) / "faq_terms").rglob("*.*")
    )


def test_a_topic_that_is_gone_is_no_intent_any_longer(
    school: Path, live: Path, embedder: EmbedderStandIn
) -> None:
    topics = (school / "topics.yml").read_text(encoding="utf-8")
    written("topics.yml", f"{topics}- {{id: sport, name: Thể thao}}\n")(school)
    build_index(school, live, embedder)
    examples = [Example(intent_of(topic), "", topic) for topic in ("sport", "study", "tuition")]
    learnt = KernelClassifier.learn(examples, np.eye(3, dtype=np.float32), "e5")
    publish(replace(open_index(live, embedder), classifier=learnt), live)
    written("topics.yml", topics)(school)

    publish_early(school, live, embedder)

    classifier = open_index(live, embedder).classifier
    assert classifier is not None
    assert set(classifier.labels) == {intent_of("study"), intent_of("tuition")}
