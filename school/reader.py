"""Reads a message, once: spelling, language, names, sentence vector, intent and topic.

Rasa's process, the action server and the command line read with this class, from the same `ReadingKnowledge`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

import numpy as np

from school.campus_matters import CampusMatters
from school.clock import today
from school.fields_of_study import FieldsOfStudy
from school.institutions import Institutions
from school.intents import ACTS_OF_TALK, LEAST_OF_AN_ACT, NO_ABBREVIATION
from school.kernel_classifier import Example, KernelClassifier
from school.reading import Reading
from school.reading_knowledge import ReadingKnowledge
from school.sentence_embedder import QuestionEmbedder
from school.wording import Wording
from vietnamese.contrast import without_contrast
from vietnamese.impersonal_question import (
    asks_for_a_person,
    asks_for_amount,
    asks_for_consequence,
    asks_for_offer,
    asks_where,
    is_impersonal_question,
    may_ask_for_a_person,
)
from vietnamese.language_detection import detect_language
from vietnamese.letters import without_frame
from vietnamese.parents import with_parent
from vietnamese.peoples import with_minority
from vietnamese.small_talk import asks_beside_small_talk, small_talk, without_small_talk
from vietnamese.stopwords import says_something
from vietnamese.syllables import is_abbreviation
from vietnamese.text import MAX_QUESTION_CHARS, clean, fold, words
from vietnamese.written_values import written_values
from vietnamese.years import with_last_year

SURELY_A_PERSON = 0.95
"""The probability of a request for a person where a part of the message is nothing else."""

FEWEST_TELLING_WORDS = 2
"""Telling words that must remain of a message without its greeting: "thầy cô ạ" is no question."""


class Reader:
    """Reads messages with the knowledge of a school. Immutable, so thread-safe.

    Args:
        knowledge: gathered by `covan index` from the knowledge folder.
        embedder: makes the sentence vectors; without one, readings have no vector and no intents.
        classifier: gives the intents; without one, or with one of another embedder, readings have none.
        clock: returns the current day, for "em năm 2" and "tuần sau"; without it, the day at the school counts.
    """

    def __init__(
        self,
        knowledge: ReadingKnowledge,
        embedder: QuestionEmbedder | None = None,
        classifier: KernelClassifier | None = None,
        clock: Callable[[], date] | None = None,
    ) -> None:
        self.wording = Wording(knowledge)
        self._institutions = Institutions(knowledge.own_names)
        self._campus = CampusMatters(knowledge.unpublished_matters, knowledge.matters_in_passing)
        self._fields = FieldsOfStudy(knowledge.absent_fields, knowledge.own_names.subjects)
        self._ordered = frozenset(knowledge.ordered)
        self._dimensions = frozenset(knowledge.dimensions)
        self._embedder = embedder
        self._classifier = classifier
        self.today = clock or partial(today, knowledge.time_zone)

    def read(self, text: str) -> Reading:
        """Return the reading of `text`, which may be anything at all."""
        return self.classified(self.embedded(self.prepared(text)))

    def embedded(self, reading: Reading) -> Reading:
        """Return `reading` with its sentence vector, unless there is no embedder or nothing to embed."""
        if self._embedder is None or reading.is_empty:
            return reading
        vector = self._embedder.query(reading.embedded)
        return replace(reading, vector=vector, embedder=self._embedder.name)

    def classified(self, reading: Reading) -> Reading:
        """Return `reading` with its intents, unless it has no vector that the classifier knows."""
        reading = self.ranked([reading])[0]
        if not (intents := reading.intents):
            return reading
        is_question = (
            is_impersonal_question(reading.text)
            or asks_for_amount(reading.normalized)
            or asks_for_consequence(reading.normalized)
            or asks_for_offer(reading.text)
            or asks_beside_small_talk(reading.text)
        )
        first, share = next(iter(intents.items()), ("", 0.0))
        is_doubtful = reading.small_talk is None and share < LEAST_OF_AN_ACT
        if first in ACTS_OF_TALK and (is_question or is_doubtful):
            intents = {name: share for name, share in intents.items() if name not in ACTS_OF_TALK}
        excluded: set[str] = set()
        if reading.small_talk is not None and next(iter(intents), None) == "change_profile":
            # "Ok để em ghi lại" asks to note nothing of the student.
            excluded.add("change_profile")
        if reading.small_talk is None and is_abbreviation(reading.text):
            excluded |= NO_ABBREVIATION
        if asks_where(reading.text) or asks_for_amount(reading.text):
            excluded.add("start_over")
        if not may_ask_for_a_person(reading.text):
            excluded.add("ask_advisor")
        intents = {name: p for name, p in intents.items() if name not in excluded}
        if asks_for_a_person(reading.text):
            # A reason beside the request ("e bi sai diem hoc phan") has more words than it.
            intents = {"ask_advisor": max(intents.get("ask_advisor", 0.0), SURELY_A_PERSON)} | {
                name: p for name, p in intents.items() if name != "ask_advisor"
            }
        return replace(reading, intents=intents)

    def ranked(self, readings: Sequence[Reading]) -> list[Reading]:
        """Return readings with their intents as the classifier ranks them, for messages that ask something.

        All at once takes less time: the classifier's examples are read from the computer's memory once.
        """
        classifier = self._classifier
        if classifier is None:
            return list(readings)
        vectors = {
            at: one.vector
            for at, one in enumerate(readings)
            if one.vector is not None and one.embedder == classifier.embedder
        }
        if not vectors:
            return list(readings)
        letters = [readings[at].letters for at in vectors]
        rankings = classifier.rankings(letters, np.stack(list(vectors.values())))
        intents = dict(zip(vectors, rankings, strict=True))
        return [
            replace(one, intents=intents[at]) if at in intents else one for at, one in enumerate(readings)
        ]

    def without_frame(self, text: str) -> str:
        """Return `text` without greeting and thanks, and without what stands around the questions of a letter."""
        return self._without_letter(without_small_talk(self._without_letter(text)))

    def _without_letter(self, text: str) -> str:
        return without_frame(text, self._places_of_profile)

    def _places_of_profile(self, text: str) -> list[tuple[int, int]]:
        return [(m.start, m.end) for m in self.wording.link(text) if m.entity in self._dimensions]

    def untaught(self, name: str) -> str | None:
        """Return the field of study, folded, that a bare name is of and the school does not teach; else None."""
        return self._fields.absent_named(name)

    def untaught_alone(self, text: str) -> str | None:
        """Return the untaught field, folded, that `text` consists of and whose name means no more; else None."""
        return self._fields.absent_alone(text)

    def prepared(self, text: str) -> Reading:
        """Return the reading of `text` without vector and intents."""
        text = clean(text, MAX_QUESTION_CHARS)
        body, searched = self._searched(text)
        mentions = self.wording.mentions(text, self.today())
        return replace(
            searched,
            language=detect_language(text),
            mentions=mentions,
            written_values=written_values(text, [(mention.start, mention.end) for mention in mentions]),
            foreign_institution=self._institutions.foreign(body),
            unlisted_value=self.wording.unlisted(body),
            absent_field=self._fields.absent(body),
            unpublished_matter=self._campus.absent(body),
            small_talk=small_talk(text),
        )

    def behind(self, first: Reading, second: Reading) -> Reading:
        """Return the reading of two messages as one, without vector and intents, to be searched by.

        What a message alone may be (small talk, about another university) is not told of the two.
        """
        normalized = self.wording.expanded(f"{first.normalized} {second.normalized}")
        typed = [
            each
            for one in (first, second)
            for of_terms in (self.wording.expansions(one.normalized),)
            for each in one.expansions
            if each not in of_terms
        ]
        asked, shift = self.wording.asked(normalized), len(first.text) + 1
        mentions = (
            replace(each, start=each.start + shift, name_start=each.name_start + shift, end=each.end + shift)
            for each in second.mentions
        )
        values = (
            replace(each, start=each.start + shift, end=each.end + shift) for each in second.written_values
        )
        return Reading(
            text=f"{first.text} {second.text}",
            normalized=normalized,
            expansions=(*self.wording.expansions(normalized), *typed),
            asked=asked,
            embedded=asked,
            letters=f"{first.letters} {second.letters}".strip(),
            is_english=second.is_english,
            mentions=(*first.mentions, *mentions),
            written_values=(*first.written_values, *values),
        )

    def searched(self, text: str) -> Reading:
        """Return what `prepared` does as far as search and the classifier need it: the wordings of `text`."""
        return self._searched(clean(text, MAX_QUESTION_CHARS))[1]

    def _searched(self, text: str) -> tuple[str, Reading]:
        """Return the text without what stands around it, and the reading with its wordings."""
        body = self.without_frame(text)
        if sum(map(says_something, words(body))) < FEWEST_TELLING_WORDS:
            body = text
        body = with_last_year(self._institutions.within_own(body), self.today())
        body = with_minority(self._of_parent(without_contrast(body)))
        english = self.wording.is_english(body)
        replaced: tuple[str, ...] = ()
        if english:
            terms = self.wording.in_vietnamese(body)
        else:
            terms, replaced = self._with_vietnamese_terms(body)
        corrected = self.wording.corrected(terms)
        spelled = self.wording.spelled(text) if terms != text else corrected.text
        normalized = self.wording.expanded(corrected.text)
        asked = self.wording.asked(normalized)
        return body, Reading(
            text=text,
            normalized=normalized,
            expansions=(*self.wording.expansions(normalized), *corrected.typed, *replaced),
            asked=asked,
            # A multilingual embedder reads English well, and better still beside its Vietnamese terms (measured).
            embedded=f"{self.wording.asked(body)} {asked}" if english else asked,
            letters=self._letters(spelled),
            is_english=english,
        )

    def _with_vietnamese_terms(self, text: str) -> tuple[str, tuple[str, ...]]:
        """Return `text` with its English terms in Vietnamese, and the English words.

        Beside a Vietnamese term, the other words would no longer seem to have lost their diacritics.
        """
        terms, replaced = self.wording.with_vietnamese_terms(text)
        if not replaced:
            return terms, replaced
        in_marked = self.wording.with_vietnamese_terms(self.wording.marked(text))
        return in_marked if len(in_marked[1]) == len(replaced) else (terms, replaced)

    def _of_parent(self, text: str) -> str:
        """Return `text` as `with_parent` does; "toi" may also be "tới" or "tối", which its diacritics tell."""
        if with_parent(text) == text:
            return text
        marked = self.wording.marked(text)
        named = with_parent(marked)
        return text if named == marked else named

    def examples(
        self, labelled: Iterable[tuple[str, str]], searched: Callable[[str], Reading] | None = None
    ) -> Sequence[Example]:
        """Return the classifier's examples for messages and their intents.

        A message that names values of the student gives two: the names tell its intent, too. `searched` is this
        reader's method of that name, when it remembers what it has read.
        """
        searched = searched or self.searched
        found: dict[Example, None] = {}
        for text, intent in labelled:
            reading = searched(text)
            for embedded in (reading.embedded, reading.normalized):
                found.setdefault(Example(intent, reading.letters, embedded))
        return list(found)

    def _letters(self, spelled: str) -> str:
        """Return `spelled` in folded letters, each ordered value as its dimension."""
        letters = fold(spelled).lower()
        for mention in reversed(self.wording.link(letters)):
            if mention.entity in self._ordered:
                letters = f"{letters[: mention.name_start]}{mention.entity}{letters[mention.end :]}"
        return letters
