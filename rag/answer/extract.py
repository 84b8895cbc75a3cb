"""Extracts: answers quoted verbatim from documents.

An extract has the best clause, with those of its article that are nearly as good. The right clause is more often among
the first three than the first, so the sentences of the next ones that fit the question follow, within a limit of length
(docs/decisions/0011 has the figures).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.answer.citation import cite
from rag.answer.table_rows import is_row
from rag.index.lexical import folded_terms, is_undiacritised, terms
from rag.pipeline import ExtractLimits
from rag.types import Candidate, Citation, Passage
from vietnamese.text import NO_ABBREVIATION, words

LEFT_OUT = "[…]"

_SENTENCE_END = re.compile(rf"(?<=[.;]){NO_ABBREVIATION}\s+(?=\S)")
_FEWEST_WORDS = 6
"""Shorter pieces join the next sentence: "1.", "TS.", "a)"."""

_SAYING = 0.4
"""The lead of a sentence with all terms of the question over one with none, in the scores' unit."""


def extract(
    candidates: Sequence[Candidate], limits: ExtractLimits, asked: str = ""
) -> tuple[str, tuple[Citation, ...]]:
    """Return quotations of the best passages and their citations, the best one's article first.

    `candidates` are passages, best first; `asked` is the question, for choosing among sentences. `LEFT_OUT` marks
    omissions within a clause.
    """
    best = _passage(candidates[0])
    whole, room = [best], limits.max_words - _size(best.text)
    for candidate in candidates[1:]:
        passage = _passage(candidate)
        near = candidates[0].score - candidate.score <= limits.neighbour_margin
        if near and passage.parent == best.parent and _size(passage.text) <= room:
            whole.append(passage)
            room -= _size(passage.text)
    whole.sort(key=lambda passage: passage.order)
    text = "\n".join(_without_repeated_lead(whole))
    citations = [cite(passage) for passage in whole]
    for passage, quote in _also(candidates, {passage.id for passage in whole}, limits, room, asked):
        text += f"\n\n{quote}"
        citations.append(cite(passage, quote=quote))
    return text, tuple(citations)


@dataclass(frozen=True, slots=True)
class _Sentence:
    rank: int
    place: int
    text: str
    worth: float


def _also(
    candidates: Sequence[Candidate], said: set[str], limits: ExtractLimits, room: int, asked: str
) -> Iterator[tuple[Passage, str]]:
    """Yield the sentences of the next best passages that fit the question best, in at most `room` words."""
    wanted = _terms(asked, asked)
    pool: list[_Sentence] = []
    pieces: dict[int, list[str]] = {}
    for rank, candidate in enumerate(candidates[1 : 1 + limits.also], 1):
        near = candidates[0].score - candidate.score <= limits.also_margin
        if not near or candidate.item.id in said:
            continue
        pieces[rank] = list(_sentences(_passage(candidate).text))
        for place, sentence in enumerate(pieces[rank]):
            shared = len(wanted & _terms(sentence, asked)) / len(wanted) if wanted else 0.0
            pool.append(_Sentence(rank, place, sentence, candidate.score + _SAYING * shared))
    chosen: dict[int, set[int]] = {}
    for one in sorted(pool, key=lambda one: -one.worth):
        if (size := _size(one.text)) <= room:
            chosen.setdefault(one.rank, set()).add(one.place)
            room -= size
    for rank in sorted(chosen):
        passage = _passage(candidates[rank])
        if len(chosen[rank]) == len(pieces[rank]):
            yield passage, passage.text
        else:
            yield passage, _excerpt(pieces[rank], chosen[rank])


def _terms(text: str, asked: str) -> set[str]:
    """Return words and bigrams; over bare letters when the question has no diacritics."""
    return set((folded_terms if is_undiacritised(asked) else terms)(words(text)))


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a clause, line by line; a table's row is one."""
    piece = ""
    for line in text.split("\n"):
        if is_row(line):
            yield from filter(None, (piece, line))
            piece = ""
            continue
        for sentence in _SENTENCE_END.split(line):
            piece = f"{piece} {sentence}".strip()
            if len(piece.split()) >= _FEWEST_WORDS:
                yield piece
                piece = ""
    if piece:
        yield piece


def _excerpt(sentences: Sequence[str], chosen: set[int]) -> str:
    parts: list[str] = []
    for place, sentence in enumerate(sentences):
        if place in chosen:
            parts.append(sentence)
        elif not parts or parts[-1] != LEFT_OUT:
            parts.append(LEFT_OUT)
    text = parts[0]
    for before, part in pairwise(parts):
        text += ("\n" if is_row(before) or is_row(part) else " ") + part
    return text


def _size(text: str) -> int:
    return len(words(text))


def _passage(candidate: Candidate) -> Passage:
    assert isinstance(candidate.item, Passage)
    return candidate.item


def _without_repeated_lead(passages: Sequence[Passage]) -> list[str]:
    """Return the texts of passages, without a first line that repeats that of the passage before."""
    texts: list[str] = []
    lead = ""
    for passage in passages:
        first, newline, rest = passage.text.partition("\n")
        texts.append(rest if newline and first == lead else passage.text)
        lead = first
    return texts
