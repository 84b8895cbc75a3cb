"""Names of the referents that a question leaves open, in the student's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

import yaml
from pydantic import TypeAdapter

from vietnamese.language_detection import Language

_ENGLISH = Path(__file__).with_name("referents.yml")


def referent_names(referents: Iterable[str], language: Language) -> str:
    """Return `referents` (of `Decision.unnamed`) joined by commas; one without an English name stays Vietnamese."""
    if language == "en":
        referents = dict.fromkeys(_in_english().get(each, each) for each in referents)
    return ", ".join(referents)


@lru_cache(maxsize=1)
def _in_english() -> Mapping[str, str]:
    return TypeAdapter(dict[str, str]).validate_python(yaml.safe_load(_ENGLISH.read_text(encoding="utf-8")))
