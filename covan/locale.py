"""The commands' own sentences, by language (covan/locales/)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml

from rag.errors import SettingsError
from rag.settings import Settings

FOLDER = Path(__file__).parent / "locales"


def sentences(settings: Settings, command: str) -> Mapping[str, str]:
    """Return a command's texts in the language of the settings. Raises SettingsError for an unknown language."""
    known = sorted(path.stem for path in FOLDER.glob("*.yml"))
    if settings.locale not in known:
        raise SettingsError(f"COVAN_LOCALE must be one of {', '.join(known)}, not {settings.locale!r}")
    loaded: Mapping[str, str] = yaml.safe_load(
        (FOLDER / f"{settings.locale}.yml").read_text(encoding="utf-8")
    )[command]
    return loaded
