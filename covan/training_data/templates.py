"""Templates of examples (`templates.yml`), filled with the school's names: its cohorts, majors and programmes.

The names in an example depend on its template and the names alone.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from rag.ingest.nlu_files import PLACE
from school.catalog import Catalog
from school.dimensions import DimensionSpec

TEMPLATES = Path(__file__).with_name("templates.yml")

FEW = 10
"""Values of a dimension below which the examples have two aliases of each value instead of one."""


class Group(BaseModel):
    """Sentences of one intent, each filled `times` times, or once with every name of each place in `all`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    intent: str
    sentences: Sequence[str]
    times: int = 1
    all: Sequence[str] = ()


class Templates(BaseModel):
    """`templates.yml`. `forms` are those of an ordered dimension, with places for a value's `id` and `year`.

    `added` are for a dimension that no template names: `{value}` is its value, `{name}` the word for it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    forms: Mapping[str, Sequence[str]]
    topics: Sequence[str]
    templates: Sequence[Group]
    added: Sequence[Group] = ()


@dataclass(frozen=True, slots=True)
class Filled:
    """One example and its template."""

    text: str
    intent: str
    template: str


def read_templates(path: Path = TEMPLATES) -> Templates:
    """Return the templates in `path`. Raises pydantic.ValidationError when they have another shape."""
    return Templates.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


def filled(templates: Templates, catalog: Catalog, own: Sequence[Group] = ()) -> Iterator[Filled]:
    """Yield the examples of every template, and of the school's `own` groups, with names of `catalog`.

    A sentence whose names the catalogue lacks gives none.
    """
    names = _names(templates, catalog)
    for group in (*templates.templates, *_for_added(templates, catalog), *own):
        for sentence in group.sentences:
            places = {match[1] for match in PLACE.finditer(sentence)}
            if any(len(names.get(place, ())) < (2 if f"{{{place}2}}" in sentence else 1) for place in places):
                continue
            chance = random.Random(hashlib.sha256(sentence.encode()).digest())
            whole = next((place for place in group.all if place in places), None)
            for turn in range(len(names[whole]) if whole else group.times):
                drawn = {
                    place: (chance.sample(names[place], 2) if len(names[place]) > 1 else names[place] * 2)
                    for place in sorted(places)
                }
                if whole:
                    drawn[whole] = [names[whole][turn], names[whole][turn - 1]]
                text = sentence
                for place, (one, other) in drawn.items():
                    text = text.replace(f"{{{place}}}", one).replace(f"{{{place}2}}", other)
                yield Filled(text, group.intent, sentence)


def has_places(sentence: str) -> bool:
    """Return whether `sentence` has places for names of the catalogue."""
    return PLACE.search(sentence) is not None


def _names(templates: Templates, catalog: Catalog) -> Mapping[str, list[str]]:
    """Return the names for each place: those of each value, and its first aliases, which are the most usual ones."""
    return {
        **{dimension.id: _names_of(dimension, templates, catalog) for dimension in catalog.dimensions},
        "topic": list(templates.topics),
        "bot": [catalog.school.bot_name.lower()] if catalog.school.bot_name else [],
    }


def _names_of(dimension: DimensionSpec, templates: Templates, catalog: Catalog) -> list[str]:
    """Return the values of a dimension as students write them."""
    values = catalog.items(dimension.id)
    if not dimension.ordered:
        aliases = 2 if len(values) < FEW else 1
        return [name.lower() for item in values for name in (item.name, *item.aliases[:aliases])]
    forms = templates.forms.get(dimension.id) or (f"{dimension.name} {{id}}",)
    return [
        form.format(id=item.id, year=getattr(item, "year", None) or item.id)
        for number, item in enumerate(values)
        for form in (forms[(number + turn) % len(forms)] for turn in (0, 2))
    ]


def _for_added(templates: Templates, catalog: Catalog) -> Iterator[Group]:
    """Yield the groups of `added`, once for each dimension that no other template names."""
    named = {
        place for group in templates.templates for text in group.sentences for place in PLACE.findall(text)
    }
    for dimension in catalog.dimensions:
        if dimension.id in named:
            continue
        for group in templates.added:
            sentences = [
                text.replace("{value", f"{{{dimension.id}").replace("{name}", dimension.name)
                for text in group.sentences
            ]
            whole = [dimension.id] if "value" in group.all else []
            yield group.model_copy(update={"sentences": sentences, "all": whole})
