"""The object check: the words that may name the matter of a message, and whether a candidate has them.

"Giường dài bao nhiêu mét" is not answered by what furniture a room has: beds are in it, their length is not.
"""

from __future__ import annotations

from functools import lru_cache

from rag.index.format import Index
from rag.rerank.coverage import Said
from rag.retrieve.faq import whole_entries
from rag.types import Item
from school.reading import Reading
from vietnamese.ellipsis import naming_words
from vietnamese.equivalents import with_equivalents
from vietnamese.stopwords import says_something
from vietnamese.text import fold, words

FEWEST_MISSING, LEAST_SHARE = 2, 0.5
"""The number and the share of the words from which a candidate that lacks them may be of another matter.

Of 2,010 turns that an entry would answer, such entries below a probability of 0.9 are wrong in 36 of 58, and in 28 of
these no entry is right. All others are wrong in 0.13.
"""

_said_by = lru_cache(2_048)(Said.by)


class MatterWords:
    """Compares messages with the entries and passages of an index. Immutable, so thread-safe."""

    def __init__(self, index: Index) -> None:
        self._catalog = index.dictionaries.catalog
        self._entries = {entry.id: said for entry, said in zip(index.faq, whole_entries(index), strict=True)}

    def of(self, reading: Reading) -> frozenset[str]:
        """Return the words that may name the matter of a message, by their bare letters.

        The student's own values name none, nor do numbers and single letters.
        """
        values = reading.mentions_of(self._catalog.dimension_ids)
        names = (name for m in values for name in (m.text, self._catalog.name(m.entity, m.value)))
        of_values = {fold(word) for name in names for word in words(name)}
        named = naming_words(" ".join(with_equivalents(words(reading.asked), by_letters=True)))
        told = {fold(word) for word in named if says_something(word) and len(word) > 1 and not word.isdigit()}
        return frozenset(told - of_values)

    def missing(self, naming: frozenset[str], item: Item) -> int:
        """Return the number of those words that an entry, its phrasings among it, or a passage lacks."""
        said = self._entries.get(item.id) or _said_by(getattr(item, "text", ""))
        return len(naming - said.folded)


def lacks_the_matter(missing: float, naming: float) -> bool:
    """Return whether so many of the words that may name a matter are missing that it is likely another one."""
    return missing >= max(FEWEST_MISSING, LEAST_SHARE * naming)
