"""Linking of names in a text: values of the student's dimensions, courses, offices, documents and dates.

Everything that `EntityLinker` knows of a school is in `school.surface_forms.EntityForms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from itertools import chain, pairwise

from school.mistyped_names import REMEMBERED, MistypedNames
from school.surface_forms import MENTION, NAME, EntityForms, SurfaceForm
from vietnamese.data_files import yaml_beside
from vietnamese.dates import find_dates
from vietnamese.patterns import either
from vietnamese.retraction import Retraction
from vietnamese.study_years import StudyYear, StudyYears
from vietnamese.text import MAX_QUESTION_CHARS, PAUSE, Folded, fold_with_offsets

DATE = "date"

_PATTERNS = yaml_beside(__file__, "name_patterns.yml")
_JOINED = re.compile(either(_PATTERNS["between_values"]))
_GUESSED_WRONGLY = re.compile(_PATTERNS["guessed_wrongly"])


@dataclass(frozen=True, slots=True)
class Mention:
    """`text`, from `start` to `end` of a message, names the `value` of an `entity`.

    `value` is an id of the catalogue, the id of a document or, of a date, ISO 8601. A mention includes the cue that
    its name needs: "học luật" begins at `start`, "luật" at `name_start`. Offsets count characters of the message as
    given, whatever its normal form. `role` is "origin" or "target" of a value that the student would change from or to,
    "asked" of one of which the message asks whether there is such a thing, "former" of one that the student has studied
    before.
    """

    start: int
    end: int
    entity: str
    value: str
    text: str
    name_start: int
    role: str = ""


def are_listed(mentions: Sequence[Mention], text: str) -> bool:
    """Return whether `text` has two values of one dimension side by side: "học phí cntt với luật"."""
    return any(
        one.entity == other.entity
        and one.value != other.value
        and _JOINED.fullmatch(text, one.end, other.start) is not None
        for one, other in pairwise(mentions)
    )


@dataclass(frozen=True, slots=True)
class _Match:
    """A mention by its offsets in the folded text; `edits` is 0 unless the name is mistyped.

    `relative` marks a value that is counted back from a year of study.
    """

    start: int
    end: int
    entity: str
    value: str
    name_start: int
    edits: int = 0
    relative: bool = False


class _Pattern:
    """A surface form, compiled when a text has its needle: a school has a thousand, a conversation ten."""

    def __init__(self, form: SurfaceForm) -> None:
        self._form = form
        self.is_joined = form.joined

    @cached_property
    def _compiled(self) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
        exact = self._form.exact
        return re.compile(self._form.pattern), re.compile(exact) if exact is not None else None

    def find(self, folded: str, lowered: str) -> Iterator[_Match]:
        pattern, exact = self._compiled
        name: str | int = NAME if NAME in pattern.groupindex else 0
        mention: str | int = MENTION if MENTION in pattern.groupindex else 0
        for found in pattern.finditer(folded):
            start, end = found.span(mention)
            if exact is None or exact.fullmatch(lowered, start, end):
                yield _Match(start, end, self._form.entity, self._form.value, found.start(name))


class EntityLinker:
    """Finds the mentions of a text: exact before mistyped, longer before shorter; none overlap."""

    def __init__(self, forms: EntityForms) -> None:
        self._patterns = [_Pattern(form) for form in forms.patterns]
        self._by_needle: dict[str, list[int]] = {}
        for number, form in enumerate(forms.patterns):
            self._by_needle.setdefault(form.needle, []).append(number)
        self._mistyped = MistypedNames(forms.names)
        self._unlisted = [(re.compile(form.pattern), form.entity) for form in forms.unlisted]
        years = forms.entry_years
        self._study_years = StudyYears(years.values, years.begins) if years else None
        self._yearly = years.dimension if years else ""
        self._dimensions = frozenset(forms.dimensions)
        self._retraction = Retraction.of_school(forms.dimensions, forms.cues)
        # A reading looks at its message as typed and as spelled out, which are mostly the same letters.
        self._names = lru_cache(maxsize=REMEMBERED)(self._found)

    def link(self, text: str) -> tuple[Mention, ...]:
        """Return all names in `text`, in its order, also those that it denies; no dates and no years of study."""
        seen = fold_with_offsets(text[:MAX_QUESTION_CHARS])
        return self._named(text, seen, _choose(self._names(seen.folded, seen.lowered)))

    def mentions(self, text: str, today: date, marked: str = "") -> tuple[Mention, ...]:
        """Return the names in `text` that it neither denies nor takes back, in its order.

        Of "không phải k47, k48 cơ" only K48 remains. Dates and years of study are those of `today`. `marked` is `text`
        with its diacritics restored, letter for letter: "thu y" may be "thú y", which is a major.
        """
        seen = fold_with_offsets(text[:MAX_QUESTION_CHARS])
        restored = fold_with_offsets(marked[:MAX_QUESTION_CHARS])
        is_alike = restored.folded == seen.folded and restored.lowered != seen.lowered
        guessed = [
            match
            for match in (self._names(restored.folded, restored.lowered) if is_alike else ())
            if not _GUESSED_WRONGLY.match(seen.folded, match.name_start)
        ]
        years = self._study_years.find(seen.lowered, today) if self._study_years else []
        dates = (
            _Match(found.start, found.end, DATE, found.value, found.start)
            for found in find_dates(seen.folded, seen.lowered, today)
        )
        sure_years = (self._of_year(year) for year in years if not year.beside)
        chosen = _choose((*self._names(seen.folded, seen.lowered), *guessed, *dates, *sure_years))
        beside = [
            self._of_year(year) for year in years if year.beside and self._is_own(seen.lowered, year, chosen)
        ]
        kept = self._retraction.kept(seen.lowered, _choose(beside, chosen))
        # "k51 năm 2": the number is surer than the year counted back.
        numbered = any(match.entity == self._yearly and not match.relative for match in kept)
        return self._named(text, seen, [match for match in kept if not (match.relative and numbered)])

    def unlisted(self, text: str) -> str | None:
        """Return the first value that `text` names and the school does not have ("k43"), as typed; None without one.

        A text that also names a value of that dimension is about this one: "k43 với k50 khác gì nhau".
        """
        seen = fold_with_offsets(text[:MAX_QUESTION_CHARS])
        found = [
            (match.start(), match.end(), entity)
            for pattern, entity in self._unlisted
            for match in pattern.finditer(seen.folded)
        ]
        if not found:
            return None
        named = {mention.entity for mention in self.link(text)}
        places = ((start, end) for start, end, entity in sorted(found) if entity not in named)
        start, end = next(places, (0, 0))
        return text[seen.starts[start] : seen.ends[end - 1]] if end else None

    def _found(self, folded: str, lowered: str) -> tuple[_Match, ...]:
        hit = (numbers for needle, numbers in self._by_needle.items() if needle in folded)
        # In the order of the forms: of two names for the same words the first is taken.
        numbers = sorted(chain.from_iterable(hit))
        found = [
            match
            for number in numbers
            if not self._patterns[number].is_joined
            for match in self._patterns[number].find(folded, lowered)
        ]
        found += [
            _Match(name.start, name.end, name.entity, name.value, name.start, name.edits)
            for name in self._mistyped.find(folded)
        ]
        joined = [
            match
            for number in numbers
            if self._patterns[number].is_joined
            for match in self._patterns[number].find(folded, lowered)
        ]
        return (*found, *_beside_another(joined, found, lowered))

    def _of_year(self, year: StudyYear) -> _Match:
        return _Match(year.start, year.end, self._yearly, year.value, year.start, relative=True)

    def _is_own(self, lowered: str, year: StudyYear, chosen: Sequence[_Match]) -> bool:
        """Return whether a year of study stands beside a value that the student claims: "luật năm 2"."""
        for match in chosen:
            if match.entity not in self._dimensions or match.entity == self._yearly:
                continue
            first, gap = (
                (match.start, lowered[match.end : year.start])
                if match.end <= year.start
                else (year.start, lowered[year.end : match.start])
            )
            clause = PAUSE.split(lowered[:first])[-1]
            if self._retraction.joins(gap) and self._retraction.joins(clause):
                return True
        return False

    def _named(self, text: str, seen: Folded, matches: Iterable[_Match]) -> tuple[Mention, ...]:
        """Return the mentions of `matches`; a cue that is a name itself ("k48 luật") belongs to that name alone."""
        mentions: list[Mention] = []
        end = 0
        matches = list(matches)
        roles = {match: self._retraction.role(seen.lowered, match) for match in matches}
        for one, other in pairwise(matches):
            if not roles[one] and not roles[other] and self._retraction.moves(seen.lowered, one, other):
                roles |= {one: "origin", other: "target"}
        for match in matches:
            first = match.start if match.start >= end else match.name_start
            end = match.end
            start, stop, name = seen.starts[first], seen.ends[end - 1], seen.starts[match.name_start]
            found = text[start:stop]
            mentions.append(Mention(start, stop, match.entity, match.value, found, name, roles[match]))
        return tuple(mentions)


def _beside_another(joined: Sequence[_Match], found: Sequence[_Match], lowered: str) -> Iterator[_Match]:
    """Yield the matches of `joined` that a text lists or compares with another value of their entity."""
    for match in joined:
        for other in (*found, *joined):
            first, last = sorted((match, other), key=lambda each: each.start)
            is_another = other.entity == match.entity and other.value != match.value
            if is_another and _JOINED.fullmatch(lowered, first.end, last.start):
                yield match
                break


def _choose(matches: Iterable[_Match], taken: Sequence[_Match] = ()) -> list[_Match]:
    """Return `taken` and the matches that name other words, in the order of the text.

    Exact matches come before mistyped ones, longer before shorter.
    """
    chosen = list(taken)
    for match in sorted(matches, key=lambda match: (match.edits, match.start - match.end, match.start)):
        if all(match.end <= other.name_start or match.name_start >= other.end for other in chosen):
            chosen.append(match)
    return sorted(chosen, key=lambda match: match.name_start)
