"""Names of values without the word that leads to them, in a conversation about such values (decision 17).

"Xây dựng", "luật thì sao", "e nganh duoc": alone they may be anything, behind another major's fees they are a major.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from school.catalog import Catalog
from vietnamese.data_files import yaml_beside
from vietnamese.ellipsis import continuation, naming_words
from vietnamese.text import fold, words

MOST_WORDS = 7
"""A longer message says what it means."""

_FEWEST_OF_A_PART = 2
"""Words that the end of a name needs to stand for it: "xây dựng" of "Kỹ thuật xây dựng"."""


class BareNames:
    """The names of each dimension's values, and the ends of names that only one value has, by their folded words."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._leading = frozenset(words(yaml_beside(__file__, "bare_names.yml")["leading"]))
        self._of = lru_cache(maxsize=None)(self._read)

    def written_out(self, text: str, dimension: str) -> str | None:
        """Return a short message with its one bare name of a value in full: "còn ngành Kỹ thuật xây dựng".

        `text` is in everyday spelling. None when it has no such name, or other words that may name a matter.
        """
        said = words(text)
        if not 0 < len(said) <= MOST_WORDS:
            return None
        names, folded = self._of(dimension), [fold(word) for word in said]
        own = {fold(word) for word in words(self._named(dimension))}
        for size in range(len(said), 0, -1):
            for start in range(len(said) - size + 1):
                value = names.get(" ".join(folded[start : start + size]))
                if value is None or not self._is_typed(dimension, value, said[start : start + size]):
                    continue
                around = [*said[:start], *said[start + size :]]
                if any(
                    word not in self._leading and fold(word) not in own
                    for word in naming_words(" ".join(around))
                ):
                    return None
                name = f"{self._named(dimension)} {self._catalog.name(dimension, value)}"
                lead = said[:start]
                while lead and fold(lead[-1]) in own:
                    lead.pop()
                # "Con xây dựng" goes on with another value.
                first = ["còn"] if lead == ["con"] or (continuation(text) is not None and not lead) else lead
                return " ".join((*first, name, *said[start + size :]))
        return None

    def _named(self, dimension: str) -> str:
        spec = self._catalog.dimension(dimension)
        return spec.name.lower() if spec is not None else ""

    def _is_typed(self, dimension: str, value: str, said: list[str]) -> bool:
        """Return whether the words may be the value's name by their diacritics: "được" is not "dược"."""
        item = next(item for item in self._catalog.items(dimension) if item.id == value)
        known = {word for name in item.names for word in words(name)}
        return all(word in known or word == fold(word) for word in said)

    def _read(self, dimension: str) -> Mapping[str, str]:
        whole: dict[str, set[str]] = {}
        every: dict[str, set[str]] = {}
        for item in self._catalog.items(dimension):
            for name in filter(None, item.names):
                said = words(fold(name))
                whole.setdefault(" ".join(said), set()).add(item.id)
                for start in range(len(said)):
                    for end in range(start + 1, len(said) + 1):
                        every.setdefault(" ".join(said[start:end]), set()).add(item.id)
        ends = {
            " ".join(said[start:]): item.id
            for item in self._catalog.items(dimension)
            for said in [words(fold(item.name))]
            for start in range(1, len(said) - _FEWEST_OF_A_PART + 1)
        }
        found = {part: value for part, value in ends.items() if len(every[part]) == 1}
        return {**found, **{name: next(iter(values)) for name, values in whole.items() if len(values) == 1}}
