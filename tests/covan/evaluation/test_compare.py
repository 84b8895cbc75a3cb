"""A comparison has the figures of every preset, and the questions on which they differ."""

from __future__ import annotations

from labelled_replies import ANSWER, NO_ANSWER, judged, labelled, reply

from covan.evaluation.compare import compared_figures, difference
from covan.evaluation.figures import measures
from covan.evaluation.judged import Judged
from covan.evaluation.measure import Run

RIGHT, WRONG = reply(ANSWER, answer_id="a"), reply(ANSWER, answer_id="b")


def run(preset: str, *items: Judged) -> Run:
    return Run(preset, "1", items, measures(items))


def answered(id: str, right: bool) -> Judged:
    return judged(labelled(ANSWER, "a", id=id), RIGHT if right else WRONG)


def test_who_is_right_where() -> None:
    one = run("covan", answered("1", True), answered("2", True), answered("3", False), answered("4", False))
    other = run("urag", answered("1", True), answered("2", False), answered("3", True), answered("4", False))

    found = difference(one, other)

    assert (found.one, found.other) == ("covan", "urag")
    assert [(mine.id, theirs.id) for mine, theirs in found.gained] == [("2", "2")]
    assert [(mine.id, theirs.id) for mine, theirs in found.lost] == [("3", "3")]


def test_the_figures_compared_are_those_that_somebody_has() -> None:
    silent = run("silent", judged(labelled(ANSWER, "a"), reply(NO_ANSWER)))

    assert "aurc" not in compared_figures([silent])
    assert compared_figures([silent, run("covan", answered("1", True))]) == [
        "accuracy",
        "answer.right",
        "answered",
        "answered.right",
        "aurc",
    ]
