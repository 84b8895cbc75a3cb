"""The bot's introduction of itself: the name from the school, and its role."""

from __future__ import annotations

from collections.abc import Mapping

from school.catalog import School
from vietnamese.data_files import yaml_beside
from vietnamese.language_detection import Language


def self_introduction(school: School, language: Language) -> str:
    """Return the bot's `bot_name` with its role ("Mai, trợ lý tư vấn sinh viên"); the role alone without a name."""
    words: Mapping[str, str] = yaml_beside(__file__, "self_introduction.yml")[language]
    return words["named"].format(name=school.bot_name) if school.bot_name else words["unnamed"]
