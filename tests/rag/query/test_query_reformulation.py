"""A question that found nothing sure is looked up in other words, a few times at most."""

from __future__ import annotations

import pytest

from rag.query.query_reformulation import reformulations
from school.reader import Reader


@pytest.mark.parametrize("tries", [1, 2, 3, 5])
def test_no_more_wordings_than_tries(reader: Reader, tries: int) -> None:
    said = reader.prepared("giá phòng KTX là bao nhiêu vậy ạ")

    found = list(reformulations(said, tries))

    assert found[0] is said
    assert len(found) == len({one.asked for one in found}) == min(tries, 3)


def test_words_of_asking_go_first_then_other_names_come(reader: Reader) -> None:
    said = reader.prepared("giá phòng KTX là bao nhiêu vậy ạ")

    _, bare, expanded = (one.asked for one in reformulations(said, 3))

    assert "bao nhiêu" not in bare
    assert bare in expanded
    assert all(name in expanded for name in said.expansions)


@pytest.mark.parametrize("text", ["bảng điểm", "là gì vậy ạ", "?"])
def test_what_would_be_looked_up_as_before_is_not_tried_again(reader: Reader, text: str) -> None:
    said = reader.prepared(text)

    assert list(reformulations(said, 3)) == [said]


def test_what_the_message_names_stays_known(reader: Reader) -> None:
    said = reader.prepared("giá phòng của em khóa 47 là bao nhiêu ạ")

    assert {one.mentions for one in reformulations(said, 3)} == {said.mentions}
