"""An index is built whole or not at all, embeds changed texts only, and opens only when it can be trusted."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from embedder_stand_in import EmbedderStandIn, NothingToEmbed

from rag.errors import IndexUnusableError, KnowledgeError
from rag.index.format import FORMAT
from rag.index.versions import KEPT, current_version, kept_versions, open_index, read_manifest, roll_back
from rag.ingest.build import build_index, is_current, source_hash, write_shipped_vectors


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "index"


def change(school: Path, old: str = "30 tháng 9", new: str = "15 tháng 10") -> None:
    """Change the answer of an entry, which no embedding depends on."""
    rewrite(school / "faq" / "faq.yml", old, new)


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(("vectors.sqlite", "classifiers.sqlite"))
    }


# --- what is built --------------------------------------------------------------------------------------------------


def test_the_manifest_says_what_the_index_was_made_from_and_with(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    moment = datetime(2026, 11, 1, 8, 30, tzinfo=UTC)

    manifest, knowledge = build_index(school, out, counting, now=lambda: moment)

    assert read_manifest(out) == manifest
    assert (manifest.model, manifest.dimension) == (counting.name, counting.dimension)
    assert (manifest.format, manifest.source_hash) == (FORMAT, source_hash(school))
    assert manifest.built_at == "2026-11-01T08:30:00+00:00"
    assert (manifest.documents, manifest.faq) == (len(knowledge.documents), len(knowledge.faq)) == (7, 10)
    assert manifest.version == current_version(out)
    opened = open_index(out, counting)
    assert manifest.passages == len(opened.passages) > 15


def test_what_is_opened_is_what_was_built(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    _, knowledge = build_index(school, out, counting)

    index = open_index(out, counting)

    assert index.faq == knowledge.faq
    assert index.dictionaries.catalog == knowledge.catalog
    assert index.dictionaries.topics == knowledge.topics
    assert index.dictionaries.glossary == knowledge.glossary
    assert {p.document_id for p in index.passages} == {d.meta.id for d in knowledge.documents}
    assert len(index.article_rows) == len(index.passages)
    assert len(index.faq_rows) == len(index.faq_texts)
    assert {row for rows in index.faq_rows for row in rows} == set(range(len(index.faq)))


def test_a_document_ends_the_day_before_its_successor_begins(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    build_index(school, out, counting)

    ends = {p.document_id: p.effective_to for p in open_index(out, counting).passages}

    assert ends["quy-che-2021"] == date(2025, 8, 31)
    assert ends["khuyen-mai-2024"] == date(2024, 12, 31)
    assert ends["quy-che-2025"] is None


def test_an_end_that_is_earlier_stays(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    rewrite(
        school / "documents" / "quy-che-2021.md",
        "effective_from: 2021-09-01\n",
        "effective_from: 2021-09-01\neffective_to: 2024-06-30\n",
    )
    build_index(school, out, counting)

    ends = {p.document_id: p.effective_to for p in open_index(out, counting).passages}

    assert ends["quy-che-2021"] == date(2024, 6, 30)


def test_the_first_of_several_successors_ends_a_document(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    (school / "documents" / "a-2024.md").write_text(
        "---\ntitle: Sửa đổi\neffective_from: 2024-01-01\nsupersedes: [quy-che-2021]\n---\nThay toàn bộ.\n",
        encoding="utf-8",
    )
    build_index(school, out, counting)

    ends = {p.document_id: p.effective_to for p in open_index(out, counting).passages}

    assert ends["quy-che-2021"] == date(2023, 12, 31)


def test_short_forms_are_those_of_the_documents_and_of_the_glossary(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    build_index(school, out, counting)

    short = open_index(out, counting).reading.abbreviations

    assert short["CVHT"] == "cố vấn học tập"  # defined in the regulation
    assert short["SV"] == "sinh viên"  # stands in the glossary
    assert "HP" not in short  # has two readings
    assert "ko" not in short  # chat spelling is no short form of the school


def test_progress_is_told_step_by_step_to_the_end(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    told: list[tuple[str, int, int]] = []

    build_index(school, out, counting, progress=lambda *step: told.append(step))

    assert list(dict.fromkeys(step for step, *_ in told)) == ["read", "split", "graph", "embed", "index"]
    for step in ("read", "split", "graph", "embed", "index"):
        done = [(done, total) for name, done, total in told if name == step]
        assert done[-1][0] == done[-1][1] > 0
        assert [d for d, _ in done] == sorted(d for d, _ in done)


def test_the_same_knowledge_makes_the_same_version(
    school: Path, tmp_path: Path, counting: EmbedderStandIn
) -> None:
    copied = Path(shutil.copytree(school, tmp_path / "elsewhere" / "copy"))

    first, _ = build_index(school, tmp_path / "a", counting)
    second, _ = build_index(copied, tmp_path / "b", counting)

    assert first.version == second.version
    written = files_of(tmp_path / "a" / "versions" / first.version)
    again = files_of(tmp_path / "b" / "versions" / first.version)
    for name in ("passages.jsonl", "faq.jsonl", "dictionaries.json", "passages.faiss", "faq.faiss"):
        assert written[name] == again[name]


# --- incremental ----------------------------------------------------------------------------------------------------


def test_building_again_embeds_nothing(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    build_index(school, out, counting)
    assert counting.embedded_passages
    assert counting.embedded_queries
    counting.forget()

    build_index(school, out, counting)

    assert (counting.embedded_passages, counting.embedded_queries) == ([], [])


def test_only_a_changed_clause_is_embedded(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    build_index(school, out, counting)
    counting.forget()
    rewrite(
        school / "documents" / "quy-che-2025.md", "lệ phí phúc khảo một bài thi là 30.000", "lệ phí là 50.000"
    )

    build_index(school, out, counting)

    assert len(counting.embedded_passages) == 1
    assert "lệ phí là 50.000 đồng" in counting.embedded_passages[0]
    assert counting.embedded_queries == []


def test_only_a_new_phrasing_is_embedded(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    build_index(school, out, counting)
    counting.forget()
    rewrite(school / "faq" / "faq.yml", "[in bang diem o dau,", "[in bang diem o dau, cấp bảng điểm chỗ nào,")

    build_index(school, out, counting)

    assert counting.embedded_queries == ["cấp bảng điểm chỗ nào"]
    assert counting.embedded_passages == []


def test_what_was_taken_out_is_out(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    build_index(school, out, counting)
    counting.forget()
    (school / "documents" / "bai-do-xe-2030.md").unlink()

    build_index(school, out, counting)

    assert "bai-do-xe-2030" not in {p.document_id for p in open_index(out, counting).passages}
    assert (counting.embedded_passages, counting.embedded_queries) == ([], [])


def test_vectors_are_those_of_their_passages(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    """Also after a change has moved every passage to another row."""
    build_index(school, out, counting)
    (school / "documents" / "a.md").write_text("Hồ bơi mở cửa lúc 6 giờ.\n", encoding="utf-8")
    build_index(school, out, counting)
    index = open_index(out, counting)

    (nearest,), _ = index.passage_vectors.search(counting.query("Hồ bơi mở cửa lúc 6 giờ."), 1)

    assert index.passages[nearest].document_id == "a"


# --- shipped vectors ------------------------------------------------------------------------------------------------


def test_with_shipped_vectors_nothing_is_embedded(
    school: Path, out: Path, tmp_path: Path, counting: EmbedderStandIn
) -> None:
    build_index(school, out, counting)
    assert write_shipped_vectors(school, out, counting) > 30

    fresh = NothingToEmbed(counting.name, counting.dimension)
    manifest, _ = build_index(school, tmp_path / "fresh", fresh)

    assert manifest.version == current_version(out)
    places = np.arange(manifest.passages)
    question = counting.query("học phí")
    assert np.allclose(
        open_index(tmp_path / "fresh", fresh).passage_vectors.cosines(question, places),
        open_index(out, counting).passage_vectors.cosines(question, places),
        atol=1e-2,
    )


def test_shipped_vectors_are_no_knowledge(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    build_index(school, out, counting)
    before = source_hash(school)

    write_shipped_vectors(school, out, counting)

    assert source_hash(school) == before
    assert is_current(out, school, counting)


def test_a_damaged_shipped_file_is_told_and_the_index_stays(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    build_index(school, out, counting)
    version = current_version(out)
    change(school)
    (school / "vectors.npz").write_bytes(b"damaged")

    with pytest.raises(KnowledgeError, match=r"vectors\.npz"):
        build_index(school, out, counting)
    assert current_version(out) == version


# --- current or not -------------------------------------------------------------------------------------------------


def test_a_commit_in_the_folder_changes_nothing(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    """The console commits what it publishes; the index is that of the files."""
    build_index(school, out, counting)
    (school / ".git" / "refs").mkdir(parents=True)
    (school / ".git" / "refs" / "main").write_text("1234", encoding="utf-8")

    assert is_current(out, school, counting)


def test_an_index_is_current_until_something_changes(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    assert not is_current(out, school, counting)
    build_index(school, out, counting)
    assert is_current(out, school, counting)
    assert not is_current(out, school, EmbedderStandIn("another-model"))

    change(school)

    assert not is_current(out, school, counting)


@pytest.mark.parametrize("what", ["renamed", "added", "removed"])
def test_the_hash_of_a_source_sees_every_file(school: Path, what: str) -> None:
    before = source_hash(school)
    document = school / "documents" / "bai-do-xe-2030.md"

    if what == "renamed":
        document.rename(document.with_name("b.md"))
    elif what == "added":
        (school / "documents" / "b.md").write_text("B", encoding="utf-8")
    else:
        document.unlink()

    assert source_hash(school) != before


# --- swapped in one step --------------------------------------------------------------------------------------------


def test_a_reader_goes_on_with_the_index_it_opened(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    build_index(school, out, counting)
    opened = open_index(out, counting)
    before = opened.passage_terms.scores("học phí")
    for number in range(KEPT + 1):  # the version that was opened is deleted on the way
        change(school, "30 tháng 9" if not number else f"{number - 1} tháng 1", f"{number} tháng 1")
        build_index(school, out, counting)

    assert not (out / "versions" / opened.manifest.version).exists()
    assert np.array_equal(opened.passage_terms.scores("học phí"), before)
    nearest, _ = opened.passage_vectors.search(counting.query("phúc khảo"), 3)
    assert all(opened.passages[place].text for place in nearest)


def test_readers_see_one_index_or_the_other_and_never_half_of_one(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    build_index(school, out, counting)
    other = Path(shutil.copytree(school, school.parent / "other"))
    change(other)
    answers = set()

    def swap() -> None:
        for turn in range(6):
            build_index((other, school)[turn % 2], out, EmbedderStandIn())

    with ThreadPoolExecutor(1) as pool:
        swapping = pool.submit(swap)
        while not swapping.done():
            index = open_index(out, counting)
            (entry,) = (entry for entry in index.faq if entry.id == "tuition-deadline")
            answers.add((index.manifest.version, entry.answer))
        swapping.result()

    assert len(dict(answers)) == len(answers)


def test_so_many_versions_are_kept_and_listed(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    versions = []
    for number in range(KEPT + 2):
        (school / "documents" / "n.md").write_text(f"Văn bản {number}.\n", encoding="utf-8")
        versions.append(build_index(school, out, counting)[0].version)

    assert {path.name for path in (out / "versions").iterdir()} == set(versions[-KEPT:])
    assert current_version(out) == versions[-1]
    assert [kept.version for kept in kept_versions(out)] == versions[-1 : -KEPT - 1 : -1]


def test_roll_back_and_forth(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    first, _ = build_index(school, out, counting)
    change(school)
    second, _ = build_index(school, out, counting)

    assert roll_back(out) == first.version
    (entry,) = (e for e in open_index(out, counting).faq if e.id == "tuition-deadline")
    assert "30 tháng 9" in entry.answer
    with pytest.raises(IndexUnusableError, match="no earlier version"):
        roll_back(out)
    assert roll_back(out, second.version) == second.version
    (entry,) = (e for e in open_index(out, counting).faq if e.id == "tuition-deadline")
    assert "15 tháng 10" in entry.answer


def test_building_after_going_back_goes_forward_again(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    first, _ = build_index(school, out, counting)
    change(school)
    second, _ = build_index(school, out, counting)
    roll_back(out)

    build_index(school, out, counting)

    assert current_version(out) == second.version
    assert roll_back(out) == first.version


def test_with_nothing_to_go_back_to_that_is_said(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    with pytest.raises(IndexUnusableError, match="no earlier version"):
        roll_back(out)
    build_index(school, out, counting)
    build_index(school, out, counting)
    with pytest.raises(IndexUnusableError, match="no earlier version"):
        roll_back(out)
    with pytest.raises(IndexUnusableError, match="no version 'gone'; it has: "):
        roll_back(out, "gone")
    assert open_index(out, counting).faq


def test_what_an_interrupted_build_left_behind_does_no_harm(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    build_index(school, out, counting)
    change(school)

    def stop(step: str, done: int, total: int) -> None:
        if step == "index" and done == total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(school, out, counting, progress=stop)
    assert "30 tháng 9" in {e.id: e.answer for e in open_index(out, counting).faq}["tuition-deadline"]

    build_index(school, out, counting)
    assert "15 tháng 10" in {e.id: e.answer for e in open_index(out, counting).faq}["tuition-deadline"]


# --- broken knowledge -----------------------------------------------------------------------------------------------


def test_all_that_is_wrong_is_told_at_once_and_the_old_index_stays(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    build_index(school, out, counting)
    before = files_of(out)
    (school / "faq" / "broken.yml").write_text(
        "- id: a\n  question: [never closed\n  answer: x\n", encoding="utf-8"
    )
    (school / "faq" / "wrong.yml").write_text(
        "- id: b\n  question: Gì?\n  answer: x\n  topic: tuitoin\n"
        "- id: c\n  answer: '{{ facts.dormitory.2026.rooom }}'\n  question: Gì nữa?\n  topic: tuition\n"
        "- id: d\n  question: Sao?\n  topic: tuition\n  sources: [{document: khong-co}]\n  answer: y\n",
        encoding="utf-8",
    )
    (school / "documents" / "scan.pdf").write_bytes(b"this is no PDF")
    counting.forget()

    with pytest.raises(KnowledgeError) as caught:
        build_index(school, out, counting)

    found = {(problem.file, problem.line) for problem in caught.value.problems}
    assert {("faq/wrong.yml", 4), ("faq/wrong.yml", 6), ("faq/wrong.yml", 12)} <= found
    assert any(file == "faq/broken.yml" and line in (2, 3) for file, line in found)
    assert any(file == "documents/scan.pdf" for file, _ in found)
    for place in ("faq/wrong.yml:4", "faq/wrong.yml:12", "documents/scan.pdf"):
        assert place in str(caught.value)
    assert files_of(out) == before
    assert (counting.embedded_passages, counting.embedded_queries) == ([], [])
    assert len(open_index(out, counting).faq) == 10


# --- unusable -------------------------------------------------------------------------------------------------------


def manifest_path(out: Path) -> Path:
    return out / "versions" / str(current_version(out)) / "manifest.json"


def test_there_is_no_index(tmp_path: Path, counting: EmbedderStandIn) -> None:
    with pytest.raises(IndexUnusableError, match=r"no index in .*nowhere.*`covan index"):
        open_index(tmp_path / "nowhere", counting)


@pytest.mark.parametrize(
    "other", [EmbedderStandIn("another-model"), EmbedderStandIn(dimension=64)], ids=["name", "dimension"]
)
def test_an_index_of_another_model_is_refused(
    school: Path, out: Path, counting: EmbedderStandIn, other: EmbedderStandIn
) -> None:
    build_index(school, out, counting)

    with pytest.raises(IndexUnusableError, match="covan index") as caught:
        open_index(out, other)
    assert counting.name in str(caught.value)


def test_an_index_of_another_format_is_refused(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    build_index(school, out, counting)
    written = json.loads(manifest_path(out).read_text(encoding="utf-8"))
    manifest_path(out).write_text(json.dumps(written | {"format": FORMAT + 1}), encoding="utf-8")

    with pytest.raises(IndexUnusableError, match=rf"format {FORMAT + 1}.*`covan index`"):
        open_index(out, counting)


FILES = [
    "manifest.json",
    "passages.jsonl",
    "materials.json",
    "faq.jsonl",
    "query_rules.json",
    "calculators.jsonl",
    "facts.json",
    "dictionaries.json",
    "follow_ups.json",
    "rows.json",
    "reading.json",
    "passages.faiss",
    "faq.faiss",
    "calculators.faiss",
    "follow_ups.faiss",
    *(
        f"{folder}/{field}/{name}"
        for folder in ("passage_terms", "article_terms", "faq_terms")
        for field in ("written", "folded")
        for name in ("count.json", "keys.npy", "starts.npy", "places.npy", "weights.npy")
    ),
]

GRAPH_FILES = [
    f"graph/{name}"
    for name in ("store.json", "report.txt", "merges.jsonl", "tables.json", "relations.txt", "graph.lbug")
]


def test_every_file_of_an_index_is_tried(small_index: Path) -> None:
    version = small_index / "versions" / str(current_version(small_index))

    assert {*FILES, *GRAPH_FILES} == set(files_of(version))


def damaged_copy(index: Path, to: Path, name: str, how: str) -> Path:
    """Return a copy of an index with one file of its current version damaged."""
    out = Path(shutil.copytree(index, to))
    path = out / "versions" / str(current_version(out)) / name
    content = path.read_bytes()
    if how == "deleted":
        path.unlink()
    elif how == "emptied":
        path.write_bytes(b"")
    elif how == "cut":
        path.write_bytes(content[: len(content) // 2])
    else:
        path.write_bytes(b"\xff\0damaged" * 20)
    return out


@pytest.mark.parametrize("how", ["deleted", "emptied", "cut", "overwritten"])
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_told_with_what_to_run(
    small_index: Path, tmp_path: Path, counting: EmbedderStandIn, name: str, how: str
) -> None:
    out = damaged_copy(small_index, tmp_path / "index", name, how)

    with pytest.raises(IndexUnusableError, match="covan index"):
        open_index(out, counting)


@pytest.mark.parametrize("how", ["deleted", "emptied", "cut", "overwritten"])
@pytest.mark.parametrize(
    "name", ["graph/store.json", "graph/tables.json", "graph/relations.txt", "graph/graph.lbug"]
)
def test_with_a_damaged_graph_the_index_opens_without_it(
    small_index: Path,
    tmp_path: Path,
    counting: EmbedderStandIn,
    caplog: pytest.LogCaptureFixture,
    name: str,
    how: str,
) -> None:
    out = damaged_copy(small_index, tmp_path / "index", name, how)

    opened = open_index(out, counting)

    assert opened.store is None
    assert opened.graph_fault
    assert "knowledge graph cannot be used" in caplog.text


def test_without_the_whole_graph_the_index_opens_without_it(
    small_index: Path, tmp_path: Path, counting: EmbedderStandIn
) -> None:
    out = Path(shutil.copytree(small_index, tmp_path / "index"))
    shutil.rmtree(out / "versions" / str(current_version(out)) / "graph")

    opened = open_index(out, counting)

    assert (opened.store, len(opened.passages)) == (None, opened.manifest.passages)
    assert "store.json" in opened.graph_fault


@pytest.mark.parametrize("name", ["passages.jsonl", "faq.jsonl", "rows.json"])
def test_files_that_do_not_belong_together_are_told(
    small_index: Path, tmp_path: Path, counting: EmbedderStandIn, name: str
) -> None:
    """A file of another version reads well by itself, and would lead every question to the wrong passage."""
    out = Path(shutil.copytree(small_index, tmp_path / "index"))
    path = out / "versions" / str(current_version(out)) / name
    if name == "rows.json":
        articles, *rest = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps([articles[:-1], *rest]), encoding="utf-8")
    else:
        path.write_bytes(b"\n".join(path.read_bytes().split(b"\n")[:-1]))

    with pytest.raises(IndexUnusableError, match="covan index"):
        open_index(out, counting)


def test_a_damaged_index_is_built_anew(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    build_index(school, out, counting)
    (out / "versions" / str(current_version(out)) / "passages.jsonl").unlink()

    build_index(school, out, counting)

    assert len(open_index(out, counting).faq) == 10
