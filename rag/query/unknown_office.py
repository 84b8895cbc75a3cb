"""An office that a message asks for by a name which the school's catalogue does not have: "sdt phòng thiết bị"."""

from __future__ import annotations

import re

from rag.retrieve.graph_frame import asks_for_field
from rag.types import FaqEntry
from school.reading import Reading
from vietnamese.ellipsis import naming_words
from vietnamese.text import fold, words

_CUE = re.compile(r"\b(?:phong ban|van phong|phong|khoa|trung tam|bo mon|vien) (?=[a-z])")
_NAME_WORDS = 2
"""The first words of a name that tell it from others."""

_OFFICE = "office"


def unknown_office(said: Reading) -> str:
    """Return the beginning of the name, folded, of an office that a message asks the contact of; empty when the
    catalogue knows it, or for another message."""
    if any(mention.entity == _OFFICE for mention in said.mentions) or not asks_for_field(said.text):
        return ""
    lowered = " ".join(words(said.normalized))
    cue = _CUE.search(fold(lowered))
    if cue is None:
        return ""
    behind = lowered[cue.end() :].split()[:_NAME_WORDS]
    return (
        fold(" ".join(behind))
        if len(behind) == _NAME_WORDS and naming_words(" ".join(behind)) == behind
        else ""
    )


def tells_of(entry: FaqEntry, office: str) -> bool:
    """Return whether an entry has the name of an office, so that it may be about it."""
    return office in fold(" ".join(words("\n".join((entry.question, *entry.variants, entry.answer)))))
