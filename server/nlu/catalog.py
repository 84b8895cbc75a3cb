"""What a message names: cohort, major, programme, course, office, document of the school; dates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Text, Tuple
from typing import Pattern as Pattern_

from rapidfuzz.distance import OSA
from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.nlu.extractors.extractor import EntityExtractorMixin
from rasa.shared.nlu.constants import (
    ENTITIES,
    ENTITY_ATTRIBUTE_END,
    ENTITY_ATTRIBUTE_START,
    ENTITY_ATTRIBUTE_TYPE,
    ENTITY_ATTRIBUTE_VALUE,
    TEXT,
)
from rasa.shared.nlu.training_data.message import Message

from server.nlu.button import is_button
from vietnamese.dates import find_dates
from server.nlu.given_file import GivenFileComponent
from server.nlu.retraction import Retraction
from server.nlu.school_year import StudyYears, today
from vietnamese.text import Folded, MAX_QUESTION_CHARS, fold_with_offsets

_WORD = re.compile(r"[^\W_]+")
_NAME = "name"
"""The group of a pattern that is the name without its cue."""

_OWN = ("major", "program")
"""What a year of study may stand beside: "luật năm 2"."""

_SHORTEST_MISTYPED = 3
"""Letters that a word must have for a typo in it: "tiếng anh k" is not "tiếng anh 1"."""

_SHORTEST_SINGLE = 8
"""Letters of a word that may be a name of one word with a typo."""

_MOST_WORDS = 150
"""Words of a message that are looked at for typos; nobody introduces themselves later than that."""

_MOST_SQUASHED = 5
"""Words that may be a name with its blanks in other places."""

_CLAUSE_END = re.compile(r"[,.;:!?\n]")

# The spelling of a Vietnamese syllable without diacritics: initial consonant, vowels, final consonant.
_SYLLABLE = re.compile(
    r"(?:ngh?|gh?|gi|kh?|ch?|nh|ph|qu|th?|tr|[bdhlmnprstvx])?(?:[aeiouy]{1,3})(?:ch|ng|nh|[cmnpt])?"
)


@dataclass(frozen=True)
class Pattern:
    """A way to write something of the catalogue.

    `pattern` is searched in folded text that holds `needle`; when there is an `exact`, the same stretch must match it with
    its diacritics too ("dược học" is not "được học"). The group `name`, if any, is the name without its cue.
    """

    pattern: Pattern_[str]
    exact: Optional[Pattern_[str]]
    needle: str
    entity: str
    value: str

    def find(self, seen: Folded) -> Iterator[Match]:
        """The mentions in a text."""
        if self.needle not in seen.folded:
            return
        named = _NAME in self.pattern.groupindex
        for found in self.pattern.finditer(seen.folded):
            if found.end() > found.start() and (
                self.exact is None or self.exact.fullmatch(seen.lowered, found.start(), found.end())
            ):
                start = found.start(_NAME) if named else found.start()
                yield Match(found.start(), found.end(), self.entity, self.value, start)


@dataclass(frozen=True)
class Alias:
    """A longer name of something in the catalogue, folded, that a typo may hit."""

    text: str
    entity: str
    value: str

    @property
    def allowed_edits(self) -> int:
        """One wrong, missing, doubled or swapped letter; two in a name of sixteen letters or more."""
        return 2 if len(self.text) >= 16 else 1


@dataclass(frozen=True)
class Match:
    """A mention in folded text, its name beginning at `name_start`: `edits` is 0 for an exact one."""

    start: int
    end: int
    entity: str
    value: str
    name_start: int
    edits: int = 0
    relative: bool = False


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.ENTITY_EXTRACTOR, is_trainable=True)
class CatalogExtractor(GivenFileComponent, EntityExtractorMixin):
    """Finds what the catalogue names, in any spelling: "khóa 47", "k47", "cong nghe thong tin", "công nghệ thong tn".

    The file named by `patterns` (JSON, written by `covan train`) holds `patterns` (see `Pattern`)
    with the entity and the catalogue id each stands for; `aliases`: folded names for fuzzy matching; `study_years` (see
    `StudyYears`); and `retraction`: the rules for what is taken back.
    """

    SETTING = "patterns"
    FILE = "catalog.json"

    @staticmethod
    def get_default_config() -> Dict[Text, Any]:
        """The extractor's defaults: where `covan train` writes its file, and which entities to extract."""
        return {
            "patterns": ".covan/nlu/catalog.json",
            "entities": ["cohort", "major", "program", "course", "office", "document", "date"],
        }

    @staticmethod
    def required_packages() -> List[str]:
        """The packages that must be installed for this component."""
        return ["rapidfuzz"]

    @classmethod
    def load(cls, *args: Any, **kwargs: Any) -> CatalogExtractor:
        """The extractor with the catalogue that its model was trained with.

        Raises:
            ValueError: when COVAN_TODAY is no day; better now than with the first message.
        """
        today()
        return super().load(*args, **kwargs)

    def process(self, messages: List[Message]) -> List[Message]:
        """Adds the mentions of each message to its entities; a pressed button carries its own."""
        for message in messages:
            if not is_button(message):
                entities = self.add_extractor_name(self.extract(message.get(TEXT) or ""))
                message.set(ENTITIES, message.get(ENTITIES, []) + entities, add_to_output=True)
        return messages

    def extract(self, text: str) -> List[Dict[Text, Any]]:
        """What `text` names, in order, never overlapping: exact before mistyped, longer before shorter.

        A mention is the name without the cue it needs ("luật" of "học luật"). What is denied or taken back is left out
        ("không phải k47, k48 cơ"). Dates and years of study are those of today.
        """
        seen = fold_with_offsets(text[:MAX_QUESTION_CHARS])
        matches = [match for form in self._patterns for match in form.find(seen)]
        matches += self._names.mistyped(seen.folded)
        day = today()
        if self._wants("date"):
            matches += [
                Match(found.start, found.end, "date", found.value, found.start)
                for found in find_dates(seen.folded, seen.lowered, day)
            ]
        years = self._study_years.find(seen.lowered, day) if self._wants("cohort") else []
        matches += [
            Match(year.start, year.end, "cohort", year.cohort, year.start, relative=True)
            for year in years
            if not year.beside
        ]
        chosen = _choose(matches)
        beside = [
            Match(year.start, year.end, "cohort", year.cohort, year.start, relative=True)
            for year in years
            if year.beside and self._is_own(seen.lowered, year.start, year.end, chosen)
        ]
        kept = self._retraction.kept(seen.lowered, _choose(beside, chosen))
        # "k51 năm 2": the number is surer than the year counted back.
        counted = any(match.entity == "cohort" and not match.relative for match in kept)
        return [
            {
                ENTITY_ATTRIBUTE_TYPE: match.entity,
                ENTITY_ATTRIBUTE_START: seen.starts[match.name_start],
                ENTITY_ATTRIBUTE_END: seen.ends[match.end - 1],
                ENTITY_ATTRIBUTE_VALUE: match.value,
            }
            for match in kept
            if not (match.relative and counted)
        ]

    def _is_own(self, lowered: str, start: int, end: int, chosen: Sequence[Match]) -> bool:
        """Whether a year of study stands beside a major or programme that the student says is theirs."""
        for match in chosen:
            if match.entity not in _OWN:
                continue
            first, gap = (
                (match.start, lowered[match.end : start])
                if match.end <= start
                else (start, lowered[end : match.start])
            )
            clause = _CLAUSE_END.split(lowered[:first])[-1]
            if self._retraction.joins(gap) and self._retraction.joins(clause):
                return True
        return False

    def _wants(self, entity: str) -> bool:
        return entity in self._config["entities"]

    def _use(self, learnt: Dict[Text, Any]) -> None:
        self._patterns = [
            Pattern(
                re.compile(form["pattern"]),
                re.compile(form["exact"]) if form.get("exact") else None,
                str(form.get("needle", "")),
                str(form["entity"]),
                str(form["value"]),
            )
            for form in learnt["patterns"]
            if self._wants(form["entity"])
        ]
        self._names = LongNames(
            Alias(alias["text"], alias["entity"], alias["value"])
            for alias in learnt["aliases"]
            if self._wants(alias["entity"])
        )
        self._study_years = StudyYears(learnt.get("study_years", {}))
        self._retraction = Retraction(learnt.get("retraction", {}))


def _choose(matches: Iterable[Match], taken: Sequence[Match] = ()) -> List[Match]:
    """`taken` and what does not name the same words again, exact before mistyped, longer before shorter; in order."""
    chosen = list(taken)
    for match in sorted(matches, key=lambda m: (m.edits, m.start - m.end, m.start)):
        if all(match.end <= other.name_start or match.name_start >= other.end for other in chosen):
            chosen.append(match)
    return sorted(chosen, key=lambda m: m.name_start)


class LongNames:
    """The longer names of the catalogue, found with a typo in them.

    A name is looked for around its words that are typed right, at least half of them; a name of one word against each word;
    and with its blanks left out.
    """

    def __init__(self, aliases: Iterable[Alias]) -> None:
        self._aliases = list(aliases)
        self._lengths = [len(alias.text.split()) for alias in self._aliases]
        # By place in the list: numbers are quick to count by.
        self._squashed: Dict[str, List[int]] = {}
        self._single: Dict[int, List[int]] = {}
        self._by_word: Dict[str, List[Tuple[int, int]]] = {}
        for number, alias in enumerate(self._aliases):
            words = alias.text.split()
            self._squashed.setdefault("".join(words), []).append(number)
            if len(words) == 1:
                self._single.setdefault(len(alias.text), []).append(number)
            for place, word in enumerate(words):
                self._by_word.setdefault(word, []).append((number, place))

    def mistyped(self, folded: str) -> List[Match]:
        """The mentions with a typo in folded text; a stretch as near to two different things is taken for neither."""
        words = [found.span() for found, _ in zip(_WORD.finditer(folded), range(_MOST_WORDS))]
        near: Dict[Tuple[int, int], Dict[int, int]] = {}
        for first, last, number in set(self._candidates(folded, words)):
            alias = self._aliases[number]
            start, end = words[first][0], words[last][1]
            if abs(len(alias.text) - (end - start)) <= max(alias.allowed_edits, self._lengths[number] - 1):
                edits = _edits(folded[start:end], alias)
                if 0 < edits <= alias.allowed_edits:
                    near.setdefault((start, end), {})[number] = edits
        matches: List[Match] = []
        for (start, end), found in near.items():
            fewest = min(found.values())
            meant = [self._aliases[number] for number, edits in found.items() if edits == fewest]
            readings = {(alias.entity, alias.value) for alias in meant}
            if len(readings) == 1:
                entity, value = readings.pop()
                matches.append(Match(start, end, entity, value, start, fewest))
        return matches

    def _candidates(self, folded: str, words: Sequence[Tuple[int, int]]) -> Iterator[Tuple[int, int, int]]:
        """Stretches of words, first and last, with the places in the list of the names that they may be."""
        typed = [folded[start:end] for start, end in words]
        right: Dict[Tuple[int, int], int] = {}
        for index, word in enumerate(typed):
            for number, place in self._by_word.get(word, ()):
                key = (index - place, number)
                right[key] = right.get(key, 0) + 1
            if len(word) >= _SHORTEST_SINGLE:
                for length in (len(word) - 1, len(word), len(word) + 1):
                    for number in self._single.get(length, ()):
                        yield index, index, number
            squashed = ""
            for last in range(index, min(index + _MOST_SQUASHED, len(typed))):
                squashed += typed[last]
                for number in self._squashed.get(squashed, ()):
                    yield index, last, number
        for (first, number), count in right.items():
            length = self._lengths[number]
            # With every word right it is no typo; with less than half of them it is another name.
            if count < length <= 2 * (count + 1):
                for start, last in (
                    (first, first + length - 1),
                    (first, first + length - 2),
                    (first + 1, first + length - 1),
                    (first, first + length),
                    (first - 1, first + length - 1),
                ):
                    if 0 <= start <= last < len(typed):
                        yield start, last, number


def _edits(typed: str, alias: Alias) -> int:
    """How many edits turn the alias into what was typed; too many when they make other words.

    A changed word that could be a syllable is another word ("toán" -> "tin", "chuẩn" -> "chưa"), not a typo; in a name of
    four words or more one such word, with one letter wrong, is forgiven.
    """
    total = int(OSA.distance(typed, alias.text, score_cutoff=alias.allowed_edits))
    words, meant = typed.split(), alias.text.split()
    if len(words) != len(meant):
        return total if "".join(words) == "".join(meant) else alias.allowed_edits + 1
    changed = [(one, other) for one, other in zip(words, meant) if one != other]
    if any(len(other) < _SHORTEST_MISTYPED for _, other in changed):
        return alias.allowed_edits + 1
    if not any(_SYLLABLE.fullmatch(one) for one, _ in changed):
        return total
    forgiven = len(meant) >= 4 and len(changed) == 1 and total == 1
    return total if forgiven else alias.allowed_edits + 1
