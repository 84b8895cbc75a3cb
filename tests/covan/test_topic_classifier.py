"""The topic classifier: probabilities that can be relied on, the same every time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from embedder_stand_in import EmbedderStandIn

from covan import topic_classifier
from covan.topic_classifier import TopicClassifier, TopicsError, regularised
from school.sentence_embedder import VectorArray

LINES = [
    ("KTX", "đăng ký phòng ký túc xá ở đâu"),
    ("KTX", "nội quy ký túc xá về giờ giấc"),
    ("KTX", "phí ở ký túc xá một tháng"),
    ("KTX", "chuyển phòng trong ký túc xá"),
    ("Tot_nghiep", "điều kiện xét tốt nghiệp"),
    ("Tot_nghiep", "khi nào nhận bằng tốt nghiệp"),
    ("Tot_nghiep", "nộp hồ sơ xét tốt nghiệp sớm"),
    ("Tot_nghiep", "lễ trao bằng tốt nghiệp đợt này"),
    ("Hoc_phi", "hạn đóng học phí học kỳ này"),
    ("Hoc_phi", "học phí một tín chỉ bao nhiêu"),
    ("Hoc_phi", "miễn giảm học phí cho ai"),
    ("Hoc_phi", "đóng học phí trễ có sao không"),
]
TEXTS = [text for _, text in LINES]
LABELS = [label for label, _ in LINES]
UNSEEN = ["ký túc xá còn phòng không", "bao giờ xét tốt nghiệp", "học phí ngành luật"]


def embed(texts: Sequence[str]) -> VectorArray:
    stand_in = EmbedderStandIn()
    return np.stack([stand_in.query(text) for text in texts])


def trained(texts: Sequence[str] = TEXTS, labels: Sequence[str] = LABELS) -> TopicClassifier:
    return TopicClassifier(embed).fit(texts, labels)


def test_unseen_texts_get_their_topic() -> None:
    assert trained().predict(UNSEEN) == ["KTX", "Tot_nghiep", "Hoc_phi"]


def test_a_row_of_probabilities_for_each_text_in_the_order_of_the_labels() -> None:
    classifier = trained()
    probabilities = classifier.predict_proba(UNSEEN)

    assert classifier.labels == ("Hoc_phi", "KTX", "Tot_nghiep")
    assert probabilities.shape == (3, 3)
    assert probabilities.sum(axis=1) == pytest.approx(1.0)
    assert [classifier.labels[column] for column in probabilities.argmax(axis=1)] == classifier.predict(
        UNSEEN
    )


def test_a_text_between_two_topics_is_less_sure_than_one_within() -> None:
    within, between = trained().predict_proba(["phòng ký túc xá", "học phí ký túc xá"]).max(axis=1)

    assert between < within


def test_labels_that_say_nothing_make_no_certainty() -> None:
    """The temperature keeps the classifier unsure of topics that cannot be learnt."""
    texts = [f"quy định số {number} của trường" for number in range(40)]
    labels = ["A" if number % 3 else "B" for number in range(40)]

    assert trained(texts, labels).predict_proba(["quy định số 99 của trường"]).max() < 0.9


def test_the_same_every_time_whatever_the_order_of_the_lines() -> None:
    first = trained().predict_proba(UNSEEN)

    assert np.array_equal(first, trained().predict_proba(UNSEEN))
    assert trained(TEXTS[::-1], LABELS[::-1]).predict_proba(UNSEEN) == pytest.approx(first, abs=1e-5)


def test_left_out_scores_are_those_of_training_on_all_others() -> None:
    vectors = embed(TEXTS).astype(np.float64)
    kernel = vectors @ vectors.T
    targets = np.where(np.asarray(LABELS)[:, None] == np.asarray(sorted(set(LABELS))), 1.0, -1.0)

    _, left_out = regularised(kernel, targets)

    for out in range(len(TEXTS)):
        rest = [row for row in range(len(TEXTS)) if row != out]
        weights, _ = regularised(kernel[np.ix_(rest, rest)], targets[rest])
        assert left_out[out] == pytest.approx(kernel[out, rest] @ weights)


@pytest.mark.parametrize("text", ["", "???", "x" * 100_000, "\ufdfa" * 500, "\x00\ud800", "qwerty zzz"])
def test_any_text_gets_probabilities(text: str) -> None:
    assert trained().predict_proba([text]).sum() == pytest.approx(1.0)


def test_no_texts_no_rows() -> None:
    assert trained().predict_proba([]).shape == (0, 3)


def test_the_embedder_gets_only_clean_texts_of_a_bounded_length() -> None:
    given: list[str] = []

    def watched(texts: Sequence[str]) -> VectorArray:
        given.extend(texts)
        return embed(texts)

    TopicClassifier(watched).fit([*TEXTS, "a\x00b" * 5_000], [*LABELS, "KTX"])

    assert max(map(len, given)) == topic_classifier.MAX_QUESTION_CHARS
    assert not any("\x00" in text for text in given)


@pytest.mark.parametrize(
    ("texts", "labels", "says"),
    [
        (["một", "hai"], ["A", "A"], "two topics are needed"),
        ([], [], "two topics are needed"),
        (["", "  "], ["A", "B"], "every text to learn from is empty"),
    ],
)
def test_what_cannot_be_learnt_is_told(texts: list[str], labels: list[str], says: str) -> None:
    with pytest.raises(TopicsError, match=says):
        trained(texts, labels)


def test_more_texts_than_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topic_classifier, "MAX_TEXTS", 11)

    with pytest.raises(TopicsError, match="12 texts to learn from, at most 11"):
        trained()


def test_asking_before_learning_is_told() -> None:
    with pytest.raises(TopicsError, match="call fit first"):
        TopicClassifier(embed).predict(["học phí"])
