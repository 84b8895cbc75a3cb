"""What a question says: clean text, short forms in full, the student's own values of the school's dimensions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rag.query.question_splitting import split_questions
from rag.types import Question
from school.catalog import Catalog, GlossaryEntry
from school.clock import today
from school.dimensions import Profile
from school.entity_linker import Mention
from school.institutions import Institutions, OwnNames
from school.wording import Wording
from vietnamese.language_detection import Language
from vietnamese.lexicon import Lexicon
from vietnamese.small_talk import SmallTalk, small_talk, without_greeting
from vietnamese.stopwords import STOPWORDS
from vietnamese.text import MAX_QUESTION_CHARS, clean


@dataclass(frozen=True, slots=True)
class Understood:
    """`text` as typed but clean; `plain` in one wording; `also` what it may be called besides, and its words as typed
    where `plain` has others.

    `asked` is the plain question without what it says of the student; `profile` has that. `foreign` is the name of
    another university that the question is about, if any. `language` is the one the question was asked in; of an
    English question `plain` and `asked` are its terms in Vietnamese. `embedded` is what the embedder should see.
    `small_talk` is its kind when the message asks nothing of the school.
    """

    text: str
    plain: str
    also: tuple[str, ...]
    asked: str
    profile: Profile
    foreign: str | None
    language: Language = "vi"
    embedded: str = ""
    small_talk: SmallTalk | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for: no letter and no digit."""
        return not any(char.isalnum() for char in self.text)


class Understanding:
    """Everything that is done to a question before anything is looked up."""

    def __init__(
        self,
        catalog: Catalog,
        glossary: Sequence[GlossaryEntry],
        abbreviations: Mapping[str, str],
        lexicon: Lexicon | None = None,
        clock: Callable[[], date] = today,
    ) -> None:
        self._clock = clock
        self._wording = Wording(glossary, abbreviations, catalog, lexicon)
        self._institutions = Institutions(OwnNames.of(catalog))
        # The word that a reply leaves out because the question has said it.
        self._names = {dimension.id: dimension.name for dimension in catalog.dimensions}

    def understand(self, question: Question) -> Understood:
        text = clean(question.text, MAX_QUESTION_CHARS)
        said = without_greeting(text)
        english = self._wording.is_english(said)
        corrected = self._wording.corrected(self._wording.in_vietnamese(said) if english else said)
        plain = self._wording.expanded(corrected.text)
        asked = self._wording.asked(plain)
        return Understood(
            text=text,
            plain=plain,
            also=(*self._wording.also(plain), *corrected.typed),
            asked=asked,
            profile=self._profile(text, question.profile),
            foreign=self._institutions.foreign(text),
            language="en" if english else "vi",
            # A multilingual embedder reads English well, and better still beside its Vietnamese terms (measured).
            embedded=f"{self._wording.asked(said)} {asked}" if english else asked,
            small_talk=small_talk(text),
        )

    def parts(self, text: str) -> tuple[str, ...]:
        """The questions of a message, each to be asked by itself; `text` alone when it is one question."""
        said = without_greeting(clean(text, MAX_QUESTION_CHARS))
        spelled = said if self._wording.is_english(said) else self._wording.spelled(said)
        parts = split_questions(spelled, self._of_profile)
        return parts if len(parts) > 1 else (text,)

    def without(self, text: str, dimensions: Collection[str]) -> str:
        """`text` without what it names of `dimensions`, cue and all: "k47 cần gì" for the cohort is "cần gì"."""
        return self._wording.without(clean(text, MAX_QUESTION_CHARS), dimensions)

    def with_matter(self, text: str, matter: str) -> str | None:
        """`text` with `matter` for the name of the catalogue that it begins with; None when it begins with none."""
        cleaned = clean(text, MAX_QUESTION_CHARS)
        first = next(iter(self._wording.link(cleaned)), None)
        return f"{matter}{cleaned[first.end :]}" if first is not None and first.start == 0 else None

    def is_said(self, kind: str, understood: Understood) -> bool:
        """Whether the profile says which one of a kind of thing is meant: "ngành" of one whose major is known."""
        dimension = next((d for d, name in self._names.items() if name in kind), None)
        return dimension is not None and understood.profile.get(dimension) is not None

    def named_value(self, dimension: str, text: str) -> str | None:
        """The one value of `dimension` that a reply names, with or without the word for the dimension."""
        said = " ".join(
            word for word in clean(text, MAX_QUESTION_CHARS).split() if word.lower() not in STOPWORDS
        )
        values = {
            mention.value
            for mention in self._wording.mentions(f"{self._names[dimension]} {said}", self._clock())
            if mention.entity == dimension
        }
        return values.pop() if len(values) == 1 else None

    def _profile(self, text: str, known: Profile) -> Profile:
        """The profile with what the question says of it; two values of one dimension say nothing.

        "Không phải k47" says nothing either.
        """
        said: dict[str, set[str]] = {}
        for mention in self._wording.mentions(text, self._clock()):
            if mention.entity in self._names:
                said.setdefault(mention.entity, set()).add(mention.value)
        return known.with_values({d: values.pop() for d, values in said.items() if len(values) == 1})

    def _of_profile(self, text: str) -> list[Mention]:
        """The mentions of values of the school's dimensions."""
        return [mention for mention in self._wording.link(text) if mention.entity in self._names]
