"""Split long text at the border of a block, else of an item, of a line, of a sentence, of a word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile
from typing import Any

from channels.delivery.markdown_lines import Block, Line, Span

Count = Callable[[str], int]
"""The platform's length of a text: the sum over its characters."""

_SENTENCE = re.compile(r"[.!?…;][\"'”’)\]]*(?P<blank>\s+)(?=\S)")
_WORD = re.compile(r"(?P<blank>\s+)(?=\S)")
_SHORT_FORM = re.compile(r"(?:[A-ZĐ]|[A-ZĐ]\w?[A-ZĐ]|\d[\d.,]*|)")
"""Abbreviations and numbers whose full stop ends no sentence: "TP.", "ThS.", "1."."""

_SHORT_FORM_CHARS = 12
_SIGHT = 64

_JOINED = re.compile("[\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
"""Characters that join the one before: joiners, variation selectors, skin tones, tag letters of a flag."""


@dataclass(frozen=True)
class Measure:
    """The length of a line: its characters as the platform counts, and the marks that the form adds."""

    count: Count
    mark: Callable[[Line], int]

    def line(self, line: Line) -> int:
        """Return the length of a line without the line breaks before it."""
        return self.overhead(line) + self.count(line.text)

    def overhead(self, line: Line) -> int:
        """Return the length of what a line has beside its text."""
        return self.mark(line) + self.count(line.lead)


def split(blocks: Sequence[Block], limit: int, measure: Measure) -> list[tuple[Line, ...]]:
    """Return the lines of each piece, in order; no piece is longer than `limit`.

    The rest of a line that is cut has no lead.

    Raises ValueError for a limit that leaves no room for a mark and a few characters.
    """
    if limit < 32:
        raise ValueError(f"Text cannot be split into pieces of {limit}.")
    pieces = _Pieces(limit, measure)
    for block in blocks:
        pieces.add(block, 0)
    return pieces.done()


class _Pieces:
    def __init__(self, limit: int, measure: Measure) -> None:
        self._limit = limit
        self._measure = measure
        self._done: list[tuple[Line, ...]] = []
        self._lines: list[Line] = []
        self._size = 0

    def done(self) -> list[tuple[Line, ...]]:
        self._end()
        return self._done

    def add(self, unit: Any, depth: int) -> None:
        """Add a block (`depth` 0), an item (1) or a line (2): whole when it fits, else part by part."""
        lines = _lines(unit, depth)
        if self._size + self._length(lines, first=not self._lines) <= self._limit:
            self._take(lines)
        elif self._length(lines, first=True) <= self._limit:
            leading = self._leading_lines()
            self._end()
            if self._length([*leading, *lines], first=True) <= self._limit:
                self._take(leading)
            elif leading:
                self._take(leading)
                self._end()
            self._take(lines)
        elif depth < 2:
            for part in unit:
                self.add(part, depth + 1)
        else:
            self._cut(unit)

    def _cut(self, line: Line) -> None:
        rest = line if self._measure.overhead(line) <= self._limit // 2 else replace(line, lead="")
        while True:
            room = self._limit - self._size - (rest.gap if self._lines else 0) - self._measure.overhead(rest)
            at = _border(
                rest.text, room, self._measure.count, by_words=all(each.leads_on for each in self._lines)
            )
            if at == 0:
                self._end()
                continue
            self._take([_part(rest, 0, at)])
            if at >= len(rest.text):
                return
            self._end()
            rest = replace(_part(rest, at, len(rest.text)), lead="")

    def _leading_lines(self) -> list[Line]:
        """Remove and return the last lines that introduce the next block; none when no other line is left."""
        at = len(self._lines)
        while at and self._lines[at - 1].leads_on:
            at -= 1
        if at == 0:
            return []
        taken = self._lines[at:]
        del self._lines[at:]
        return taken

    def _take(self, lines: Sequence[Line]) -> None:
        self._size += self._length(lines, first=not self._lines)
        self._lines.extend(lines)

    def _end(self) -> None:
        if any(line.text.strip() for line in self._lines):
            self._done.append(tuple(self._lines))
        self._lines, self._size = [], 0

    def _length(self, lines: Sequence[Line], first: bool) -> int:
        breaks = sum(line.gap for line in lines) - (lines[0].gap if first and lines else 0)
        return breaks + sum(map(self._measure.line, lines))


def _lines(unit: Any, depth: int) -> list[Line]:
    if depth == 2:
        return [unit]
    return [line for part in unit for line in _lines(part, depth + 1)]


def _border(text: str, room: int, count: Count, by_words: bool) -> int:
    """Return where to cut so that the first part takes at most `room`; 0 when there is no border.

    The cut is at the last end of a sentence; with `by_words`, else of a word, else of a character.
    """
    whole = len(text)
    # Each character takes at least 1, so that the border lies within `room` characters.
    text = text[: room + _SIGHT]
    upto = sum(1 for _ in takewhile(lambda size: size <= room, accumulate(map(count, text))))
    if upto == whole:
        return upto
    # The blank after the last word of a piece is dropped.
    sentences = [
        found.end()
        for found in _SENTENCE.finditer(text)
        if found.start("blank") <= upto and not _ends_short_form(text, found.start())
    ]
    if sentences or not by_words:
        return sentences[-1] if sentences else 0
    words = [found.end() for found in _WORD.finditer(text) if found.start() <= upto]
    # A "word" longer than half a piece is cut where the piece is full.
    if words and words[-1] > upto // 2:
        return words[-1]
    at = upto
    while at > 1 and _belongs_to_the_one_before(text, at):
        at -= 1
    return at if at > 1 or upto <= 1 else upto


def _ends_short_form(text: str, stop: int) -> bool:
    before = text[max(0, stop - _SHORT_FORM_CHARS) : stop]
    return bool(_SHORT_FORM.fullmatch(re.split(r"[\s(]", before)[-1]))


def _belongs_to_the_one_before(text: str, at: int) -> bool:
    return bool(unicodedata.combining(text[at]) or _JOINED.match(text[at]) or text[at - 1] == "\u200d")


def _part(line: Line, start: int, end: int) -> Line:
    """Return the characters of a line from `start` to `end`, without trailing blanks."""
    spans: list[Span] = []
    done = 0
    end = start + len(line.text[start:end].rstrip())
    for span in line.spans:
        text = span.text[max(0, start - done) : max(0, end - done)]
        if text:
            spans.append(replace(span, text=text))
        done += len(span.text)
    return replace(line, spans=tuple(spans))
