"""Questions for the most and for the least, which the embedder and BM25 cannot tell apart."""

from __future__ import annotations

from vietnamese.text import fold, words

_POLES = {
    "most": ("tối đa", "nhiều nhất", "cao nhất", "muộn nhất", "chậm nhất"),
    "least": ("tối thiểu", "ít nhất", "thấp nhất", "sớm nhất"),
}
_SAID = {name: tuple(f" {fold(term)} " for term in terms) for name, terms in _POLES.items()}


def opposite(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether one text asks for the most only and the other for the least only, by their `poles`."""
    return len(one) == len(other) == 1 and one != other


def poles(text: str) -> frozenset[str]:
    """Return those of "most" and "least" that a text asks for."""
    said = f" {' '.join(words(fold(text)))} "
    return frozenset(name for name, terms in _SAID.items() if any(term in said for term in terms))
