"""Everyday words stand for those of regulations, as typed and by their letters."""

from collections import Counter

import pytest

from vietnamese import equivalents
from vietnamese.data_files import yaml_beside
from vietnamese.equivalents import with_equivalents
from vietnamese.text import words

LINES = yaml_beside(equivalents.__file__, "equivalents.yml")


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("đóng tiền học trễ", "nộp học phí muộn"),
        ("tiền học phí", "học phí"),
        ("rớt môn thì sao", "không đạt môn thì sao"),
        ("sắp ra trường", "sắp tốt nghiệp"),
        ("điều kiện tốt nghiệp", "điều kiện tốt nghiệp"),
        ("mẹ lấy bằng", "mẹ nhận bằng"),
        ("", ""),
    ],
)
def test_an_everyday_word_is_the_word_of_regulations(said, means):
    assert with_equivalents(words(said)) == words(means)


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("tien hoc", "học phí"),
        ("rot mon", "không đạt mon"),
        ("tre hen", "tre hen"),  # "trễ" or "trẻ"
        ("Tiền học", "học phí"),
    ],
)
def test_by_letters_a_word_counts_that_can_be_no_other(said, means):
    assert with_equivalents(words(said), by_letters=True) == words(means)


@pytest.mark.parametrize(
    "said",
    ["pass môn", "bị đuổi khỏi phòng", "so hai ngành", "em bị mất tiền", "đóng thiếu tiền", "máy tính"],
)
def test_what_may_mean_something_else_stays(said):
    assert with_equivalents(words(said))[-2:] == words(said)[-2:]
    assert with_equivalents(words(said), by_letters=True)[-2:] == words(said)[-2:]


def test_what_is_already_put_in_the_words_of_regulations_stays():
    for first, *_ in LINES:
        assert with_equivalents(words(first)) == words(first)


def test_every_phrase_stands_once_and_is_found():
    phrases = [phrase for line in LINES for phrase in line]

    assert [phrase for phrase, times in Counter(phrases).items() if times > 1] == []
    for first, *others in LINES:
        for phrase in others:
            assert with_equivalents(words(phrase)) == words(first), phrase
