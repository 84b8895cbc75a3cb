"""Names of the peoples of Viet Nam, of which regulations speak as "dân tộc thiểu số" all together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.patterns import any_of
from vietnamese.text import fold

MINORITY = "dân tộc thiểu số"


def with_minority(text: str) -> str:
    """Return `text` with "dân tộc thiểu số" before the name of a people: "em dân tộc thiểu số Tày".

    The Kinh are none of the minorities. A text that speaks of the minorities already stays as it is.
    """
    if fold(MINORITY) in fold(text).lower():
        return text
    return _pattern().sub(lambda found: f"{MINORITY} {found['people'] or found['person']}", text)


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    said = yaml_beside(__file__, "peoples.yml")
    every = [name for names in said["names"] for name in names]
    peoples = _written(every)
    persons = _written((name for name in every if name not in said["abroad"]), said["ambiguous"])
    lead, of_person = any_of(_written(said["peoples"])), any_of(_written(said["persons"]))
    return re.compile(
        rf"\b(?:(?:{lead}) (?P<people>{any_of(peoples)})|(?:{of_person}) (?P<person>{any_of(persons)}))(?!\w)",
        re.IGNORECASE,
    )


def _written(names: Iterable[str], marked: Iterable[str] = ()) -> list[str]:
    """Return the names in lower case with their diacritics and, unless `marked`, also with none."""
    lowered = [unicodedata.normalize("NFC", name).lower() for name in names]
    kept = {unicodedata.normalize("NFC", name).lower() for name in marked}
    return list(dict.fromkeys((*lowered, *(fold(name) for name in lowered if name not in kept))))
