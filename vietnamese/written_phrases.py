"""Search for many phrases in all texts of a school at once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise


class WrittenPhrases:
    """Tells which phrases stand in texts, as whole words one after the other.

    Args:
        texts: texts of words with one blank between them.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        lines = list(texts)
        self._text = "\n".join(f" {line} " for line in lines)
        self._words: set[str] = set()
        self._pairs: set[tuple[str, str]] = set()
        for line in lines:
            words = line.split()
            self._words.update(words)
            self._pairs.update(pairwise(words))

    def has(self, phrase: str) -> bool:
        """Return whether a text has the words of `phrase`, which have one blank between them.

        The text is looked through only for a phrase whose every pair of neighbours stands somewhere.
        """
        words = phrase.split()
        if not (self._words.issuperset(words) and self._pairs.issuperset(pairwise(words))):
            return False
        return f" {phrase} " in self._text
