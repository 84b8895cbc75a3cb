"""An index uses the texts that a model has written before, without a model; a changed source makes them void."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn
from generated_by_hand import keep_generated

from rag.errors import IndexUnusableError
from rag.index.format import Index
from rag.index.versions import open_index, publish_faq
from rag.ingest.build import build_index, is_current
from rag.ingest.faq_update import with_faq
from rag.ingest.generated_texts import GENERATED_FILE, GeneratedTexts
from rag.pipeline import load_pipeline
from rag.retrieve import passages
from rag.retrieve.faq import VERBATIM, FaqRetriever
from rag.retrieve.passages import PassageRetriever
from school.reader import Reader

WORDING = "muốn lấy bảng điểm tổng kết học hành ở đâu"
ENTRY = "study-transcript"
QUESTION = "Đã bỏ môn thì tiền có được trả về không?"


def rebuilt(school: Path, out: Path, embedder: EmbedderStandIn) -> Index:
    build_index(school, out, embedder)
    return open_index(out, embedder)


def clause_of(index: Index, words: str) -> str:
    (found,) = (passage.id for passage in index.passages if words in passage.text)
    return found


def best_entry(index: Index, embedder: EmbedderStandIn, text: str) -> tuple[str, dict[str, float]]:
    best = FaqRetriever(index, load_pipeline("urag").faq).retrieve(text, embedder.query(text))[0]
    return best.item.id, dict(best.scores)


def rank(index: Index, embedder: EmbedderStandIn, text: str, passage: str) -> tuple[int, float, float]:
    """Return the place of a passage for a question, with its scores `dense` and `cosine`."""
    reading = Reader(replace(index.reading, lexicon=None)).prepared(text)
    found = PassageRetriever(index, load_pipeline("covan").retrieval).retrieve(reading, embedder.query(text))
    place, candidate = next((n, each) for n, each in enumerate(found) if each.item.id == passage)
    return place, candidate.scores["dense"], candidate.scores["cosine"]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "index"


def test_a_wording_leads_to_its_entry_and_is_marked(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    before = rebuilt(school, out, counting)
    keep_generated(school, out, wordings={ENTRY: [WORDING]})
    after = rebuilt(school, out, counting)

    marked = [after.faq_texts[place] for place in after.faq_generated]
    assert [text.lower() for text in marked] == [WORDING]
    assert before.faq_generated == frozenset()
    assert set(before.faq_texts) == set(after.faq_texts) - set(marked)
    _, old = best_entry(before, counting, WORDING)
    entry, new = best_entry(after, counting, WORDING)
    assert entry == ENTRY
    assert new["cosine"] == pytest.approx(1, abs=0.01)
    assert old["cosine"] < 0.95


def test_the_very_words_of_a_wording_are_no_office_s(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    keep_generated(school, out, wordings={ENTRY: [WORDING]})
    index = rebuilt(school, out, counting)

    assert best_entry(index, counting, WORDING)[1][VERBATIM] == 0
    assert best_entry(index, counting, "Xin bảng điểm ở đâu?")[1][VERBATIM] == 1


@pytest.mark.parametrize(
    "wordings",
    [
        {ENTRY: ["mất thẻ sv xin cấp lại sao"]},
        {ENTRY: ["Ở ký túc xá một tháng mất mấy tiền"]},
        {ENTRY: ["làm lại thẻ ấy ở đâu"], "study-card": ["Làm lại thẻ ấy ở đâu?"]},
        {"dormitory-fee": ["Ở ký túc xá 5 tháng hết bao nhiêu tiền?"]},
    ],
    ids=["another entry's words", "nearest to another entry", "of two entries", "a calculator's words"],
)
def test_a_wording_takes_no_question_from_another_entry(
    school: Path, out: Path, counting: EmbedderStandIn, wordings: dict[str, list[str]]
) -> None:
    keep_generated(school, out, wordings=wordings)

    assert rebuilt(school, out, counting).faq_generated == frozenset()


def test_a_question_leads_to_its_clause(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    before = rebuilt(school, out, counting)
    clause = clause_of(before, "không hoàn lại học phí")
    keep_generated(school, out, questions={clause: [QUESTION]})
    after = rebuilt(school, out, counting)

    assert [after.passages[row].id for row in after.question_rows] == [clause]
    place, dense, cosine = rank(before, counting, QUESTION, clause)
    new_place, new_dense, new_cosine = rank(after, counting, QUESTION, clause)
    assert new_place < place
    assert dense < new_dense == 1
    # What gates read is of the clause's own words.
    assert new_cosine == cosine


def test_in_a_large_index_a_question_brings_its_clause_in(
    school: Path, out: Path, counting: EmbedderStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passages, "_ALL_AT_ONCE", 0)
    few = load_pipeline("covan").retrieval.model_copy(update={"candidates": 1})

    def found(index: Index) -> set[str]:
        reading = Reader(replace(index.reading, lexicon=None)).prepared(QUESTION)
        retriever = PassageRetriever(index, few)
        return {each.item.id for each in retriever.retrieve(reading, counting.query(QUESTION), 10)}

    before = rebuilt(school, out, counting)
    clause = clause_of(before, "không hoàn lại học phí")
    keep_generated(school, out, questions={clause: [QUESTION]})

    assert clause not in found(before)
    assert clause in found(rebuilt(school, out, counting))


def test_what_is_kept_makes_another_version_and_needs_no_model(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    build_index(school, out, counting)
    assert is_current(out, school, counting)
    counting.forget()
    keep_generated(school, out, wordings={ENTRY: [WORDING]})
    assert not is_current(out, school, counting)

    build_index(school, out, counting)

    assert is_current(out, school, counting)
    assert [text.lower() for text in counting.embedded_queries] == [WORDING]
    assert counting.embedded_passages == []


def test_a_changed_source_has_no_texts(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    clause = clause_of(rebuilt(school, out, counting), "không hoàn lại học phí")
    keep_generated(school, out, wordings={ENTRY: [WORDING]}, questions={clause: [QUESTION]})
    assert rebuilt(school, out, counting).question_rows
    document, faq = school / "documents" / "quy-che-2025.md", school / "faq" / "faq.yml"
    before = {path: path.read_text(encoding="utf-8") for path in (document, faq)}
    document.write_text(before[document].replace("tuần thứ sáu", "tuần thứ bảy"), encoding="utf-8")
    faq.write_text(before[faq].replace("in bang diem o dau", "in bang diem cho nao"), encoding="utf-8")

    changed = rebuilt(school, out, counting)

    assert (changed.faq_generated, changed.question_rows) == (frozenset(), ())
    for path, text in before.items():
        path.write_text(text, encoding="utf-8")
    back = rebuilt(school, out, counting)
    assert (len(back.faq_generated), len(back.question_rows)) == (1, 1)


def test_an_edit_of_the_faq_keeps_the_wordings_of_other_entries(
    school: Path, out: Path, counting: EmbedderStandIn
) -> None:
    wordings = {ENTRY: [WORDING], "study-card": ["tấm thẻ của em rơi rồi, làm lại ở chỗ nào"]}
    keep_generated(school, out, wordings=wordings)
    index = rebuilt(school, out, counting)
    assert len(index.faq_generated) == 2
    edited = tuple(
        replace(entry, variants=(*entry.variants, "xin bảng điểm kiểu gì")) if entry.id == ENTRY else entry
        for entry in index.faq
    )

    publish_faq(with_faq(index, edited, counting), out)

    (place,) = open_index(out, counting).faq_generated
    assert "rơi rồi" in open_index(out, counting).faq_texts[place]


def test_a_damaged_file_is_told_and_never_deleted(school: Path, out: Path, counting: EmbedderStandIn) -> None:
    build_index(school, out, counting)
    keep_generated(school, out, wordings={ENTRY: [WORDING]})
    file = out / GENERATED_FILE
    file.write_bytes(b"this is no database" * 100)

    assert not is_current(out, school, counting)
    with pytest.raises(IndexUnusableError, match="covan enrich"):
        build_index(school, out, counting)
    assert file.read_bytes().startswith(b"this is no database")


def test_what_was_written_first_stays(school: Path, out: Path) -> None:
    keep_generated(school, out, wordings={ENTRY: [WORDING]})
    keep_generated(school, out, wordings={ENTRY: ["khác"]})

    (row,) = GeneratedTexts(out).rows()
    assert (row.texts, row.source, row.model) == ((WORDING,), ENTRY, "by-hand")


def test_reading_makes_no_file(out: Path) -> None:
    assert GeneratedTexts(out).read().stamp == ""
    assert not out.exists()


def test_a_row_that_is_no_list_of_texts_is_damage(school: Path, out: Path) -> None:
    keep_generated(school, out, wordings={ENTRY: [WORDING]})
    with sqlite3.connect(out / GENERATED_FILE) as db:
        db.execute("UPDATE generated SET texts = '7'")

    with pytest.raises(IndexUnusableError):
        GeneratedTexts(out).read()
