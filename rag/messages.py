"""Messages to the people who keep a knowledge folder: ids with values, rendered from `rag/locales/LANGUAGE.yml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

LOCALES = Path(__file__).with_name("locales")
DEFAULT = "en"


class Message(str):
    """A message in English that can be said in every language of `LOCALES`.

    A value may be a `Message` itself, such as the suggestion of another spelling.
    """

    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, /, **values: object) -> Message:
        """Raise KeyError when there is no message `key`, or when a value that it has a place for is missing."""
        message = super().__new__(cls, _rendered(DEFAULT, key, values))
        message.key = key
        message.values = values
        return message

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.key,), dict(self.values)


def in_language(text: str, language: str) -> str:
    """Return `text` in a language; a text that is no `Message` is the same in all of them."""
    return _rendered(language, text.key, text.values) if isinstance(text, Message) else text


def languages() -> tuple[str, ...]:
    """Return the languages in which messages can be said, in alphabetical order."""
    return tuple(sorted(path.stem for path in LOCALES.glob("*.yml")))


def _rendered(language: str, key: str, values: Mapping[str, object]) -> str:
    said = {
        name: in_language(value, language) if isinstance(value, str) else value
        for name, value in values.items()
    }
    return _templates(language)[key].format(**said)


@cache
def _templates(language: str) -> Mapping[str, str]:
    templates: Mapping[str, str] = yaml.safe_load((LOCALES / f"{language}.yml").read_text(encoding="utf-8"))
    return templates
