"""The verifier's numbers tell what a sentence adds, leaves out, denies and exchanges; its model weighs them."""

from __future__ import annotations

import math
import re

import pytest

from covan.project import ROOT
from rag.answer.support import shipped_support
from rag.answer.verify import Comparison, Unsupported, compared, decided, evidence_of, unsupported
from rag.decide.network import HiddenLayer, ProbabilityNetwork
from rag.types import Passage

RULES = Passage(
    "1",
    "Sinh viên được hoãn thi khi ốm đau, nếu có giấy xác nhận của bệnh viện. Sinh viên phải nộp đơn cho khoa "
    "trước ngày thi; không được nộp qua bưu điện. Mượn máy ảnh hoặc máy quay được tối đa 5 ngày. Báo trước 3 ngày.",
    "d",
    "Quy định về thi",
    "Điều 1",
)


def signals(text: str) -> dict[str, float]:
    return dict(compared(text, [evidence_of(RULES)]).signals)


def test_a_condition_that_is_left_out_is_counted() -> None:
    whole = signals("Sinh viên được hoãn thi khi ốm đau, nếu có giấy xác nhận của bệnh viện.")
    cut = signals("Sinh viên được hoãn thi khi ốm đau.")

    assert whole["conditions"] == whole["words of conditions"] == 0
    assert cut["conditions"] == 1
    assert cut["words of conditions"] > 3
    assert cut["segment said"] == 1.0


@pytest.mark.parametrize(
    ("signal", "right", "wrong"),
    [
        ("negation left", "Đơn không được nộp qua bưu điện.", "Đơn được nộp qua bưu điện."),
        ("negation added", "Sinh viên phải nộp đơn cho khoa.", "Sinh viên không phải nộp đơn cho khoa."),
        ("leave for duty", "Sinh viên phải nộp đơn cho khoa.", "Sinh viên được nộp đơn cho khoa."),
        ("and for or", "Mượn máy ảnh hoặc máy quay được 5 ngày.", "Mượn máy ảnh và máy quay được 5 ngày."),
        ("other side", "Báo trước 3 ngày.", "Báo sau 3 ngày."),
        ("new", "Nộp đơn cho khoa.", "Nộp đơn nhanh gọn cho khoa."),
        ("cross", "Nộp đơn cho khoa trước ngày thi.", "Khi ốm đau, nộp đơn qua bưu điện."),
        (
            "alone.every",
            "Sinh viên được hoãn thi khi ốm đau.",
            "Mọi sinh viên luôn được hoãn thi khi ốm đau.",
        ),
    ],
)
def test_a_number_is_higher_for_the_wrong_sentence(signal: str, right: str, wrong: str) -> None:
    assert signals(wrong)[signal] > signals(right)[signal]


def test_every_sentence_has_the_same_finite_numbers_and_those_of_the_model_are_among_them() -> None:
    some = [
        signals(text) for text in ("Nộp đơn cho khoa.", "Học phí.", "Hoãn thi khi ốm đau và mượn máy ảnh.")
    ]

    assert all(each.keys() == some[0].keys() for each in some)
    assert all(math.isfinite(value) for each in some for value in each.values())
    assert set(shipped_support().names) <= some[0].keys()


def fixed(probability: float) -> ProbabilityNetwork:
    """Return a model that says one probability of everything."""
    odds = math.log(probability / (1 - probability))
    layer = HiddenLayer(weights=((0.0,),), biases=(0.0,), output=(0.0,), bias=odds)
    return ProbabilityNetwork(names=("new",), means=(0.0,), scales=(1.0,), members=(layer,))


@pytest.mark.parametrize(
    ("fault", "probability", "expected"),
    [
        (None, 0.3, None),
        (None, 0.2, Unsupported.UNLIKELY),
        (Unsupported.APART, 0.6, Unsupported.APART),
        (Unsupported.APART, 0.8, None),
    ],
)
def test_a_fault_needs_a_higher_probability(
    fault: Unsupported | None, probability: float, expected: Unsupported | None
) -> None:
    assert decided(Comparison(fault=fault, signals={"new": 0.0}), fixed(probability)) is expected


def test_a_wrong_number_name_or_cohort_is_refused_whatever_the_model_says() -> None:
    for text in ("Mượn máy ảnh được tối đa 6 ngày.", "Nộp đơn cho Phòng Đào tạo."):
        found = compared(text, [evidence_of(RULES)])

        assert found.refused is not None
        assert not found.signals
        assert decided(found, fixed(0.99)) is found.refused


def test_what_documents_say_word_for_word_is_supported() -> None:
    """The learned part does not mistake a quotation for a cut one: one of a hundred may be rejected."""
    documents = sorted((ROOT / "knowledge" / "documents").glob("*.md"))[::4]
    articles = [
        article.partition("\n")[2].strip()
        for document in documents
        for article in document.read_text(encoding="utf-8").split("\n### ")[1:]
    ]
    quoted = rejected = 0
    for article in (each for each in articles if "|" not in each and "#" not in each):
        evidence = evidence_of(Passage("1", article, "d", "Quy định", "Điều 1"))
        for line in article.split("\n"):
            for sentence in re.split(r"(?<=\.)\s", line):
                if len(sentence.split()) > 7 and not {":", ";"} & set(sentence) and sentence.endswith("."):
                    quoted += 1
                    rejected += unsupported(sentence, [evidence]) is not None

    assert quoted > 50
    assert rejected <= quoted / 100
