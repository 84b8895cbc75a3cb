"""Reformulations of a question, to look it up again when the first wording finds nothing sure."""

from __future__ import annotations

from collections.abc import Iterator

from school.reading import Reading
from vietnamese.stopwords import STOPWORDS
from vietnamese.text import words


def reformulations(question: Reading, tries: int) -> Iterator[Reading]:
    """Yield the question as it is, then without stopwords, then with its synonyms too; at most `tries`.

    A wording with the words of an earlier one is skipped; its try counts.
    """
    bare = " ".join(word for word in words(question.asked) if word not in STOPWORDS)
    texts = (question.asked, bare, " ".join((bare, *question.expansions)))
    tried: set[str] = set()
    for text in texts[:tries]:
        key = " ".join(words(text))
        if key not in tried and (key or text is question.asked):
            tried.add(key)
            yield (question if text is question.asked else question.asking(text))
