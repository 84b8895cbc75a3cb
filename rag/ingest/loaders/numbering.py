"""Word's automatic numbers of paragraphs: "Điều 5.", "1.", "a)".

A paragraph names a list (`numId`) and a level (`ilvl`) of the numbering part, which has the levels' formats (ECMA-376
part 1, section 17.9).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from docx.oxml.ns import qn

from rag.ingest.cleaning import clean_line

_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    form: str
    text: str


class Numbering:
    """Counts the lists of one document; call `label` once for each paragraph, in order."""

    def __init__(self, document: Any) -> None:
        self._lists: dict[str, tuple[str, dict[int, _Level]]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        try:
            root = document.part.numbering_part.element
        except (KeyError, NotImplementedError):
            return
        abstract = {node.get(qn("w:abstractNumId")): _levels(node) for node in root.iter(qn("w:abstractNum"))}
        for node in root.iter(qn("w:num")):
            target = node.find(qn("w:abstractNumId"))
            if target is None:
                continue
            name = target.get(qn("w:val"))
            levels = dict(abstract.get(name, {}))
            own = False
            for override in node.iter(qn("w:lvlOverride")):
                depth = int(override.get(qn("w:ilvl"), "0"))
                start = override.find(qn("w:startOverride"))
                if start is not None and depth in levels:
                    old = levels[depth]
                    levels[depth] = _Level(int(start.get(qn("w:val"), "1")), old.form, old.text)
                    own = True
            number_id = node.get(qn("w:numId"))
            # Lists of one abstract definition count together, unless one restarts.
            self._lists[number_id] = (f"num-{number_id}" if own else f"abstract-{name}", levels)

    def label(self, paragraph: Any, styles: list[Any]) -> tuple[str, int]:
        """Return the label of a paragraph ("" for none, "-" for a bullet) and its depth in the list."""
        number_id, depth = _reference(paragraph, styles)
        if number_id is None or number_id not in self._lists:
            return "", 0
        key, levels = self._lists[number_id]
        level = levels.get(depth)
        if level is None or level.form == "none":
            return "", 0
        if level.form == "bullet":
            return "-", depth
        counts = self._counts.setdefault(key, {})
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [other for other in counts if other > depth]:
            del counts[deeper]

        def number(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            shown = levels.get(place, level)
            return _written(counts.get(place, shown.start), shown.form)

        return clean_line(_PLACE.sub(number, level.text)), depth


def _levels(abstract: Any) -> dict[int, _Level]:
    levels: dict[int, _Level] = {}
    for node in abstract.iter(qn("w:lvl")):
        levels[int(node.get(qn("w:ilvl"), "0"))] = _Level(
            start=int(_value(node, "w:start", "1")),
            form=_value(node, "w:numFmt", "decimal"),
            text=_value(node, "w:lvlText", ""),
        )
    return levels


def _value(node: Any, name: str, default: str) -> str:
    child = node.find(qn(name))
    return default if child is None else str(child.get(qn("w:val"), default))


def _reference(paragraph: Any, styles: list[Any]) -> tuple[str | None, int]:
    """Return the list and the level that a paragraph names, itself or through its style."""
    depth: int | None = None
    for element in (paragraph, *(style.element for style in styles)):
        node = element.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
        if node is None:
            continue
        if depth is None and node.find(qn("w:ilvl")) is not None:
            depth = int(_value(node, "w:ilvl", "0"))
        number_id = _value(node, "w:numId", "")
        if number_id:
            return (None, 0) if number_id == "0" else (number_id, depth or 0)
    return None, 0


def _written(number: int, form: str) -> str:
    if form in ("lowerLetter", "upperLetter"):
        letter = "abcdefghijklmnopqrstuvwxyz"[(number - 1) % 26] * ((number - 1) // 26 + 1)
        return letter if form == "lowerLetter" else letter.upper()
    if form in ("lowerRoman", "upperRoman"):
        roman = _roman(number)
        return roman.lower() if form == "lowerRoman" else roman
    return f"{number:02d}" if form == "decimalZero" else str(number)


def _roman(number: int) -> str:
    signs = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"))
    text = ""
    for value, sign in (*signs, (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        text += sign * (number // value)
        number %= value
    return text
