"""Other wordings to look a question up by when the first finds nothing sure; a language model would rewrite it."""

from __future__ import annotations

from collections.abc import Iterator

from school.reading import Reading
from vietnamese.stopwords import STOPWORDS
from vietnamese.text import words


def reformulations(question: Reading, tries: int) -> Iterator[Reading]:
    """The question as it is, then without words of asking, then with its other names too; at most `tries`.

    A wording that would be looked up as one before it was is passed over; its try counts.
    """
    bare = " ".join(word for word in words(question.asked) if word not in STOPWORDS)
    texts = (question.asked, bare, " ".join((bare, *question.expansions)))
    tried: set[str] = set()
    for text in texts[:tries]:
        key = " ".join(words(text))
        if key not in tried and (key or text is question.asked):
            tried.add(key)
            yield (question if text is question.asked else question.asking(text))
