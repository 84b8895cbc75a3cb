"""The OA's menu (`menu.yml`): what a student's press on an item sends, and the command it stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

MENU = Path(__file__).with_name("menu.yml")


@dataclass(frozen=True)
class MenuItem:
    """One item: the message that Zalo sends for it, its command in `COMMANDS`, its title by language."""

    payload: str
    command: str
    title: Mapping[str, str]


@lru_cache(maxsize=1)
def menu() -> Sequence[MenuItem]:
    """Return the items in their order."""
    return tuple(MenuItem(**item) for item in yaml.safe_load(MENU.read_text(encoding="utf-8")))


@lru_cache(maxsize=1)
def commands() -> Mapping[str, str]:
    """Return the command of each payload."""
    return {item.payload: item.command for item in menu()}
