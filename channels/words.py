"""Labels that the channels add to a message, in the language of the conversation (`words.yml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

WORDS = Path(__file__).with_name("words.yml")
DEFAULT_LANGUAGE = "vi"


def words(language: Any | None) -> Mapping[str, str]:
    """Return the labels in `language` (a message's `facts["language"]`); Vietnamese for an unknown one."""
    known = _read()
    return known.get(str(language), known[DEFAULT_LANGUAGE])


@lru_cache(maxsize=1)
def _read() -> Mapping[str, Mapping[str, str]]:
    read: Mapping[str, Mapping[str, str]] = yaml.safe_load(WORDS.read_text(encoding="utf-8"))
    return read
