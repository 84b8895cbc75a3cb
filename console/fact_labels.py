"""Facts named in words: "Tuyển sinh › 2026 › điểm chuẩn › Công nghệ thông tin" for admissions.2026.diem_chuan.cntt.

A fact's keys are ids without diacritics. The first one is its topic; one that is the id of a thing of the catalogue has
its name, and the others are spelled out as students' words are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property

from console.dictionary_files import DictionaryFiles
from console.fact_files import FactFiles
from console.knowledge_files import KnowledgeFileError
from console.yaml_text import YamlTextError

BETWEEN = " › "


class FactLabels:
    """The names of facts; `spelled` returns words with their diacritics. A broken file names nothing.

    Files are read when a name is asked for: most requests that may name a fact name none.
    """

    def __init__(
        self, facts: FactFiles, dictionaries: DictionaryFiles, spelled: Callable[[str], str]
    ) -> None:
        self._facts = facts
        self._dictionaries = dictionaries
        self._spelled = spelled

    @cached_property
    def _paths(self) -> Mapping[str, Sequence[str]]:
        with suppress(KnowledgeFileError):
            return {fact.name: fact.path for fact in self._facts.facts()}
        return {}

    @cached_property
    def _topics(self) -> Mapping[str, str]:
        with suppress(KnowledgeFileError):
            return {each.id: str(each.record.get("name") or "") for each in self._dictionaries.topics()}
        return {}

    @cached_property
    def _things(self) -> Mapping[str, str]:
        with suppress(KnowledgeFileError, YamlTextError):
            parts = (part for section in self._dictionaries.sections() for part in section.parts)
            return {part.id: str(part.values.get("name") or "") for part in parts}
        return {}

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
