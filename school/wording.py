"""The wording in which questions are compared, those of students and those of FAQ entries."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import date
from functools import lru_cache

from school.abbreviations import Abbreviations
from school.catalog import GlossaryEntry
from school.entity_linker import EntityLinker, Mention, are_listed
from school.glossary import Glossary, own_chat_spelling
from school.institutions import known_institutions
from school.reading_knowledge import ReadingKnowledge
from vietnamese.chat_spelling import normalize
from vietnamese.comparison import another, question_of_each, without_choice
from vietnamese.ellipsis import naming_words
from vietnamese.english import English
from vietnamese.language_detection import is_english
from vietnamese.patterns import any_of
from vietnamese.spelling import Spelled, SpellingCorrector, with_marks
from vietnamese.text import fold, words

_ADDRESS = re.compile(r"^(?:[^\W\d_]+ ?){0,2} ?[,:;] ?")
"""The rest of "em k47, ..." without the cohort."""

_KEPT_TEXTS = 64
"""The texts whose correction is kept: a turn looks at its message as a whole and in its parts."""

_SHORTEST_ENGLISH = 4
_FEWEST_WORDS = 2
"""Words that must remain of a question without its values: "ngành luật" alone is about the major."""


class Wording:
    """Brings a question into the forms in which it is compared."""

    def __init__(self, knowledge: ReadingKnowledge) -> None:
        self._glossary = Glossary(knowledge.glossary)
        self._abbreviations = Abbreviations(knowledge.abbreviations)
        self._linker = EntityLinker(knowledge.forms)
        self._kinds = knowledge.dimensions
        self._identifying = frozenset(knowledge.identifying)
        # A cue at the end of folded text.
        self._cue = re.compile(rf"\b(?:{any_of(map(fold, knowledge.cues))})\s*$")
        self._chat = own_chat_spelling(knowledge.glossary)
        self._english = English(_english_terms(knowledge.glossary))
        self._names = {(entity, value): name for entity, value, name in knowledge.names}
        self._spellings = _by_value(knowledge.spellings)
        institutions = {word for name in known_institutions() for word in words(name)}
        kept = {*self._english.vocabulary, *knowledge.known_words, *institutions}
        self._corrector = (
            SpellingCorrector(knowledge.lexicon, kept, self._chat) if knowledge.lexicon else None
        )
        self._corrected = lru_cache(_KEPT_TEXTS)(self._correct)

    def plain(self, text: str) -> str:
        """Return `text` spelled out, with its short forms in full."""
        return self.expanded(self.spelled(text))

    def spelled(self, text: str) -> str:
        """Return `text` clean, in everyday spelling, with its diacritics."""
        return self.corrected(text).text

    def corrected(self, text: str) -> Spelled:
        """Return `text` as `spelled` does, and its words that a search looks for as typed."""
        return self._corrected(text)

    def _correct(self, text: str) -> Spelled:
        if self._corrector is None:
            return Spelled(self._chat.write_out(normalize(text)), ())
        return self._corrector.correct(text, self._bare_names(text))

    def _bare_names(self, text: str) -> dict[str, str]:
        """Return the values of the student that `text` names without diacritics, and how the school writes them.

        "Hoc phi nganh duoc" is no "học phí ngành được", and "nganh it" no "ngành ít".
        """
        found: dict[str, str] = {}
        for mention in self.link(text):
            typed = text[mention.name_start : mention.end].lower()
            for spelling in self._spellings.get((mention.entity, mention.value), ()):
                if typed.isascii() and (written := _part_of(spelling, typed)):
                    found.setdefault(typed, written)
        return found

    def marked(self, text: str) -> str:
        """Return `text` with the diacritics that its words have lost, and nothing else changed."""
        return with_marks(text, self.spelled(text))

    def expanded(self, spelled: str) -> str:
        """Return `spelled` with its short forms in full; those of several terms where their neighbours tell which."""
        text = self._abbreviations.expand_question(spelled)
        if self._corrector is None:
            return text
        return self._glossary.written_out(text, self._corrector.log_probability)

    def is_english(self, text: str) -> bool:
        """Return whether a question is in English."""
        return is_english(text, self._english.vocabulary)

    def with_vietnamese_terms(self, text: str) -> tuple[str, tuple[str, ...]]:
        """Return a Vietnamese text with its English terms in Vietnamese, and the English words."""
        return self._english.within_vietnamese(text)

    def in_vietnamese(self, text: str) -> str:
        """Return an English question in Vietnamese terms, with the Vietnamese names of the catalogue."""
        names = [
            (mention.start, mention.end, self._names[mention.entity, mention.value])
            for mention in self.link(text)
            if (mention.entity, mention.value) in self._names
        ]
        return self._english.read(text, names)

    def expansions(self, text: str) -> tuple[str, ...]:
        """Return other wordings of a plain question: readings of ambiguous short forms, short forms of terms."""
        return self._glossary.expansions(text)

    def link(self, text: str) -> tuple[Mention, ...]:
        """Return everything that `text` names of the catalogue."""
        return self._linker.link(text)

    def unlisted(self, text: str) -> str | None:
        """Return the value that `text` names and the school does not have ("k43"), as typed; None without one."""
        return self._linker.unlisted(text)

    def mentions(self, text: str, today: date) -> tuple[Mention, ...]:
        """Return the names in `text` that it neither denies nor takes back; years of study count from `today`."""
        return self._linker.mentions(text, today, self.marked(text))

    def asked(self, plain: str) -> str:
        """Return a plain question without the values that identify the student, such as cohort and major.

        "k47 ngành cntt cần chứng chỉ ngoại ngữ gì" is any student's question; `applies_to` restricts the answers. A
        change is one to another value ("chuyển sang ngành khác"); a comparison or a list asks the same of each value.
        """
        mentions = self.link(plain)
        named = {(m.entity, m.value) for m in mentions if m.entity in self._kinds and not m.role}
        several = {each for each in self._kinds if sum(entity == each for entity, _ in named) > 1}
        of_each = question_of_each(plain) if several else None
        is_of_each = of_each is not None or are_listed(mentions, plain)
        dropped = self._identifying | several if is_of_each else self._identifying - several
        if any(m.role == "target" and m.entity in self._identifying for m in mentions):
            # A student who would change the major asks how, whatever their programme is.
            dropped |= frozenset(self._kinds)
        rest = self._cut(plain, (m for m in mentions if m.entity in dropped), several)
        if is_of_each and of_each is None:
            rest = without_choice(rest, self._kinds.values()) or rest
        rest = question_of_each(rest) or plain if of_each else rest
        address = _ADDRESS.match(rest) if rest != plain else None
        if address is not None and not naming_words(address[0]):
            # "Em , khi nào đóng học phí" is what is left of "em k49 ngành kế toán, khi nào đóng học phí".
            rest = rest[address.end() :]
        return rest if len(words(rest)) >= _FEWEST_WORDS else plain

    def without(self, text: str, entities: Collection[str]) -> str:
        """Return `text` without its names of those entities."""
        rest = self._cut(text, (mention for mention in self.link(text) if mention.entity in entities))
        return _ADDRESS.sub("", rest)

    def _cut(self, text: str, mentions: Iterable[Mention], several: Collection[str] = ()) -> str:
        """Return `text` without `mentions` and the words that lead to them; in place of a target, "ngành khác"."""
        rest = text
        for mention in sorted(mentions, key=lambda mention: -mention.start):
            before = rest[: mention.name_start if mention.role else mention.start]
            cue = self._cue.search(fold(before))
            before, kind = before[: cue.start()] if cue else before, self._kinds.get(mention.entity, "")
            before = another(kind, before, mention.role, several=mention.entity in several)
            rest = f"{before} {rest[mention.end :]}"
        return " ".join(rest.split())


def _by_value(spellings: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for entity, value, name in spellings:
        found.setdefault((entity, value), []).append(name.lower())
    return found


def _part_of(spelling: str, typed: str) -> str | None:
    """Return the words of `spelling` that `typed` is without its diacritics; None when they stand nowhere in it."""
    written, bare = spelling.split(), typed.split()
    for first in range(len(written) - len(bare) + 1):
        part = written[first : first + len(bare)]
        if [fold(word) for word in part] == bare:
            return " ".join(part)
    return None


def _english_terms(glossary: Iterable[GlossaryEntry]) -> dict[str, str]:
    """Return the English phrases of a glossary: short forms of several words, or of one long enough."""
    return {
        short: entry.full[0]
        for entry in glossary
        if entry.kind == "abbreviation" and len(entry.full) == 1
        for short in (entry.short, *entry.also)
        if short.isascii()
        and (" " in short or (short.islower() and len(short) >= _SHORTEST_ENGLISH))
        and not _shortens(short, entry.full[0])
    }


def _shortens(short: str, full: str) -> bool:
    """Return whether a short form has letters of its Vietnamese words alone: "HB KKHT" is no English."""
    letters = iter(fold(full).lower())
    return all(letter in letters for letter in short.lower().replace(" ", ""))
