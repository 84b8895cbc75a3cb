"""The bot's introduction of itself: the name from the school, and its role."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import yaml

from school.catalog import School
from vietnamese.language_detection import Language

WORDS = Path(__file__).with_name("self_introduction.yml")


def self_introduction(school: School, language: Language) -> str:
    """Return the bot's `bot_name` with its role ("Mai, trợ lý tư vấn sinh viên"); the role alone without a name."""
    words = _words()[language]
    return words["named"].format(name=school.bot_name) if school.bot_name else words["unnamed"]


@lru_cache(maxsize=1)
def _words() -> Mapping[str, Mapping[str, str]]:
    words: Mapping[str, Mapping[str, str]] = yaml.safe_load(WORDS.read_text(encoding="utf-8"))
    return words
