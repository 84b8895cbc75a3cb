"""One wording for questions, whoever typed them: a student now, or an office as a variant of an FAQ entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rag.knowledge.abbreviations import Abbreviations
from rag.knowledge.catalog import GlossaryEntry
from rag.understand.glossary import Glossary
from rag.understand.normalize import normalize


def curated_abbreviations(glossary: Iterable[GlossaryEntry]) -> dict[str, str]:
    """The short forms of a glossary that have one reading, with their other spellings."""
    return {
        short: entry.full[0]
        for entry in glossary
        if entry.kind == "abbreviation" and len(entry.full) == 1
        for short in (entry.short, *entry.also)
    }


class Wording:
    """Brings a question into the form in which it is compared."""

    def __init__(self, glossary: Iterable[GlossaryEntry], abbreviations: Mapping[str, str]) -> None:
        self._glossary = Glossary(glossary)
        self._abbreviations = Abbreviations(abbreviations)

    def plain(self, text: str) -> str:
        """`text` clean, in everyday spelling, with its unambiguous short forms in full."""
        return self._abbreviations.expand_question(normalize(text, self._glossary))

    def also(self, text: str) -> tuple[str, ...]:
        """What a plain question may be called besides: readings of ambiguous short forms, short forms of terms."""
        return self._glossary.expansions(text)
