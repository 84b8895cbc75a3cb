"""One wording for questions, whoever typed them: a student now, or an office as a variant of an FAQ entry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rag.knowledge.abbreviations import Abbreviations
from rag.knowledge.catalog import Catalog, GlossaryEntry
from rag.text import fold, words
from rag.understand.catalog import CatalogLinker, Mention
from rag.understand.diacritics import Diacritics
from rag.understand.glossary import Glossary
from rag.understand.normalize import normalize

SETTLED = ("cohort", "major")
"""Who a student is, as far as `applies_to` takes care of it. A programme's name is often what the question is about."""

_CUE = re.compile(r"\b(?:chuyên ngành|chuyen nganh|ngành|nganh|khóa|khoá|khoa)\s*$", re.IGNORECASE)
_FEWEST_WORDS = 2
"""A question keeps at least so many words: "ngành luật" alone is about the major."""


def curated_abbreviations(glossary: Iterable[GlossaryEntry]) -> dict[str, str]:
    """The short forms of a glossary that have one reading, with their other spellings."""
    return {
        short: entry.full[0]
        for entry in glossary
        if entry.kind == "abbreviation" and len(entry.full) == 1
        for short in (entry.short, *entry.also)
    }


class Wording:
    """Brings a question into the forms in which it is compared."""

    def __init__(
        self,
        glossary: Iterable[GlossaryEntry],
        abbreviations: Mapping[str, str],
        catalog: Catalog,
        diacritics: Diacritics | None = None,
    ) -> None:
        self._glossary = Glossary(glossary)
        self._abbreviations = Abbreviations(abbreviations)
        self._linker = CatalogLinker(catalog)
        self._diacritics = diacritics

    def plain(self, text: str) -> str:
        """`text` clean, in everyday spelling, with its diacritics, its unambiguous short forms in full."""
        spelled = normalize(text, self._glossary)
        if self._diacritics is not None:
            spelled = self._diacritics.restore(spelled, bare=fold(text) == text.lower())
        return self._abbreviations.expand_question(spelled)

    def also(self, text: str) -> tuple[str, ...]:
        """What a plain question may be called besides: readings of ambiguous short forms, short forms of terms."""
        return self._glossary.expansions(text)

    def link(self, text: str) -> list[Mention]:
        """What `text` names of the catalogue."""
        return self._linker.link(text)

    def asked(self, plain: str) -> str:
        """A plain question without the cohort and the major it says the student is of.

        "k47 ngành cntt cần chứng chỉ ngoại ngữ gì" asks what any student may ask; whom an answer is for is settled by
        its `applies_to`. Two values of one kind are part of what is asked ("chuyển từ luật sang kế toán").
        """
        mentions = self.link(plain)
        rest = plain
        for mention in reversed(mentions):
            of_its_kind = {other.value for other in mentions if other.entity == mention.entity}
            if mention.entity in SETTLED and len(of_its_kind) == 1:
                rest = f"{_CUE.sub('', rest[: mention.start])} {rest[mention.end :]}"
        rest = " ".join(rest.split())
        return rest if len(words(rest)) >= _FEWEST_WORDS else plain
