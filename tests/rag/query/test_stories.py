"""The clauses by which a long message that asks nothing in so many words is looked up."""

from __future__ import annotations

import pytest

from rag.query.message_editing import CLAUSE_WORDS, MOST_CLAUSES, clauses_of_story


def test_long_clauses_of_long_messages_are_looked_up() -> None:
    clause = " ".join(["chữ"] * CLAUSE_WORDS)
    many = ", ".join([clause] * (MOST_CLAUSES + 2))

    assert clauses_of_story(f"{many}, ạ") == (clause,) * MOST_CLAUSES


def test_of_a_shorter_message_the_clause_that_asks_is_looked_up() -> None:
    text = "nhà em ở xa, trường có xe đưa đón sinh viên không, em hay say xe"

    assert clauses_of_story(text) == ("trường có xe đưa đón sinh viên không",)


@pytest.mark.parametrize("text", ["", "học phí bao nhiêu, khi nào đóng", "a, " * 40])
def test_short_messages_and_short_clauses_are_not(text: str) -> None:
    assert clauses_of_story(text) == ()
