"""Messages to the editors of a knowledge folder: ids with values, rendered from `rag/locales/LANGUAGE.yml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from vietnamese.data_files import read_yaml

LOCALES = Path(__file__).with_name("locales")
DEFAULT = "en"


class Message(str):
    """A message in English that can be rendered in every language of `LOCALES`; its values may be messages.

    With a `count` of 1 it is the template of this id with "_1" behind, where there is one.
    """

    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, /, **values: object) -> Message:
        """Make the message `key`. Raises KeyError when it does not exist or a value of its template is missing."""
        message = super().__new__(cls, _rendered(DEFAULT, key, values))
        message.key = key
        message.values = values
        return message

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.key,), dict(self.values)


def in_language(text: str, language: str) -> str:
    """Return `text` in a language; a plain string is the same in every language."""
    return _rendered(language, text.key, text.values) if isinstance(text, Message) else text


def languages() -> tuple[str, ...]:
    """Return the languages that have a locale file, in alphabetical order."""
    return tuple(sorted(path.stem for path in LOCALES.glob("*.yml")))


def _rendered(language: str, key: str, values: Mapping[str, object]) -> str:
    said = {
        name: in_language(value, language) if isinstance(value, str) else value
        for name, value in values.items()
    }
    templates = _templates(language)
    template = templates[key]
    if values.get("count") == 1:
        template = templates.get(f"{key}_1", template)
    return template.format(**said)


@cache
def _templates(language: str) -> Mapping[str, str]:
    templates: Mapping[str, str] = read_yaml(LOCALES / f"{language}.yml")
    return templates
