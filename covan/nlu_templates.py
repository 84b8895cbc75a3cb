"""Examples with the school's own names in them: its cohorts, majors and programmes.

The templates stand in `nlu_templates.yml`. Which names a template gets depends on the template and the names alone.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

from school.catalog import Catalog

TEMPLATES = Path(__file__).with_name("nlu_templates.yml")

Place = Literal["cohort", "major", "program", "topic", "bot"]

_PLACE = re.compile(r"\{(cohort|major|program|topic|bot)2?\}")


class Group(BaseModel):
    """Sentences of one intent, each filled `times` times, or once with every name of each place in `all`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    intent: str
    sentences: Sequence[str]
    times: int = 1
    all: Sequence[Place] = ()


class Templates(BaseModel):
    """`nlu_templates.yml`. `cohort_forms` have places for a cohort's `id` and `year`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cohort_forms: Sequence[str]
    topics: Sequence[str]
    templates: Sequence[Group]


@dataclass(frozen=True, slots=True)
class Filled:
    """One example, and the template that it was made of."""

    text: str
    intent: str
    template: str


def read_templates(path: Path = TEMPLATES) -> Templates:
    """The templates in `path`. Raises pydantic.ValidationError when they are not of that shape."""
    return Templates.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


def filled(templates: Templates, catalog: Catalog, own: Sequence[Group] = ()) -> Iterator[Filled]:
    """Every template, and every group of the school's `own`, with names of `catalog`.

    A sentence that needs a name which the catalogue lacks gives nothing.
    """
    names = _names(templates, catalog)
    for group in (*templates.templates, *own):
        for sentence in group.sentences:
            places = {match[1] for match in _PLACE.finditer(sentence)}
            if any(len(names[place]) < (2 if f"{{{place}2}}" in sentence else 1) for place in places):
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
    """Whether `sentence` has places for names of the catalogue."""
    return _PLACE.search(sentence) is not None


def _names(templates: Templates, catalog: Catalog) -> Mapping[str, list[str]]:
    """What may stand in each place: an item by its name, and by its first alias, which is the most usual one."""
    return {
        "cohort": [
            form.format(id=cohort.id, year=cohort.year)
            for number, cohort in enumerate(catalog.cohorts)
            for form in (
                templates.cohort_forms[(number + turn) % len(templates.cohort_forms)] for turn in (0, 2)
            )
        ],
        "major": [name.lower() for item in catalog.majors for name in (item.name, *item.aliases[:1])],
        "program": [name.lower() for item in catalog.programs for name in (item.name, *item.aliases[:2])],
        "topic": list(templates.topics),
        "bot": [catalog.school.bot_name.lower()] if catalog.school.bot_name else [],
    }
