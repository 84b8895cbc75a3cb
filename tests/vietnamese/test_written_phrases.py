"""Phrases are found in texts as whole words one after the other."""

from __future__ import annotations

import pytest

from vietnamese.written_phrases import WrittenPhrases

WRITTEN = WrittenPhrases(["ngành công nghệ thông tin", "khoa y", "công nghệ sinh học", "thông tin y tế", ""])


@pytest.mark.parametrize("phrase", ["y", "khoa y", "công nghệ", "công nghệ thông tin", "thông tin y tế"])
def test_a_phrase_of_a_text_is_found(phrase: str) -> None:
    assert WRITTEN.has(phrase)


@pytest.mark.parametrize(
    "phrase",
    [
        "ngành y",
        "y công",  # of two texts
        "công nghệ thông tin y tế",  # each pair stands somewhere
        "thông ti",
        "khoa  y",
    ],
)
def test_words_that_do_not_follow_each_other_are_none(phrase: str) -> None:
    assert not WRITTEN.has(phrase)
