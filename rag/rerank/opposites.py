"""Questions that differ in one word and mean the opposite: the embedder and BM25 both take them for the same."""

from __future__ import annotations

from vietnamese.text import fold, words

_MOST = ("tối đa", "nhiều nhất", "cao nhất", "muộn nhất", "chậm nhất")
_LEAST = ("tối thiểu", "ít nhất", "thấp nhất", "sớm nhất")


def opposite(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether one text asks for the most and the other for the least, by their `poles`, and neither for both."""
    return len(one) == len(other) == 1 and one != other


def poles(text: str) -> frozenset[str]:
    """Which of "most" and "least" a text asks for."""
    said = f" {' '.join(words(fold(text)))} "
    return frozenset(
        name
        for name, terms in (("most", _MOST), ("least", _LEAST))
        if any(f" {fold(term)} " in said for term in terms)
    )
