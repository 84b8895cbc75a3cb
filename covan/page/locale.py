"""The page server's own sentences, by language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import yaml

from vietnamese.language_detection import Language

_FOLDER = Path(__file__).parent / "locales"
_LANGUAGES: tuple[Language, ...] = ("vi", "en")


@lru_cache
def texts(language: Language) -> Mapping[str, str]:
    """Return every sentence of a language, by its name."""
    loaded: dict[str, str] = yaml.safe_load((_FOLDER / f"{language}.yml").read_text(encoding="utf-8"))
    return loaded


def preferred(accept_language: str, default: Language) -> Language:
    """Return the first language of an Accept-Language header that we have; its order is taken as the preference."""
    for part in accept_language.lower().split(","):
        primary = part.split(";")[0].strip().split("-")[0]
        for language in _LANGUAGES:
            if primary == language:
                return language
    return default
