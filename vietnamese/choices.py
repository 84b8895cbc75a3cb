"""Typed choices: "2", "cái đầu tiên", "câu cuối", or an option's own words, whole or shortened.

The words stand in `choices.yml`. Nothing but the choice may be in the message: "2 ngành cùng lúc được không" chooses
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from vietnamese.data_files import yaml_beside
from vietnamese.stopwords import says_something
from vietnamese.text import clean, fold, words

MOST_CHARS = 200
"""A longer message is no choice: button titles are shorter."""

MOST_COUNTED = 20
"""A higher number counts off no option."""

WORDS_OF_A_NUMBERED_TITLE = 3
"""A number chooses a title by its own number only up to this length: "50" is "Khóa 50", but "2" is not "Học 2 ngành
cùng lúc được không?"."""


def chosen_title(typed: str, titles: Sequence[str]) -> int | None:
    """Return the index of the one title that `typed` is, whatever its case, punctuation and diacritics.

    Words around it count as nothing: "em chọn Học phí ạ" is "Học phí".
    """
    if not (said := _words(typed)):
        return None
    split = [words(title) for title in titles]
    for wording in (said, _inner(said)):
        if (
            wording
            and (found := _only(i for i, title in enumerate(split) if _same(wording, title))) is not None
        ):
            return found
    return None


def chosen_words(typed: str, titles: Sequence[str]) -> int | None:
    """Return the index of the one title that has all words of `typed`, in order; None for a question mark.

    One word is enough when it says something: "học bổng" of "Điều kiện xét học bổng".
    """
    said = _inner(_words(typed))
    if not said or "?" in typed or not any(says_something(word) for word in said):
        return None
    split = [words(title) for title in titles]
    if all(word.isdigit() for word in said):
        split = [title if len(title) <= WORDS_OF_A_NUMBERED_TITLE else [] for title in split]
    runs = [i for i, title in enumerate(split) if _is_run(said, title)]
    if runs or len(said) < 2:
        return _only(runs)
    return _only(i for i, title in enumerate(split) if _is_subsequence(said, title))


def chosen_position(typed: str, count: int) -> int | None:
    """Return the index among `count` options that `typed` counts to; None for a number beyond them."""
    said = _words(typed)
    for wording in (said, _inner(said)):
        if (position := _rules().position(" ".join(map(fold, wording)), count)) is not None:
            return position
    return None


def counts_off(typed: str) -> bool:
    """Return whether `typed` does nothing but count off an option, in words: "cái đầu tiên", "ý 2"; not for "2"."""
    return chosen_position(typed, MOST_COUNTED) is not None and not all(
        map(str.isdigit, _inner(_words(typed)))
    )


def _words(typed: str) -> list[str]:
    return words(clean(typed)) if len(typed) <= MOST_CHARS else []


def _inner(said: Sequence[str]) -> list[str]:
    """Return the words without those around a choice, at both ends."""
    inner = list(said)
    while inner and fold(inner[0]) in _rules().around:
        inner.pop(0)
    while inner and fold(inner[-1]) in _rules().around:
        inner.pop()
    return inner


def _is_word(typed: str, word: str) -> bool:
    """Return whether `typed` is `word`, or `word` without its diacritics."""
    return typed == word or typed == fold(word)


def _same(said: Sequence[str], title: Sequence[str]) -> bool:
    return len(said) == len(title) and all(map(_is_word, said, title))


def _is_run(said: Sequence[str], title: Sequence[str]) -> bool:
    return any(_same(said, title[start : start + len(said)]) for start in range(len(title) - len(said) + 1))


def _is_subsequence(said: Sequence[str], title: Sequence[str]) -> bool:
    left = iter(title)
    return all(any(_is_word(word, each) for each in left) for word in said)


def _only(found: Iterable[int]) -> int | None:
    """Return the only index; None for none or several."""
    several = list(found)
    return several[0] if len(several) == 1 else None


@dataclass(frozen=True, slots=True)
class _Rules:
    """Content of choices.yml, without diacritics."""

    around: frozenset[str]
    numbered: re.Pattern[str]
    ordinal: re.Pattern[str]
    numbers: Mapping[str, int]
    first: re.Pattern[str]
    last: re.Pattern[str]

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> _Rules:
        """Compile the patterns, over words that are joined by one blank."""
        numbers = {
            fold(word): int(number)
            for number, named in (*given["numbers"].items(), *given["english_ordinals"].items())
            for word in named.split()
        }
        called = "|".join(re.escape(fold(each)) for each in given["called"])
        spelled = "|".join(
            re.escape(fold(word)) for named in given["numbers"].values() for word in named.split()
        )
        english = "|".join(
            re.escape(word) for named in given["english_ordinals"].values() for word in named.split()
        )
        ordinal = re.escape(fold(given["ordinal"]))

        def end(which: str) -> re.Pattern[str]:
            ways = [fold(each) for each in given[which]]
            bare = [each for each in ways if each not in map(fold, given["only_called"])]
            return re.compile(rf"(?:(?:{called}) (?:{'|'.join(ways)})|{'|'.join(bare)})")

        return cls(
            around=frozenset(fold(word) for line in given["around"] for word in line.split()),
            numbered=re.compile(rf"(?:(?:{called}) )?(\d{{1,2}})|(?:{called}) ({spelled})|({english})"),
            ordinal=re.compile(rf"(?:(?:{called}) )?{ordinal} (\d{{1,2}}|{spelled})"),
            numbers=numbers,
            first=end("first"),
            last=end("last"),
        )

    def position(self, said: str, count: int) -> int | None:
        """Return the index that the folded words name; None for one beyond `count`."""
        if count < 1:
            return None
        if self.first.fullmatch(said):
            return 0
        if self.last.fullmatch(said):
            return count - 1
        found = self.ordinal.fullmatch(said) or self.numbered.fullmatch(said)
        if found is None:
            return None
        named = next(group for group in found.groups() if group)
        number = int(named) if named.isdigit() else self.numbers[named]
        return number - 1 if 1 <= number <= count else None


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    return _Rules.read(yaml_beside(__file__, "choices.yml"))
