"""Cleaning of published text, without changes to its meaning.

Questions go through `vietnamese.text.clean`, which applies NFKC. Documents are quoted verbatim, and NFKC would turn
"10²" into "102", so their superscripts, subscripts, fractions and circled numbers are kept.
"""

from __future__ import annotations

import re
import unicodedata

_KEPT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>")
_BLANKS = re.compile(r"(?<=\S)[^\S\n]+")
_LINE_ENDS = re.compile(r"\r\n?|[\f\v\x85\u2028\u2029]")
_MANY_EMPTY_LINES = re.compile(r"\n{3,}")
_WORD_BULLET = re.compile(r"^([^\S\n]*)[\ue000-\uf8ff•‣▪●◦■□➢✓❖][^\S\n]*(?=\S)", re.MULTILINE)


class _SafeTable(dict[int, str]):
    """Maps an invisible character to "", another to its NFKC form unless that changes the meaning."""

    def __missing__(self, key: int) -> str:
        char = chr(key)
        category = unicodedata.category(char)
        if char == "\n":
            safe = char
        elif category in ("Zs", "Zl", "Zp") or char == "\t":
            safe = " "
        elif category in ("Cc", "Cf", "Cs", "Co", "Cn"):
            safe = ""
        elif unicodedata.decomposition(char).startswith(_KEPT_FORMS):
            safe = char
        else:
            safe = unicodedata.normalize("NFKC", char)
        self[key] = safe
        return safe


_SAFE = _SafeTable()


def clean_block(text: str) -> str:
    """Return text in NFC without control characters, with single blanks and its lines and indentation.

    A bullet sign of a word processor at the start of a line becomes "- ".
    """
    text = _WORD_BULLET.sub(r"\1- ", _LINE_ENDS.sub("\n", text).expandtabs(4))
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).translate(_SAFE))
    lines = (_BLANKS.sub(" ", line).rstrip() for line in text.split("\n"))
    return _MANY_EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip("\n")


def clean_line(text: str) -> str:
    """Return the cleaned text on one line: a title, a name, an id."""
    return " ".join(clean_block(text).split())
