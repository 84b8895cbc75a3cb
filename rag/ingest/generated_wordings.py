"""The generated wordings of FAQ entries that an index takes.

A wording must not take a question away from the entry that an office has written for it. So a wording in the very words
of another matter is left out, and one that is nearest to another entry's own phrasings (the round trip of Alberti et
al., ACL 2019: a generated question must lead back to its source).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rag.index.dense import FaissIndex
from rag.query.same_words import folded_words
from school.sentence_embedder import VectorArray


def apart(wordings: Mapping[str, Sequence[str]], taken: Iterable[str]) -> dict[str, list[str]]:
    """Return the wordings by family without those in the words of `taken`, or of another family's wordings."""
    known = {folded_words(text) for text in taken}
    said = {family: {folded_words(text): text for text in texts} for family, texts in wordings.items()}
    owners = Counter(key for texts in said.values() for key in texts)
    return {
        family: [text for key, text in texts.items() if key and key not in known and owners[key] == 1]
        for family, texts in said.items()
    }


def returning(
    vectors: VectorArray, families: Sequence[frozenset[str]], first: int, dimension: int
) -> list[int]:
    """Return the places of the phrasings to keep, in order: those of offices, and the wordings that lead back.

    `vectors` are the phrasings', shape (n, d), `families` the families of each; wordings begin at the place `first`.
    """
    if first == len(families):
        return list(range(first))
    curated = FaissIndex.build(vectors[:first], dimension)
    kept = list(range(first))
    for place in range(first, len(families)):
        nearest, _ = curated.search(vectors[place], 1)
        if len(nearest) and families[int(nearest[0])] & families[place]:
            kept.append(place)
    return kept
