"""A question that found nothing sure is looked up in other words, a few times at most."""

from __future__ import annotations

import pytest

from rag.query.query_reformulation import reformulations
from rag.query.understanding import Understanding
from rag.types import Question


@pytest.mark.parametrize("tries", [1, 2, 3, 5])
def test_no_more_wordings_than_tries(understanding: Understanding, tries: int) -> None:
    said = understanding.understand(Question("giá phòng KTX là bao nhiêu vậy ạ"))

    found = list(reformulations(said, tries))

    assert found[0] is said
    assert len(found) == len({one.asked for one in found}) == min(tries, 3)


def test_words_of_asking_go_first_then_other_names_come(understanding: Understanding) -> None:
    said = understanding.understand(Question("giá phòng KTX là bao nhiêu vậy ạ"))

    _, bare, expanded = (one.asked for one in reformulations(said, 3))

    assert "bao nhiêu" not in bare
    assert bare in expanded
    assert all(name in expanded for name in said.also)


@pytest.mark.parametrize("text", ["bảng điểm", "là gì vậy ạ", "?"])
def test_what_would_be_looked_up_as_before_is_not_tried_again(
    understanding: Understanding, text: str
) -> None:
    said = understanding.understand(Question(text))

    assert list(reformulations(said, 3)) == [said]


def test_who_asks_stays_known(understanding: Understanding) -> None:
    said = understanding.understand(Question("giá phòng của em khóa 47 là bao nhiêu ạ"))

    assert {one.profile for one in reformulations(said, 3)} == {said.profile}
