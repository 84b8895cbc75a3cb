"""Answers quoted from documents: the smallest run of clauses that holds the answer, verbatim."""

from __future__ import annotations

from collections.abc import Sequence

from rag.answer.citation import cite
from rag.pipeline import ExtractLimits
from rag.types import Candidate, Citation, Passage


def extract(candidates: Sequence[Candidate], limits: ExtractLimits) -> tuple[str, tuple[Citation, ...]]:
    """The best passage with its equals of the same article, in the order of the document, and their citations.

    `candidates` are passages, best first. Clauses that score nearly as well as the best cannot be told from it, so
    the student gets to see them too, as long as the whole stays short.
    """
    best = _passage(candidates[0])
    chosen, size = [best], len(best.text.split())
    for candidate in candidates[1:]:
        passage = _passage(candidate)
        near = candidates[0].score - candidate.score <= limits.neighbour_margin
        words = len(passage.text.split())
        if near and passage.parent == best.parent and size + words <= limits.max_words:
            chosen.append(passage)
            size += words
    chosen.sort(key=lambda passage: passage.order)
    text = "\n".join(_without_repeated_lead(chosen))
    return text, tuple(cite(passage) for passage in chosen)


def _passage(candidate: Candidate) -> Passage:
    assert isinstance(candidate.item, Passage)
    return candidate.item


def _without_repeated_lead(passages: Sequence[Passage]) -> list[str]:
    """The texts of passages; a sentence that leads in several of them is said once."""
    texts: list[str] = []
    lead = ""
    for passage in passages:
        first, newline, rest = passage.text.partition("\n")
        texts.append(rest if newline and first == lead else passage.text)
        lead = first
    return texts
