"""The school's name and its topics, which the page shows before the first question."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

logger = logging.getLogger(__name__)


class SchoolName(BaseModel):
    """The names in the part `school` of catalog.yml."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    name: str = ""
    name_en: str = ""
    short: str = ""
    website: str = ""


class TopicShortcut(BaseModel):
    """A topic of topics.yml as a shortcut on the page."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    name: str
    name_en: str = ""
    description: str = ""
    examples: tuple[str, ...] = ()


_TOPICS = TypeAdapter(tuple[TopicShortcut, ...])


class SchoolFiles:
    """Reads the two files of the knowledge folder, again when one of them has changed.

    While one is being edited and cannot be read, what was read last goes on being shown: its faults are told
    by `covan index`.
    """

    def __init__(self, knowledge_dir: Path) -> None:
        self._catalog = knowledge_dir / "catalog.yml"
        self._topics = knowledge_dir / "topics.yml"
        self._seen: tuple[float, float] | None = None
        self._school = SchoolName()
        self._shortcuts: tuple[TopicShortcut, ...] = ()

    def read(self) -> tuple[SchoolName, tuple[TopicShortcut, ...]]:
        now = (_changed(self._catalog), _changed(self._topics))
        if now != self._seen:
            self._seen = now
            try:
                self._school = SchoolName.model_validate((_load(self._catalog) or {}).get("school") or {})
                self._shortcuts = _TOPICS.validate_python(_load(self._topics) or ())
            except (OSError, yaml.YAMLError, ValidationError, AttributeError) as error:
                logger.warning("The school's name and topics could not be read: %s", error)
        return self._school, self._shortcuts


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8-sig")) if path.exists() else None
