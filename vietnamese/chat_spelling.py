"""A question as it was meant: cleaned, chat spelling written out, stretched letters and signs let go."""

from __future__ import annotations

import re

from school.glossary import Glossary
from vietnamese.syllables import is_syllable
from vietnamese.text import MAX_QUESTION_CHARS, clean, fold

_TOKEN = re.compile(r"\S+")
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}", re.IGNORECASE)
_DOUBLED_AT_END = re.compile(r"([^\W\d_])\1+(?=\W*$)", re.IGNORECASE)
_REPEATED_SIGN = re.compile(r"([!?,;:~*^=_\-])(?:\s?\1)+")
_MIXED_QUESTION = re.compile(r"[!?]*\?[!?]*")
_MANY_DOTS = re.compile(r"\.{4,}")
_NO_LETTER = re.compile(r"[\W\d_]+")
_VOWELS = frozenset("aeiouy")
_HUMMED = frozenset("ghmn")
"""Consonants that a Vietnamese syllable may be drawn out on."""

_ADDRESS = re.compile(r"@|://|^www\.|\w\.\w", re.IGNORECASE)


def normalize(text: str, glossary: Glossary | None = None) -> str:
    """`text` clean, capped at `MAX_QUESTION_CHARS`, in everyday spelling; codes and addresses are kept."""
    text = clean(text, MAX_QUESTION_CHARS)
    shouted = not any(char.islower() for char in text)
    text = _TOKEN.sub(lambda match: _unstretched(match[0], shouted), text)
    text = _MANY_DOTS.sub("...", _MIXED_QUESTION.sub("?", _REPEATED_SIGN.sub(r"\1", text)))
    return text if glossary is None else glossary.write_out(text)


def _unstretched(token: str, shouted: bool) -> str:
    """ "khônggg" as "không", "emm" as "em"; a code such as "III", "AAA" or an address stays as it is."""
    if _ADDRESS.search(token) or any(char.isdigit() for char in token):
        return token
    if token.isupper() and not (shouted and len(token) > 4):
        return token
    token = _STRETCHED.sub(_one_letter, token)
    # No Vietnamese syllable ends in a double letter; an English word may, but has no diacritics.
    return token if token.isascii() else _DOUBLED_AT_END.sub(r"\1", token)


def _one_letter(stretched: re.Match[str]) -> str:
    """One letter for a run of three or more, unless the run may belong to a code: "cttt", "attt"."""
    letter, run = stretched[1], stretched[0]
    if fold(letter) in _VOWELS or len(run) > 3:
        return letter
    token = stretched.string
    rest = _NO_LETTER.sub("", token[: stretched.start()] + letter + token[stretched.end() :])
    spoken = not token.isascii() or letter.lower() in _HUMMED
    return letter if spoken and is_syllable(fold(rest)) else run
