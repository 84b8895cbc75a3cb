"""The knowledge for reading messages in the current version of the index.

A model has the knowledge of the index that it was trained on. A new major, office or short form of the catalogue is in
the index within seconds; without it, Rasa would read its name as that of nothing until the next training.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path

from school.reading_knowledge import ReadingKnowledge

logger = logging.getLogger(__name__)

KNOWLEDGE_FILE = "reading.json"


class IndexKnowledge:
    """Watches an index, by the name of its current version. Not thread-safe.

    Args:
        index: the folder of the index (`rag/index/versions.py`); it may not exist.
        known: the content of the knowledge file that the model has.
    """

    def __init__(self, index: Path, known: bytes) -> None:
        self._index = index
        self._known = known
        self._version = ""

    def changed(self) -> ReadingKnowledge | None:
        """Return the knowledge when it is another one than before; None also for an index that cannot be read."""
        try:
            version = (self._index / "CURRENT").read_text(encoding="utf-8").strip()
            if version == self._version:
                return None
            content = (self._index / "versions" / version / KNOWLEDGE_FILE).read_bytes()
        except OSError:  # no index here, or the version was replaced meanwhile: the next message looks again
            return None
        self._version = version
        if content == self._known:
            return None
        try:
            found = ReadingKnowledge.from_json(json.loads(content))
        except (ValueError, KeyError, TypeError) as error:
            logger.error("The names of index version %s cannot be used: %r", version, error)
            return None
        self._known = content
        return found
