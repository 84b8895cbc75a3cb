"""Facts named in words: "Tuyển sinh › 2026 › điểm chuẩn › Công nghệ thông tin" for admissions.2026.diem_chuan.cntt.

A fact's keys are ids without diacritics. The first one is its topic; one that is the id of a thing of the catalogue has
its name, and the others are spelled out as students' words are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from console.dictionary_files import DictionaryFiles
from console.fact_files import FactFiles
from console.knowledge_files import KnowledgeFileError
from console.yaml_text import YamlTextError

BETWEEN = " › "


class FactLabels:
    """The names of facts; `spelled` returns words with their diacritics. A broken file names nothing."""

    def __init__(
        self, facts: FactFiles, dictionaries: DictionaryFiles, spelled: Callable[[str], str]
    ) -> None:
        self._paths, self._topics, self._things = {}, {}, {}
        with suppress(KnowledgeFileError):
            self._paths = {fact.name: fact.path for fact in facts.facts()}
        with suppress(KnowledgeFileError, YamlTextError):
            self._topics = {topic.id: str(topic.record.get("name") or "") for topic in dictionaries.topics()}
            parts = (part for section in dictionaries.sections() for part in section.parts)
            self._things = {part.id: str(part.values.get("name") or "") for part in parts}
        self._spelled = spelled

    @property
    def names(self) -> Mapping[str, str]:
        """The names of the topics and of the catalogue's things by their ids."""
        return {**self._things, **self._topics}

    def of(self, name: str) -> str:
        """Return the label of a fact by its full name; there need be no such fact yet."""
        first, *keys = self._paths.get(name) or name.removeprefix("facts.").split(".")
        label = self._topics.get(first) or self._in_words(first)
        return BETWEEN.join([label[:1].upper() + label[1:], *map(self._of_key, keys)])

    def _of_key(self, key: str) -> str:
        return self._things.get(key) or self._in_words(key)

    def _in_words(self, key: str) -> str:
        return self._spelled(" ".join(key.replace("_", " ").replace("-", " ").split()))
