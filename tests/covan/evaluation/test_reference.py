"""An answer matches a reference when it holds most of its pairs of words and is not long."""

from __future__ import annotations

import pytest

from covan.evaluation.reference import says

REFERENCE = "một hai ba bốn năm sáu"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (REFERENCE, True),
        ("MỘT, hai; ba (bốn) năm: sáu!", True),
        ("mo\u0323\u0302t hai ba bốn", True),
        ("một hai ba bốn", True),  # three pairs of five are just enough
        ("một hai ba sáu năm", False),
        ("sáu năm bốn ba hai một", False),
        ("", False),
        (REFERENCE + " thêm" * 144, True),  # 150 words are allowed
        (REFERENCE + " thêm" * 145, False),
    ],
)
def test_most_pairs_in_few_words(answer: str, said: bool) -> None:
    assert says(answer, REFERENCE) is said


def test_a_long_reference_allows_twice_its_length() -> None:
    reference = " ".join(f"w{number}" for number in range(100))

    assert says(reference + " thêm" * 100, reference)
    assert not says(reference + " thêm" * 101, reference)


@pytest.mark.parametrize(
    ("answer", "reference", "said"),
    [("Là 120 tín chỉ", "120", True), ("Là 1200", "120", False), ("Có", "", False), ("", "", False)],
)
def test_a_reference_of_one_word_or_none(answer: str, reference: str, said: bool) -> None:
    assert says(answer, reference) is said
