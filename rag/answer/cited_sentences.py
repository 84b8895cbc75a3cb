"""The sentences of a generated answer with the passages that they cite: "Học phí là 631.800 đồng [1]."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vietnamese.text import NO_ABBREVIATION

_MARK = re.compile(r"\[(\d{1,2}(?:\s*[,;]\s*\d{1,2})*)\]")
_END_BEFORE_MARK = re.compile(r"([.!?])((?:\s*\[\d[\d\s,;]*\])+)")
_BREAK = re.compile(rf"(?<=[.!?]){NO_ABBREVIATION}\s+(?=\S)")
_BULLET = re.compile(r"^\s*(?:[-*•+–]|\d{1,2}[.)](?=\s))\s*")


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence without its marks. `line` is that of the answer, from 0, `bullet` the mark of a list before it.

    `cites` are the numbers of the passages, from 1: its own, else those of the next sentence of its line or list that
    has any.
    """

    text: str
    cites: tuple[int, ...]
    line: int
    bullet: str = ""


def cited_sentences(answer: str) -> list[CitedSentence]:
    """Return the sentences of an answer, in order."""
    found = list(_sentences(answer))
    later: tuple[int, ...] = ()
    inherited: list[CitedSentence] = []
    for sentence in reversed(found):
        if sentence.cites:
            later = sentence.cites
        inherited.append(
            CitedSentence(sentence.text, sentence.cites or later, sentence.line, sentence.bullet)
        )
    return inherited[::-1]


def _sentences(answer: str) -> Iterator[CitedSentence]:
    for number, line in enumerate(answer.splitlines()):
        bullet = _BULLET.match(line)
        mark = bullet.group().strip() if bullet else ""
        rest = line[bullet.end() if bullet else 0 :]
        # Some models write the number before its sentence, most behind it.
        if not _MARK.match(rest.lstrip()):
            rest = _END_BEFORE_MARK.sub(r"\2\1", rest)
        for piece in _BREAK.split(rest):
            cites = [int(n) for marks in _MARK.findall(piece) for n in re.findall(r"\d+", marks)]
            text = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(_MARK.sub(" ", piece).split()))
            text = text.replace("**", "").replace("__", "").lstrip("#").strip()
            if any(map(str.isalnum, text)):
                yield CitedSentence(text, tuple(dict.fromkeys(cites)), number, mark)
                mark = ""
