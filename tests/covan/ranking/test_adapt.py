"""A school's own ranking is judged by questions that it was not learnt from."""

from __future__ import annotations

from ranked_lists import example, ranking_by

from covan.ranking.adapt import adapt


def test_where_the_school_is_unlike_others_adapting_helps() -> None:
    adapted = adapt([example("numbers", seed) for seed in range(200)], ranking_by(dense=0.1), "mine-1")

    assert adapted.is_better
    assert adapted.after.mrr > adapted.before.mrr + 0.1
    assert adapted.model.embedder == "mine-1"


def test_where_nothing_can_be_learnt_nothing_is_better() -> None:
    noise = [example("dense", seed, noise=100.0) for seed in range(60)]

    assert not adapt(noise, ranking_by(dense=0.1), "mine-1").is_better


def test_what_all_ways_to_ask_one_question_share_is_not_taken_for_skill() -> None:
    """All examples repeat five questions: within a group the answer has the same features."""
    same = [example("dense", seed % 5, group=f"g{seed % 5}", noise=100.0) for seed in range(100)]

    adapted = adapt(same, ranking_by(dense=0.1), "mine-1")

    assert adapted.after.by_group.keys() == {f"g{number}" for number in range(5)}
    assert not adapted.is_better
