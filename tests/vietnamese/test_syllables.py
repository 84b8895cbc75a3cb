"""What could be a Vietnamese syllable and what could not."""

from __future__ import annotations

import pytest

from vietnamese.syllables import is_syllable


@pytest.mark.parametrize(
    "word",
    ["luat", "it", "duoc", "nghieng", "khuyu", "gi", "giua", "quyen", "ke", "cong", "y", "thuong", "ba"],
)
def test_syllables(word: str) -> None:
    assert is_syllable(word)


@pytest.mark.parametrize(
    "word", ["cntt", "nna", "kts", "nge", "ke1", "marketing", "mis", "ka", "tn", "ngh", "congg", ""]
)
def test_no_syllables(word: str) -> None:
    assert not is_syllable(word)
