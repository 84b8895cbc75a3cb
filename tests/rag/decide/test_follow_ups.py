"""The follow-ups of a school tell what a message asks for behind its matters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rag.decide.follow_ups import ENOUGH, UNLIKE, FollowUps
from rag.index.dense import FaissIndex
from rag.index.format import Index
from rag.types import FaqEntry, FollowUp

D = 8
WHERE, WHEN = np.eye(D, dtype=np.float32)[:2]


def with_follow_ups(index: Index, *said: tuple[FollowUp, np.ndarray]) -> Index:
    vectors = np.array([vector for _, vector in said], np.float32)
    return replace(
        index,
        follow_ups=tuple(one for one, _ in said),
        follow_up_vectors=FaissIndex.build(vectors, D),
    )


@pytest.fixture
def entries(index: Index) -> list[FaqEntry]:
    return list({entry.family: entry for entry in index.faq}.values())


def test_the_same_words_ask_for_another_entry_behind_another_matter(
    index: Index, entries: list[FaqEntry]
) -> None:
    a, b = entries[:2]
    follow_ups = FollowUps(
        with_follow_ups(
            index,
            (FollowUp(a.id, "nộp ở đâu", (a.id,)), WHERE),
            (FollowUp(b.id, "nop o dau v", (b.id,)), WHERE),
        )
    )

    behind = {entry.id: follow_ups.likely(WHERE, [entry]) for entry in (a, b)}
    for own, other in ((a, b), (b, a)):
        likely = behind[own.id]
        assert likely is not None
        assert likely.shares[own.family] > 4 * likely.shares[other.family]
        assert likely.cosines[own.family] == likely.cosines[other.family] == pytest.approx(1)


def test_the_last_matter_counts_more_than_those_before(index: Index, entries: list[FaqEntry]) -> None:
    a, b, c = entries[:3]
    follow_ups = FollowUps(
        with_follow_ups(
            index, *((FollowUp(entry.id, "nộp ở đâu", (entry.id,)), WHERE) for entry in (a, b, c))
        )
    )

    likely = follow_ups.likely(WHERE, [a, b])
    assert likely is not None
    assert likely.shares[a.family] > likely.shares[b.family] > likely.shares[c.family] > 0


def test_what_stands_behind_another_answer_of_the_topic_counts_more(
    index: Index, entries: list[FaqEntry]
) -> None:
    last, near, far = (
        replace(entry, topic=topic)
        for entry, topic in zip(entries, ("tuition", "tuition", "dormitory"), strict=False)
    )
    follow_ups = FollowUps(
        with_follow_ups(
            replace(index, faq=(last, near, far)),
            *((FollowUp(entry.id, "đóng trễ thì sao", (entry.id,)), WHERE) for entry in (near, far)),
        )
    )

    likely = follow_ups.likely(WHERE, [last])
    assert likely is not None
    assert likely.shares[near.family] > 2 * likely.shares[far.family] > 0


def test_what_nothing_answers_is_told_and_what_is_unlike_tells_nothing(
    index: Index, entries: list[FaqEntry]
) -> None:
    a = entries[0]
    follow_ups = FollowUps(with_follow_ups(index, (FollowUp(a.id, "có màu hồng không"), WHERE)))

    near, far = follow_ups.likely(WHERE, [a]), follow_ups.likely(WHEN, [a])
    assert near is not None
    assert far is not None
    assert near.signals(a.family) == {
        "follow_ups.share": 0.0,
        "follow_ups.cosine": UNLIKE,
        "follow_ups.unanswered": pytest.approx(1, abs=0.05),
    }
    assert far.signals(a.family)["follow_ups.unanswered"] < 0.01


def test_those_that_are_left_out_and_entries_that_are_gone_tell_nothing(
    index: Index, entries: list[FaqEntry]
) -> None:
    a = entries[0]
    one = FollowUp(a.id, "nộp ở đâu", (a.id,))
    taught = with_follow_ups(
        index,
        (one, WHERE),
        (FollowUp("removed-since", "nộp ở đâu", (a.id,)), WHERE),
        (FollowUp(a.id, "nộp ở đâu", ("removed-since",)), WHERE),
    )
    likely = FollowUps(taught).likely(WHERE, [a])
    without = FollowUps(taught).likely(WHERE, [a], {one})

    assert likely is not None
    assert set(likely.shares) == {a.family}
    assert without is not None
    assert (without.shares[a.family], without.cosines[a.family]) == (0, UNLIKE)


def test_without_follow_ups_nothing_is_told(index: Index, entries: list[FaqEntry]) -> None:
    follow_ups = FollowUps(replace(index, follow_ups=(), follow_up_vectors=None))

    assert follow_ups.likely(WHERE, entries[:1]) is None
    assert not follow_ups.are_enough


def test_a_school_has_enough_when_every_entry_has_some_on_average(
    index: Index, entries: list[FaqEntry]
) -> None:
    a = entries[0]
    one = FollowUp(a.id, "nộp ở đâu", (a.id,)), WHERE
    enough = ENOUGH * len(entries)

    assert FollowUps(with_follow_ups(index, *[one] * enough)).are_enough
    assert not FollowUps(with_follow_ups(index, *[one] * (enough - 1))).are_enough
