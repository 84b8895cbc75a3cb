"""The knowledge of a school that reading a message needs, as one JSON-serialisable value.

The index stores it, so that every process reads with the same knowledge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from school.catalog import Catalog, GlossaryEntry
from school.catalog_forms import entity_forms
from school.institutions import OwnNames
from school.surface_forms import EntityForms, SurfaceForm
from vietnamese.lexicon import Lexicon
from vietnamese.text import words


@dataclass(frozen=True)
class ReadingKnowledge:
    """The knowledge of `school.reader.Reader`.

    Attributes:
        forms: the ways to write the school's names.
        glossary: its short forms.
        abbreviations: the short forms of one reading, with those that its documents define.
        lexicon: the words of the school; None leaves the spelling of messages as it is.
        names: the Vietnamese names of the catalogue: entity, id, name.
        spellings: every way in which the catalogue writes a value of the student: entity, id, name or alias.
        known_words: the words of its names and short forms, which are right as they are.
        dimensions: the word for each dimension of the student, by id.
        identifying: the dimensions whose values are no part of what is asked.
        ordered: the dimensions whose values are numbers.
        cues: the words that lead to a value of an identifying dimension.
        own_names: the names of the school, its campuses and its offices.
        absent_fields: the names of the fields of study that nothing of the school names.
        unpublished_matters: the names of the things of a campus of which the school says nothing.
        matters_in_passing: those of them that it names at least.
        time_zone: the time zone of the school, of the IANA database; empty for the machine's.
    """

    forms: EntityForms = field(default_factory=EntityForms)
    glossary: tuple[GlossaryEntry, ...] = ()
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    lexicon: Lexicon | None = None
    names: tuple[tuple[str, str, str], ...] = ()
    spellings: tuple[tuple[str, str, str], ...] = ()
    known_words: frozenset[str] = frozenset()
    dimensions: Mapping[str, str] = field(default_factory=dict)
    identifying: tuple[str, ...] = ()
    ordered: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    own_names: OwnNames = field(default_factory=OwnNames)
    absent_fields: tuple[str, ...] = ()
    unpublished_matters: tuple[str, ...] = ()
    matters_in_passing: tuple[str, ...] = ()
    time_zone: str = ""

    @classmethod
    def of(
        cls,
        catalog: Catalog,
        glossary: Iterable[GlossaryEntry] = (),
        abbreviations: Mapping[str, str] | None = None,
        lexicon: Lexicon | None = None,
        extra_forms: Iterable[SurfaceForm] = (),
    ) -> ReadingKnowledge:
        """Gather the knowledge from a catalogue and a glossary.

        Args:
            abbreviations: those of the glossary and of the documents; without it, the glossary's.
            extra_forms: surface forms beside those of the catalogue, such as names of documents.
        """
        glossary = tuple(glossary)
        abbreviations = curated_abbreviations(glossary) if abbreviations is None else abbreviations
        dimensions = catalog.dimensions
        return cls(
            forms=entity_forms(catalog, extra_forms),
            glossary=glossary,
            abbreviations=dict(abbreviations),
            lexicon=lexicon,
            names=tuple(_names(catalog)),
            spellings=tuple(_spellings(catalog)),
            known_words=_known_words(catalog, glossary, abbreviations),
            dimensions={each.id: each.name for each in dimensions},
            identifying=tuple(each.id for each in dimensions if each.identifies),
            ordered=tuple(each.id for each in dimensions if each.ordered),
            cues=tuple(
                dict.fromkeys(cue for each in dimensions if each.identifies for cue in each.sure_cues)
            ),
            own_names=OwnNames.of(catalog),
            time_zone=catalog.school.time_zone,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the knowledge as a JSON object."""
        return {
            **{each.name: getattr(self, each.name) for each in fields(self)},
            "forms": self.forms.to_json(),
            "glossary": [asdict(entry) for entry in self.glossary],
            "lexicon": None if self.lexicon is None else self.lexicon.to_json(),
            "known_words": sorted(self.known_words),
            "own_names": asdict(self.own_names),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReadingKnowledge:
        """Return the knowledge that `to_json` has written.

        Raises:
            KeyError, TypeError, ValueError: when `data` is no such object.
        """
        return cls(
            forms=EntityForms.from_json(data["forms"]),
            glossary=tuple(
                GlossaryEntry(**{**entry, "full": tuple(entry["full"]), "also": tuple(entry["also"])})
                for entry in data["glossary"]
            ),
            abbreviations=dict(data["abbreviations"]),
            lexicon=None if data["lexicon"] is None else Lexicon.from_json(data["lexicon"]),
            names=_triples(data["names"]),
            spellings=_triples(data["spellings"]),
            known_words=frozenset(data["known_words"]),
            dimensions=dict(data["dimensions"]),
            identifying=tuple(data["identifying"]),
            ordered=tuple(data["ordered"]),
            cues=tuple(data["cues"]),
            own_names=OwnNames(**{kind: tuple(names) for kind, names in data["own_names"].items()}),
            absent_fields=tuple(data["absent_fields"]),
            unpublished_matters=tuple(data["unpublished_matters"]),
            matters_in_passing=tuple(data["matters_in_passing"]),
            time_zone=str(data.get("time_zone", "")),
        )


def _triples(data: Iterable[Iterable[str]]) -> tuple[tuple[str, str, str], ...]:
    return tuple((entity, value, name) for entity, value, name in data)


def curated_abbreviations(glossary: Iterable[GlossaryEntry]) -> dict[str, str]:
    """Return the short forms of a glossary that have one reading, with their other spellings."""
    return {
        short: entry.full[0]
        for entry in glossary
        if entry.kind == "abbreviation" and len(entry.full) == 1
        for short in (entry.short, *entry.also)
    }


def _names(catalog: Catalog) -> Iterable[tuple[str, str, str]]:
    """Yield the Vietnamese names of the catalogue; numbered values such as cohorts need no translation."""
    for dimension in catalog.dimensions:
        if not dimension.ordered:
            yield from ((dimension.id, value.id, value.name) for value in catalog.items(dimension.id))
    yield from (("course", course.id, course.name) for course in catalog.courses)
    yield from (("office", office.id, office.name) for office in catalog.offices)


def _spellings(catalog: Catalog) -> Iterable[tuple[str, str, str]]:
    for dimension in catalog.dimension_ids:
        for value in catalog.items(dimension):
            yield from ((dimension, value.id, name) for name in dict.fromkeys(value.names))


def _known_words(
    catalog: Catalog, glossary: Iterable[GlossaryEntry], abbreviations: Iterable[str]
) -> frozenset[str]:
    texts = [*(short for entry in glossary for short in (entry.short, *entry.also)), *abbreviations]
    named = [value for dimension in catalog.dimension_ids for value in catalog.items(dimension)]
    for item in (*named, *catalog.courses, *catalog.offices):
        texts += (item.name, *item.aliases)
    return frozenset(word for text in texts for word in words(text))
