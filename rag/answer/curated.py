"""Curated answers: an office's text, verbatim, with citations of its sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from rag.answer.citation import cite
from rag.answer.table_rows import quotation
from rag.types import Candidate, Citation, FaqEntry, Passage, Source

_ALPHABET = "abcdđeghiklmnopqrstuvxy"
_PART = re.compile(r"\s\(([^()]*)\)$")
_SPAN = re.compile(r"(\D+) ([^\W_]+)–([^\W_]+)")


class CuratedAnswers:
    """Gives the answers of FAQ entries, with the quotations behind their sources."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._documents: dict[str, list[Passage]] = {}
        for passage in passages:
            self._documents.setdefault(passage.document_id, []).append(passage)
        self._citation = lru_cache(8_192)(self._cited_place)
        # An entry that depends on the student is answered for every value, often with the same quotations.
        self._quoted = lru_cache(1_024)(self._quotation)

    def answer(self, candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        """Return the answer of the best candidate, an FAQ entry, and its citations."""
        del asked  # curated text does not depend on the question
        entry = candidates[0].item
        assert isinstance(entry, FaqEntry)
        return entry.answer, self.citations(entry)

    def citations(self, entry: FaqEntry) -> tuple[Citation, ...]:
        """Return a citation for each source of an entry."""
        return self.cited(entry.sources)

    def cited(self, sources: Sequence[Source]) -> tuple[Citation, ...]:
        """Return a citation for each source; its quote is empty when the document lacks the place."""
        return tuple(
            self._citation(source.document, source.locator)
            for source in sources
            if source.document in self._documents
        )

    def fitting(
        self, citations: Sequence[Citation], answer: str, names: Iterable[str]
    ) -> tuple[Citation, ...]:
        """Return the citations of an answer with the rows that it uses as quotes, where they quote a table.

        `names` are the names of the student's values. A quote that is part of the answer stays.
        """
        names = tuple(names)
        return tuple(
            replace(one, quote=self._quoted(one.document_id, one.locator, answer, names) or one.quote)
            if one.quote and one.quote not in answer
            else one
            for one in citations
        )

    def _quotation(self, document: str, locator: str, answer: str, names: Sequence[str]) -> str:
        """Return what an answer rests on at a place; empty when the document lacks it."""
        found = list(passages_at(self._documents.get(document, ()), locator))
        return quotation(found, answer, names) if found else ""

    def _cited_place(self, document: str, locator: str) -> Citation:
        passages = self._documents[document]
        found = list(passages_at(passages, locator))
        return cite((found or passages)[0], locator, quotation(found, "") if found else "")


def passages_at(passages: Sequence[Passage], locator: str) -> Iterator[Passage]:
    """Yield the passages at a locator or below it, else those that contain it, in the given order.

    A locator without a part of the document ("Điều 1 (QUY CHẾ)" has one) is searched in all parts.
    """
    wanted, part = _place_and_part(locator)
    found = [
        (place, passage)
        for passage in passages
        for place, its_part in (_place_and_part(passage.locator),)
        if part in ("", its_part)
    ]
    there = [
        passage for place, passage in found if wanted and (place == wanted or place.startswith(f"{wanted}, "))
    ]
    above, _, below = wanted.rpartition(", ")
    while above and not there:
        for place, passage in found:
            holds = place.startswith(f"{above}, ") and _spans(place[len(above) + 2 :], below)
            if place == above or holds:
                there.append(passage)
        above, _, below = above.rpartition(", ")
    yield from there


@lru_cache(maxsize=65_536)
def _place_and_part(locator: str) -> tuple[str, str]:
    """Split "Điều 1, khoản 2 (QUY CHẾ)" into the place and the part of the document."""
    match = _PART.search(locator.strip())
    return (locator[: match.start()].strip(), match.group(1)) if match else (locator.strip(), "")


def _spans(several: str, one: str) -> bool:
    """Return whether a range of labels has one: "điểm a–e" has "điểm đ"."""
    match, place = _SPAN.fullmatch(several), _SPAN.fullmatch(f"{one}–{one.rpartition(' ')[2]}")
    if match is None or place is None or match.group(1) != place.group(1):
        return False
    return _rank(match.group(2)) <= _rank(place.group(2)) <= _rank(match.group(3))


def _rank(label: str) -> tuple[int, ...]:
    """Return a sort key: numbers by value, letters in the order of the Vietnamese alphabet."""
    return (int(label),) if label.isdecimal() else tuple(map(_ALPHABET.find, label))
