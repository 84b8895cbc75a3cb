"""BM25 finds words, pairs of words, and words typed without diacritics."""

from __future__ import annotations

from pathlib import Path

import bm25s
import numpy as np
import pytest

from rag.index.lexical import K1, B, Bm25Index, TextIndex, folded_terms, is_undiacritised, terms, top
from vietnamese.text import words

TEXTS = [
    "Học phí một tín chỉ là 560.000 đồng.",
    "Học bổng khuyến khích học tập xét theo học kỳ.",
    "Ký túc xá đóng cửa lúc 22 giờ 30.",
    "Phí ký túc xá đóng theo học kỳ.",
    "Chuẩn tiếng Anh: TOEIC 500.",
]


@pytest.fixture(scope="module")
def index() -> TextIndex:
    return TextIndex.build(TEXTS)


def best(index: TextIndex, question: str, *also: str) -> str:
    return TEXTS[int(np.argmax(index.scores(question, also)))]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("học phí bao nhiêu", 0),
        ("hoc phi bao nhieu", 0),
        ("HỌC PHÍ", 0),
        ("học bổng", 1),
        ("ký túc xá đóng cửa", 2),
        ("phi ky tuc xa", 3),
        ("toeic", 4),
        ("560.000", 0),
    ],
)
def test_the_text_with_the_words_is_first(index: TextIndex, question: str, expected: int) -> None:
    assert best(index, question) == TEXTS[expected]


def test_words_in_order_count_more_than_words_apart(index: TextIndex) -> None:
    """ "học phí" stands in the first text; in the fourth there are "học" and "phí"."""
    scores = index.scores("học phí")

    assert scores[0] > scores[3] > 0


def test_diacritics_that_were_typed_count() -> None:
    index = TextIndex.build(["bảo lưu kết quả", "bao lúa kệt quá"])

    written, bare = index.scores("bảo lưu"), index.scores("bao luu")

    assert written[0] > 0 == written[1]
    assert bare[0] > 0


def test_other_names_of_what_is_asked_count(index: TextIndex) -> None:
    assert index.scores("ktx").max() == 0
    assert best(index, "ktx đóng cửa", "ký túc xá") == TEXTS[2]


def test_a_name_that_is_said_already_does_not_count_twice(index: TextIndex) -> None:
    assert np.array_equal(index.scores("học phí", ["học phí"]), index.scores("học phí"))


@pytest.mark.parametrize("question", ["", "?!", "zzz", "là gì", "x" * 10_000, "\ud800"])
def test_what_is_nowhere_scores_nothing(index: TextIndex, question: str) -> None:
    scores = index.scores(question)

    assert scores.shape == (len(TEXTS),)
    assert not scores.any()


@pytest.mark.parametrize("texts", [[], [""], ["", "học phí", "?!"]])
def test_no_texts_and_texts_that_say_nothing(texts: list[str], tmp_path: Path) -> None:
    index = TextIndex.build(texts)
    index.save(tmp_path / "index")

    for one in (index, TextIndex.load(tmp_path / "index")):
        scores = one.scores("học phí")
        assert scores.shape == (len(texts),)
        assert list(scores > 0) == ["học phí" in text for text in texts]


def test_saved_and_loaded_it_scores_the_same(index: TextIndex, tmp_path: Path) -> None:
    index.save(tmp_path / "index")
    loaded = TextIndex.load(tmp_path / "index")

    for question in ("học phí", "ky tuc xa", "là gì", "toeic 500"):
        assert np.array_equal(loaded.scores(question), index.scores(question))
    assert loaded.counts == index.counts == (len(TEXTS), len(TEXTS))
    assert loaded.folded.document_frequency("ky") == 3


def test_loaded_from_disk_it_does_not_need_the_disk(index: TextIndex, tmp_path: Path) -> None:
    index.save(tmp_path / "index")
    loaded = TextIndex.load(tmp_path / "index")
    for path in sorted((tmp_path / "index").rglob("*.*")):
        path.unlink()

    assert np.array_equal(loaded.scores("học phí"), index.scores("học phí"))


def test_the_scores_are_those_of_bm25s() -> None:
    corpus = [["a", "b", "a"], ["a"], ["c", "b"]]
    model = bm25s.BM25(method="lucene", k1=K1, b=B)
    model.index(corpus, show_progress=False)

    for asked in (["a"], ["c", "b", "b"], ["z"]):
        known = [term for term in asked if term in model.vocab_dict]
        expected = model.get_scores(known) if known else np.zeros(3)
        assert np.array_equal(Bm25Index.build(corpus).scores(asked), expected)


@pytest.mark.parametrize("name", ["keys", "starts", "places", "weights"])
def test_arrays_that_do_not_belong_together_are_told(name: str, tmp_path: Path) -> None:
    Bm25Index.build([["a", "b"], ["a"]]).save(tmp_path / "small")
    Bm25Index.build([["a"], ["b", "c"], ["d"]]).save(tmp_path / "other")
    (tmp_path / "other" / f"{name}.npy").replace(tmp_path / "small" / f"{name}.npy")

    with pytest.raises(ValueError, match="do not belong together"):
        Bm25Index.load(tmp_path / "small")


def test_how_many_texts_have_a_word() -> None:
    index = Bm25Index.build([["a", "b", "a"], ["a"], []])

    assert [index.document_frequency(term) for term in "abz"] == [2, 1, 0]


def test_terms_are_words_that_say_something_and_pairs_with_one() -> None:
    assert terms(["học", "phí", "là", "gì"]) == ["học", "phí", "học phí", "phí là"]
    assert folded_terms(["Học", "PHÍ"]) == ["hoc", "phi", "hoc phi"]
    assert terms(["là", "gì"]) == []


@pytest.mark.parametrize(
    ("text", "bare"), [("hoc phi", True), ("HOC PHI 47", True), ("học phi", False), ("đi", False), ("", True)]
)
def test_typed_without_diacritics(text: str, bare: bool) -> None:
    assert is_undiacritised(text) is bare


def test_top_is_the_best_first_and_ties_in_their_order() -> None:
    scores = np.array([1.0, 3.0, 2.0, 3.0, 0.0], np.float32)

    assert list(top(scores, 3)) == [1, 3, 2]
    assert list(top(scores, 5)) == [1, 3, 2, 0, 4]
    assert list(top(scores, 100)) == [1, 3, 2, 0, 4]
    assert list(top(np.zeros(0, np.float32), 3)) == []


def test_an_exam_is_no_word_of_asking() -> None:
    assert "thi" in folded_terms(words("thi lại môn nào"))
    assert "thi" not in folded_terms(words("muốn bảo lưu thì sao"))
