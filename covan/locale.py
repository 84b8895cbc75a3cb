"""The commands' own sentences, by language (covan/locales/)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from rag.errors import SettingsError
from rag.settings import Settings

FOLDER = Path(__file__).parent / "locales"


def sentences(settings: Settings, command: str) -> Mapping[str, str]:
    """Return a command's texts in the language of the settings. Raises SettingsError for an unknown language."""
    known = languages()
    if settings.locale not in known:
        raise SettingsError(f"COVAN_LOCALE must be one of {', '.join(known)}, not {settings.locale!r}")
    return sentences_in(settings.locale, command)


def sentences_in(language: str, command: str) -> Mapping[str, str]:
    """Return a command's texts in one of the `languages`."""
    loaded: Mapping[str, str] = yaml.safe_load((FOLDER / f"{language}.yml").read_text(encoding="utf-8"))[
        command
    ]
    return loaded


def languages() -> Sequence[str]:
    """Return the languages that have a locale file, in alphabetical order."""
    return sorted(path.stem for path in FOLDER.glob("*.yml"))
