"""Names of the referents that a question leaves open, in the student's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vietnamese.data_files import yaml_beside
from vietnamese.language_detection import Language


def referent_names(referents: Iterable[str], language: Language) -> str:
    """Return `referents` (of `Decision.unnamed`) joined by commas; one without an English name stays Vietnamese."""
    if language == "en":
        in_english: Mapping[str, str] = yaml_beside(__file__, "referents.yml")
        referents = dict.fromkeys(in_english.get(each, each) for each in referents)
    return ", ".join(referents)
